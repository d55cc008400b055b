"""What user code is given that words the answers of failed, refused and withheld calls."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeAlias

from handfast.agents.context import RunContextWrapper, TContext

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


@dataclass(frozen=True)
class OutputGuardrailBlockedMessageArgs(Generic[TContext]):
    """What a `RunConfig.output_guardrail_blocked_message` is given."""

    default_message: str
    """What stands for the withheld output unless the function says something else."""
    guardrail_name: str
    agent: Any
    """The agent whose output was withheld."""
    run_context: RunContextWrapper[TContext]
    output_info: Any = None
    """What the guardrail reported."""


OutputGuardrailBlockedMessage: TypeAlias = (
    str
    | Callable[
        [OutputGuardrailBlockedMessageArgs[Any]],
        str | None,
    ]
)
"""What stands for an output that a guardrail withheld: a text, or a sync function that words it."""
