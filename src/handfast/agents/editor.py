"""An editor of files as the SDK describes it, so that code which has one can be read.

handfast does not let a model edit files by patches; see `handfast.agents.hosted_tool`.
"""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

ApplyPatchOperationType: TypeAlias = Literal["create_file", "update_file", "delete_file"]


@dataclass
class ApplyPatchOperation:
    """One change to one file."""

    type: ApplyPatchOperationType
    path: str
    diff: str | None = None
    """The change as a V4A diff; None for a deletion."""
    ctx_wrapper: Any = None
    """The run's context."""
    move_to: str | None = None
    """Where the file goes, when it is renamed."""


@dataclass
class ApplyPatchResult:
    """What became of it."""

    status: Literal["completed", "failed"] | None = None
    output: str | None = None


_Said: TypeAlias = ApplyPatchResult | str | None


@runtime_checkable
class ApplyPatchEditor(Protocol):
    """Carries out changes; sync or async."""

    def create_file(self, operation: ApplyPatchOperation) -> _Said | Awaitable[_Said]:
        """Make a file."""
        ...

    def update_file(self, operation: ApplyPatchOperation) -> _Said | Awaitable[_Said]:
        """Change a file."""
        ...

    def delete_file(self, operation: ApplyPatchOperation) -> _Said | Awaitable[_Said]:
        """Remove a file."""
        ...
