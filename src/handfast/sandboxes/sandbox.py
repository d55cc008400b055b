"""What runs an authorised command, and how to choose it."""

from __future__ import annotations

import warnings
from typing import Literal, Protocol, TypeAlias

from handfast.boundary.commands import Command
from handfast.errors import ToolError
from handfast.sandboxes.bubblewrap import BubblewrapSandbox, bubblewrap_problem
from handfast.sandboxes.process import ProcessLimits, ProcessResult, find_program, run_process

SandboxMode: TypeAlias = Literal["required", "preferred", "off"]
"""Whether isolation is a condition, a wish, or not wanted."""


class Sandbox(Protocol):
    """Runs commands."""

    @property
    def isolated(self) -> bool:
        """Whether commands see a file system and processes of their own."""
        ...

    async def run(self, command: Command) -> ProcessResult:
        """Runs a command to its end, or to its deadline.

        Raises:
            ToolError: The program is not installed or cannot be started.
        """
        ...


class SandboxWarning(UserWarning):
    """Commands run without isolation although it was wished for."""


class PlainSandbox:
    """Runs commands as processes of this user: deadline, caps and clean environment alone.

    Args:
        limits: How much a command may say.
    """

    isolated = False

    def __init__(self, limits: ProcessLimits | None = None) -> None:
        self._limits = limits

    async def run(self, command: Command) -> ProcessResult:
        """Runs a command; see `Sandbox`."""
        return await run_process(
            (find_program(command.program), *command.args),
            seconds=command.seconds,
            limits=self._limits,
        )


async def choose_sandbox(
    mode: SandboxMode = "preferred", *, limits: ProcessLimits | None = None
) -> Sandbox:
    """Gives the best sandbox that this machine has.

    Args:
        mode: `required` fails where there is no isolation, `preferred` warns, `off` does without.
        limits: How much a command may say.

    Raises:
        ToolError: Isolation is required and does not work here; the message says why.
    """
    if mode == "off":
        return PlainSandbox(limits)
    problem = await bubblewrap_problem()
    if problem is None:
        return BubblewrapSandbox(limits)
    if mode == "required":
        raise ToolError(f"no sandbox: {problem}; install bubblewrap or allow user namespaces")
    warnings.warn(
        f"commands run without a sandbox: {problem}. They keep their deadline, caps and clean "
        "environment, but see this user's files.",
        SandboxWarning,
        stacklevel=2,
    )
    return PlainSandbox(limits)
