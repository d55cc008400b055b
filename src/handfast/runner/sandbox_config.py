"""`RunConfig.sandbox` as the OpenAI Agents SDK has it: read, so that it can be refused in words.

Hosted sandboxes are not part of handfast; commands run in `handfast.sandboxes` on this machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import PurePath
from typing import Any

from handfast.agents.json_types import is_object


@dataclass
class SandboxConcurrencyLimits:
    """How much of a sandbox's files may move at once.

    Raises:
        ValueError: A limit is below 1.
    """

    manifest_entries: int | None = 4
    local_dir_files: int | None = 4

    def __post_init__(self) -> None:
        for each in fields(self):
            limit = getattr(self, each.name)
            if limit is not None and limit < 1:
                raise ValueError(f"concurrency_limits.{each.name} must be at least 1")


@dataclass
class SandboxRunConfig:
    """A hosted sandbox of the SDK's.

    Raises:
        TypeError: `cwd` is no path, or `concurrency_limits` has a key that is no limit.
    """

    client: Any = None
    options: Any = None
    session: Any = None
    session_state: Any = None
    manifest: Any = None
    snapshot: Any = None
    concurrency_limits: SandboxConcurrencyLimits | Mapping[str, Any] | None = None
    cwd: str | PurePath | None = None

    def __post_init__(self) -> None:
        if self.concurrency_limits is None:
            self.concurrency_limits = SandboxConcurrencyLimits()
        elif is_object(self.concurrency_limits):
            self.concurrency_limits = SandboxConcurrencyLimits(**self.concurrency_limits)
        if isinstance(self.cwd, PurePath):
            self.cwd = self.cwd.as_posix()
        elif self.cwd is not None and not isinstance(self.cwd, str):
            raise TypeError(f"sandbox.cwd must be a path, not {type(self.cwd).__name__}.")
