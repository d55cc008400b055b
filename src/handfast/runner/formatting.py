"""What user code is given that words the answers of failed and refused calls."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, Generic, Literal, TypeAlias

from handfast.agents.context import RunContextWrapper, TContext
from handfast.errors import UserError

ToolErrorKind: TypeAlias = Literal["approval_rejected", "tool_not_found", "tool_exception"]
"""A person said no; there is no such tool; the tool failed."""


@dataclass(frozen=True)
class ToolErrorFormatterArgs(Generic[TContext]):
    """What a `RunConfig.tool_error_formatter` is given."""

    kind: ToolErrorKind
    tool_type: Literal["function", "computer", "shell", "apply_patch", "custom", "handoff"]
    tool_name: str
    call_id: str
    default_message: str
    """What the model is told unless the formatter says something else."""
    run_context: RunContextWrapper[TContext]
    error: Exception | None = None
    """What the tool raised."""


ToolErrorFormatter: TypeAlias = Callable[
    [ToolErrorFormatterArgs[Any]],
    str | Awaitable[str | None] | None,
]
"""Words what the model is told; None keeps the default. Sync or async."""


class OutputGuardrailBlockedMessageArgs(Generic[TContext]):
    """What the SDK hands to the function that words a rejected output, which is not offered here.

    Nothing stands in for an output that a guardrail rejected: see
    `RunConfig.output_guardrail_blocked_message`.

    Raises:
        UserError: Always.
    """

    def __init__(self, *_given: object, **_more: object) -> None:
        raise UserError(NO_STAND_IN)


NO_STAND_IN: Final = (
    "output_guardrail_blocked_message: nothing stands in for an output that a guardrail rejected, "
    "and a session is not given it. Add what you want to say to the session yourself."
)
"""Why a rejected output has no words of its own."""
