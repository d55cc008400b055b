"""`FunctionTool`: something that a model can call.

`function_tool` (in `handfast.agents.function_tool`) makes one out of a Python function. A tool can
also be written by hand, with a JSON schema and a handler that takes the JSON text.
"""

from __future__ import annotations

import copy
import inspect
import math
from asyncio import CancelledError
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MethodType
from typing import (
    Any,
    ClassVar,
    Final,
    Literal,
    Protocol,
    Self,
    TypeAlias,
    runtime_checkable,
)

from handfast.agents.agent_tool import AgentToolSpec
from handfast.agents.context import RunContextWrapper, ToolContext
from handfast.agents.hosted_tool import HostedTool
from handfast.agents.plain_arguments import parse_object
from handfast.agents.strict_schema import ensure_strict_json_schema
from handfast.agents.tool_guardrail import ToolInputGuardrail, ToolOutputGuardrail
from handfast.agents.tool_origin import ToolOrigin, ToolOriginType
from handfast.errors import ModelBehaviorError, ToolTimeoutError, UserError

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


@dataclass(frozen=True, slots=True)
class ToolCustomDataContext:
    """What a `custom_data_extractor` is given."""

    run_context: RunContextWrapper
    """The run's context."""
    tool: Any
    """The tool."""
    tool_call: Any
    """The call, as the SDK shows it."""
    raw_item: Any
    """A copy of the output as the model sees it."""
    output: Any
    """What the tool returned."""
    tool_context: Any = None
    """The context of the call."""


CustomDataExtractor: TypeAlias = Callable[[ToolCustomDataContext], Any]
"""Makes a JSON object of data for the program; sync or async. None keeps nothing."""


@runtime_checkable
class ToolHandler(Protocol):
    """A handler that works for one tool: it goes by the tool's name and settings."""

    def bound_to(self, tool: FunctionTool) -> Callable[[ToolContext, str], Awaitable[object]]:
        """The same handler for another tool."""
        ...


@runtime_checkable
class CallsFunction(Protocol):
    """A handler that calls a function."""

    function: Callable[..., object]
    """What the user wrote."""


class WrappedFunction:
    """`__wrapped__` of a tool that `function_tool` made: the user's function.

    An attribute of instances only, so that `inspect.unwrap` leaves the class alone.
    """

    def __get__(self, tool: FunctionTool | None, owner: type) -> Callable[..., object]:
        handler: object = None if tool is None else tool.on_invoke_tool
        if not isinstance(handler, CallsFunction):
            raise AttributeError(  # noqa: TRY004 - what `hasattr` asks for
                "Only a tool that was made of a function has it as __wrapped__.",
            )
        return handler.function

    def __set__(self, tool: FunctionTool, value: object) -> None:
        raise AttributeError("The function of a tool cannot be replaced; make another tool of it.")


def default_tool_error_function(
    ctx: RunContextWrapper,  # noqa: ARG001 - the signature that users write
    error: Exception,
) -> str:
    """What a model is told when a tool fails, unless the tool says otherwise.

    Wrong arguments are explained, so that the model can call again. What went wrong inside the
    tool is not: an exception's text can hold secrets, paths or the words of an attacker.
    """
    if isinstance(error, ModelBehaviorError) and error.arguments_of is not None:
        return str(error)
    return "An error occurred while running the tool. Please try again."


@runtime_checkable
class WordsToolErrors(Protocol):
    """A run config that may word what a model is told of a tool that failed."""

    async def word_tool_error(self, ctx: ToolContext, error: Exception, default: str) -> str:
        """The words; `default` where it has none of its own."""
        ...


async def run_tool_error_function(ctx: ToolContext, error: Exception) -> str:
    """What a tool without a failure function of its own says: the run's words, or the fixed text.

    A tool that cancelled itself is told of in the fixed text alone.
    """
    default = default_tool_error_function(ctx, error)
    config = ctx.run_config
    if not isinstance(config, WordsToolErrors) or isinstance(error.__cause__, CancelledError):
        return default
    return await config.word_tool_error(ctx, error, default)


