"""`FunctionTool`: something that a model can call, and how one call of it is made.

`function_tool` (in `handfast.agents.function_tool`) makes one out of a Python function. A tool can
also be written by hand, with a JSON schema and a handler that takes the JSON text.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import logging
import math
from collections.abc import Awaitable, Callable
from dataclasses import InitVar, dataclass, field
from typing import Any, Final, Literal, TypeAlias

from handfast.agents.agent_tool import AgentToolSpec
from handfast.agents.context import RunContextWrapper, ToolContext
from handfast.agents.hosted_tool import HostedTool
from handfast.agents.json_types import is_object
from handfast.agents.strict_schema import ensure_strict_json_schema
from handfast.agents.tool_guardrail import ToolInputGuardrail, ToolOutputGuardrail
from handfast.errors import HandfastError, ToolArgumentsError, ToolTimeoutError, UserError

logger = logging.getLogger("handfast")

DEFAULT_MAX_OUTPUT_CHARS: Final = 100_000
"""How many characters of a tool's output a model sees at most, unless the tool says otherwise."""

ToolErrorFunction: TypeAlias = Callable[[ToolContext, Exception], str | Awaitable[str]]
"""Makes the answer for the model out of an exception; sync or async."""

ToolTimeoutErrorFunction: TypeAlias = Callable[
    [ToolContext, ToolTimeoutError],
    str | Awaitable[str],
]
"""Makes the answer for the model after a timeout; sync or async."""

# Any, where a user's function names its own types: the agent, the fields of the arguments.

ToolEnabled: TypeAlias = bool | Callable[[RunContextWrapper, Any], bool | Awaitable[bool]]
"""A bool, or a function of the context and the agent; sync or async."""

ToolNeedsApproval: TypeAlias = (
    bool | Callable[[RunContextWrapper, dict[str, Any], str], bool | Awaitable[bool]]
)
"""A bool, or a function of the context, the arguments and the call id; sync or async."""

ToolTimeoutBehavior: TypeAlias = Literal["error_as_result", "raise_exception"]
"""After a timeout, go on with an answer for the model, or end the run."""


def default_tool_error_function(
    ctx: RunContextWrapper,  # noqa: ARG001 - the signature that users write
    error: Exception,
) -> str:
    """What a model is told when a tool fails, unless the tool says otherwise.

    Wrong arguments are explained, so that the model can call again. What went wrong inside the
    tool is not: an exception's text can hold secrets, paths or the words of an attacker.
    """
    if isinstance(error, ToolArgumentsError):
        return str(error)
    return "An error occurred while running the tool. Please try again."


@dataclass(eq=False)
class FunctionTool:
    """A tool with a name, a schema for its arguments, and a handler."""

    name: str
    """What the model calls; unique among the tools of an agent."""
    description: str
    """What the model is told about it."""
    params_json_schema: dict[str, object]
    """The schema of the arguments; shared by the tools of one function, never changed in place."""
    on_invoke_tool: Callable[[ToolContext, str], Awaitable[object]]
    """Called with the `ToolContext` and the JSON text; returns the output."""
    strict_json_schema: bool = True
    """True asks the provider to hold the model to the schema."""
    is_enabled: ToolEnabled = True
    """False hides the tool from the model; a function is asked each turn."""
    tool_input_guardrails: list[ToolInputGuardrail] | None = None
    """Checks of the arguments, before the call."""
    tool_output_guardrails: list[ToolOutputGuardrail] | None = None
    """Checks of the output, before the model sees it."""
    needs_approval: ToolNeedsApproval = False
    """True lets no call run before a person has approved it."""
    timeout_seconds: float | None = None
    """How long one call may take, in seconds; None leaves it to the run's deadline."""
    timeout_behavior: ToolTimeoutBehavior = "error_as_result"
    """What a timeout does."""
    timeout_error_function: ToolTimeoutErrorFunction | None = None
    """Makes the answer after a timeout; None uses a fixed text."""
    failure_error_function: ToolErrorFunction | None = field(
        default=default_tool_error_function,
        kw_only=True,
    )
    """Makes the answer when the handler raises; None ends the run with the exception."""
    answers_failures: bool = field(default=False, kw_only=True, repr=False)
    """True when the handler itself asks `failure_error_function`, as a `function_tool`'s does."""
    max_output_chars: int = field(default=DEFAULT_MAX_OUTPUT_CHARS, kw_only=True)
    """How many characters of the output the model sees at most."""
    idempotent: bool = field(default=False, kw_only=True)
    """True when a call that may have run already can be run again without harm."""
    agent_tool: AgentToolSpec | None = field(default=None, kw_only=True, repr=False)
    """How to run the agent that the tool is; None for any other tool."""
    schema_is_strict: InitVar[bool] = False
    """True spares the check of a schema that `ensure_strict_json_schema` returned."""

    def __post_init__(self, schema_is_strict: bool) -> None:
        if self.strict_json_schema and not schema_is_strict:
            self.params_json_schema = ensure_strict_json_schema(self.params_json_schema)
        if self.timeout_seconds is not None:
            _check_timeout(self.timeout_seconds)
        if self.timeout_behavior not in {"error_as_result", "raise_exception"}:
            raise ValueError(
                "timeout_behavior must be 'error_as_result' or 'raise_exception', "
                f"got {self.timeout_behavior!r}.",
            )
        if self.max_output_chars < 1:
            raise ValueError(f"max_output_chars must be at least 1, got {self.max_output_chars}.")