def keeps_failures_to_itself(tool: FunctionTool, error: BaseException) -> bool:
    """True where the model is given the fixed text, and not the error's own words."""
    if isinstance(error, ModelBehaviorError) and error.arguments_of is not None:
        return False
    answer = tool.failure_error_function
    return answer is default_tool_error_function or answer is run_tool_error_function


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
        default=run_tool_error_function,
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
    defer_loading: bool = field(default=False, kw_only=True)
    """True sends the schema only once the model looked for it (`ToolSearchTool`)."""
    namespace: str | None = field(default=None, kw_only=True)
    """The group of tools that it belongs to; see `tool_namespace`."""
    namespace_description: str | None = field(default=None, kw_only=True)
    """What the model is told about the group."""
    custom_data_extractor: CustomDataExtractor | None = field(default=None, kw_only=True)
    """Makes data for the program, kept with the output and never shown to a model."""
    allowed_callers: list[str] | None = field(default=None, kw_only=True)
    """Who may call it: `direct`, `programmatic`; None leaves it to the provider."""
    output_json_schema: dict[str, object] | None = field(default=None, kw_only=True)
    """The schema of its output, for programs that the provider runs."""
    origin: ToolOrigin | None = field(default=None, kw_only=True, repr=False)
    """What stands behind the tool."""
    schema_is_strict: bool = field(default=False, kw_only=True, repr=False)
    """True spares the check of a schema that `ensure_strict_json_schema` returned."""

    __wrapped__: ClassVar[WrappedFunction] = WrappedFunction()

    def __post_init__(self) -> None:
        if self.strict_json_schema and not self.schema_is_strict:
            self.params_json_schema = ensure_strict_json_schema(self.params_json_schema)
            self.schema_is_strict = True
        if self.output_json_schema is not None:
            self.output_json_schema = ensure_strict_json_schema(self.output_json_schema)
        self._take_handler(self)
        if self.timeout_seconds is not None:
            _check_timeout(self.timeout_seconds)
        if self.timeout_behavior not in {"error_as_result", "raise_exception"}:
            raise ValueError(
                "timeout_behavior must be one of 'error_as_result', 'raise_exception', "
                f"got {self.timeout_behavior!r}.",
            )
        if self.timeout_error_function is not None and not callable(self.timeout_error_function):
            raise TypeError("timeout_error_function must be callable or None.")
        if self.max_output_chars < 1:
            raise ValueError(f"max_output_chars must be at least 1, got {self.max_output_chars}.")

    @property
    def qualified_name(self) -> str:
        """The name with its namespace before a dot, where it has one."""
        return self.name if self.namespace is None else f"{self.namespace}.{self.name}"

    def __copy__(self) -> Self:
        """A copy whose handler works for the copy, with the copy's name and settings."""
        copied = object.__new__(type(self))
        copied.__dict__.update(self.__dict__)
        copied._take_handler(self)
        return copied

    def _take_handler(self, owner: FunctionTool) -> None:
        """Make the handler this tool's own, where it works for a tool."""
        handler: object = self.on_invoke_tool
        if isinstance(handler, ToolHandler):
            self.on_invoke_tool = handler.bound_to(self)
        elif isinstance(handler, MethodType) and handler.__self__ is owner is not self:
            self.on_invoke_tool = MethodType(handler.__func__, self)


Tool: TypeAlias = FunctionTool | HostedTool
"""Anything that an agent can offer a model."""


def origin_of(tool: FunctionTool) -> ToolOrigin:
    """What stands behind a tool: what it says itself, an agent, or a function."""
    if tool.origin is not None:
        return tool.origin
    if tool.agent_tool is None:
        return ToolOrigin(ToolOriginType.FUNCTION)
    return ToolOrigin(
        ToolOriginType.AGENT_AS_TOOL,
        agent_name=tool.agent_tool.agent.name,
        agent_tool_name=tool.name,
    )


def tool_namespace(
    *,
    name: str,
    description: str | None,
    tools: Sequence[FunctionTool],
) -> list[FunctionTool]:
    """Copies of tools that a model is shown as one group, for the Responses API.

    Args:
        name: The group's name.
        description: What the model is told about the group.
        tools: Its tools; they stay as they are.

    Raises:
        UserError: There is no name or description, or a tool has the group's name, which the
            provider keeps for tools outside any group.
    """
    if not name or name.isspace():
        raise UserError("tool_namespace needs a non-empty name.")
    if not description or description.isspace():
        raise UserError("tool_namespace needs a non-empty description.")
    for tool in tools:
        if tool.name == name:
            raise UserError(
                f"The synthetic namespace `{name}.{name}` is the provider's; give the tool or the "
                "namespace another name.",
            )
    copies = [copy.copy(tool) for tool in tools]
    for tool in copies:
        tool.namespace, tool.namespace_description = name, description
    return copies


def _check_timeout(seconds: object) -> None:
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        raise TypeError(
            f"A timeout must be a positive number of seconds, got {type(seconds).__name__}.",
        )
    if not math.isfinite(seconds):
        raise ValueError(f"A timeout must be a finite number of seconds, got {seconds}.")
    if seconds <= 0:
        raise ValueError(f"A timeout must be greater than 0 seconds, got {seconds}.")


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


@runtime_checkable
class ReadsArguments(Protocol):
    """A handler that knows what it makes of arguments."""

    def reads_as(self, arguments: Mapping[str, object]) -> bool:
        """True when it hands on exactly these values."""
        ...


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
        arguments: JSON text as the model wrote it. Where there is a function to ask, and the text
            is no JSON object or not what the tool would be given, the call needs approval.
        call_id: The call.

    Raises:
        UserError: `needs_approval` is neither a bool nor a function.
    """
    asked = tool.needs_approval
    if isinstance(asked, bool):
        return asked
    if not callable(asked):
        raise UserError(
            f"needs_approval of tool {tool.name} must be a bool or a function, "
            f"not {type(asked).__name__}.",
        )
    given = parse_object(arguments)
    handler: object = tool.on_invoke_tool
    if given is None or (isinstance(handler, ReadsArguments) and not handler.reads_as(given)):
        return True
    needed = asked(ctx, given, call_id)
    if inspect.isawaitable(needed):
        needed = await needed
    return bool(needed)