Tool: TypeAlias = FunctionTool | HostedTool
"""Anything that an agent can offer a model."""


def _check_timeout(seconds: object) -> None:
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        raise TypeError(f"A timeout is a number of seconds, got {type(seconds).__name__}.")
    if not math.isfinite(seconds) or seconds <= 0:
        raise ValueError(f"A timeout must be more than 0 seconds and finite, got {seconds}.")


async def invoke(tool: FunctionTool, ctx: ToolContext, arguments: str) -> object:
    """Make one call: handler, timeout, and the answer where it fails.

    Guardrails, approval and the boundary are the caller's business and come before.

    Args:
        tool: The tool.
        ctx: The context of the call.
        arguments: JSON text as the model wrote it.

    Returns:
        What the handler returned, or the text that tells the model of a failure or timeout.

    Raises:
        ToolTimeoutError: It took too long and `timeout_behavior` is `raise_exception`.
        HandfastError: It failed and `failure_error_function` is None.
    """
    if tool.timeout_seconds is None:
        return await _answered(tool, ctx, arguments)
    deadline = asyncio.timeout(tool.timeout_seconds)
    try:
        async with deadline:
            return await _answered(tool, ctx, arguments)
    except TimeoutError:
        if not deadline.expired():
            raise
    return await _timed_out(tool, ctx, tool.timeout_seconds)


async def _answered(tool: FunctionTool, ctx: ToolContext, arguments: str) -> object:
    if tool.answers_failures:
        return await tool.on_invoke_tool(ctx, arguments)
    return await answer_failure(
        tool.on_invoke_tool(ctx, arguments),
        tool.name,
        tool.failure_error_function,
        ctx,
    )


async def _timed_out(tool: FunctionTool, ctx: ToolContext, seconds: float) -> object:
    error = ToolTimeoutError(tool.name, seconds)
    if tool.timeout_behavior == "raise_exception":
        raise error
    if tool.timeout_error_function is None:
        return str(error)
    text = tool.timeout_error_function(ctx, error)
    return await text if inspect.isawaitable(text) else text


async def answer_failure(
    call: Awaitable[object],
    name: str,
    answer: ToolErrorFunction | None,
    ctx: ToolContext,
) -> object:
    """Await a call; an exception becomes what `answer` makes of it.

    Args:
        call: The call.
        name: The tool's name.
        answer: Makes the answer for the model; None lets the exception out.
        ctx: The context of the call.

    Returns:
        The call's value, or the answer.

    Raises:
        HandfastError: There is no `answer`; a foreign exception is the cause of a `UserError`.
    """
    try:
        return await call
    except asyncio.CancelledError as error:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        # Nobody cancelled this task: the tool did it to itself, which is a failure like any other.
        failure: Exception = RuntimeError(f"The tool cancelled itself: {error}")
        failure.__cause__ = error
    except SystemExit as error:
        # A tool that calls sys.exit, as a wrapped command line does, must not end the process.
        failure = RuntimeError(f"The tool tried to exit the process: {error}")
        failure.__cause__ = error
    except Exception as error:  # noqa: BLE001 - the edge to foreign code: any failure is an answer
        failure = error
    if answer is not None:
        _tell_developer(name, failure)
        ctx.failure = failure
        text = answer(ctx, failure)
        return await text if inspect.isawaitable(text) else text
    if isinstance(failure, HandfastError):
        raise failure
    raise UserError(f"Error running tool {name}: {failure}") from failure


def _tell_developer(name: str, failure: Exception) -> None:
    """Log what the model is not told."""
    if isinstance(failure, ToolArgumentsError):
        logger.info("%s", failure)
    else:
        logger.warning("Tool %s failed", name, exc_info=failure)


async def is_enabled(tool: Tool, ctx: RunContextWrapper, agent: object) -> bool:
    """True when the model may see the tool this turn.

    Args:
        tool: The tool.
        ctx: The run's context.
        agent: The agent whose turn it is.
    """
    if isinstance(tool.is_enabled, bool):
        return tool.is_enabled
    enabled = tool.is_enabled(ctx, agent)
    if inspect.isawaitable(enabled):
        enabled = await enabled
    return bool(enabled)


async def needs_approval(
    tool: FunctionTool,
    ctx: RunContextWrapper,
    arguments: str,
    call_id: str,
) -> bool:
    """True when a person has to approve a call before it runs.

    Args:
        tool: The tool.
        ctx: The run's context.
        arguments: JSON text as the model wrote it; where it is no JSON object and there is a
            function to ask, the call needs approval.
        call_id: The call.
    """
    if isinstance(tool.needs_approval, bool):
        return tool.needs_approval
    try:
        parsed: object = json.loads(arguments) if arguments.strip() else {}
    except (ValueError, RecursionError):
        return True
    if not is_object(parsed):
        return True
    needed = tool.needs_approval(ctx, dict(parsed), call_id)
    if inspect.isawaitable(needed):
        needed = await needed
    return bool(needed)
