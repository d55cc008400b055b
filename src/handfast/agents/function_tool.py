"""`function_tool`: makes a tool out of a Python function."""

from __future__ import annotations

import inspect
import logging
import re
from collections.abc import Awaitable, Callable, Mapping
from functools import lru_cache, partial
from typing import Final, TypedDict, Unpack, cast, get_overloads, overload

from handfast.agents.callable_object import call_of, is_callable_object
from handfast.agents.context import ToolContext
from handfast.agents.docstring import DocstringStyle
from handfast.agents.names import MAX_NAME_LENGTH, hashed_name
from handfast.agents.plain_arguments import reach_unchanged
from handfast.agents.schema import CompiledFunction, StrictMode, compile_function
from handfast.agents.tool import (
    DEFAULT_MAX_OUTPUT_CHARS,
    CustomDataExtractor,
    FunctionTool,
    ToolEnabled,
    ToolErrorFunction,
    ToolNeedsApproval,
    ToolTimeoutBehavior,
    ToolTimeoutErrorFunction,
    run_tool_error_function,
)
from handfast.agents.tool_guardrail import ToolInputGuardrail, ToolOutputGuardrail
from handfast.agents.tool_invocation import answer_failure
from handfast.agents.tool_threads import run_in_thread as call_in_thread
from handfast.agents.validation import adapter_of, schema_of
from handfast.errors import UserError

logger = logging.getLogger("handfast")

_NAME: Final = re.compile(rf"[a-zA-Z0-9_-]{{1,{MAX_NAME_LENGTH}}}")
_NOT_IN_A_NAME: Final = re.compile(r"[^a-zA-Z0-9_-]")


class _ToolFields(TypedDict, total=False):
    """Settings that are fields of the tool, under the same name."""

    is_enabled: ToolEnabled
    needs_approval: ToolNeedsApproval
    tool_input_guardrails: list[ToolInputGuardrail] | None
    tool_output_guardrails: list[ToolOutputGuardrail] | None
    timeout_behavior: ToolTimeoutBehavior
    timeout_error_function: ToolTimeoutErrorFunction | None
    max_output_chars: int
    idempotent: bool
    defer_loading: bool
    custom_data_extractor: CustomDataExtractor | None
    allowed_callers: list[str] | None


class FunctionToolSettings(_ToolFields, total=False):
    """The settings of `function_tool`."""

    name_override: str | None
    description_override: str | None
    docstring_style: DocstringStyle | None
    use_docstring_info: bool
    failure_error_function: ToolErrorFunction | None
    strict_mode: StrictMode
    timeout: float | None
    run_in_thread: bool | None
    output_type: object
    output_json_schema: dict[str, object] | None


@overload
def function_tool(
    func: Callable[..., object],
    /,
    *,
    name_override: str | None = None,
    description_override: str | None = None,
    docstring_style: DocstringStyle | None = None,
    use_docstring_info: bool = True,
    failure_error_function: ToolErrorFunction | None = run_tool_error_function,
    strict_mode: StrictMode = "auto",
    is_enabled: ToolEnabled = True,
    needs_approval: ToolNeedsApproval = False,
    tool_input_guardrails: list[ToolInputGuardrail] | None = None,
    tool_output_guardrails: list[ToolOutputGuardrail] | None = None,
    timeout: float | None = None,
    timeout_behavior: ToolTimeoutBehavior = "error_as_result",
    timeout_error_function: ToolTimeoutErrorFunction | None = None,
    max_output_chars: int = DEFAULT_MAX_OUTPUT_CHARS,
    idempotent: bool = False,
    run_in_thread: bool | None = None,
    defer_loading: bool = False,
    custom_data_extractor: CustomDataExtractor | None = None,
    allowed_callers: list[str] | None = None,
    output_type: object = None,
    output_json_schema: dict[str, object] | None = None,
) -> FunctionTool: ...


@overload
def function_tool(
    **settings: Unpack[FunctionToolSettings],
) -> Callable[[Callable[..., object]], FunctionTool]: ...


def function_tool(
    func: Callable[..., object] | None = None,
    /,
    **settings: Unpack[FunctionToolSettings],
) -> FunctionTool | Callable[[Callable[..., object]], FunctionTool]:
    """Make a tool out of a function; a decorator with or without parentheses.

    The schema comes from the signature, the descriptions from the docstring. A first parameter
    annotated `RunContextWrapper` or `ToolContext` is given the context and left out of the schema.

    Args:
        func: A function, method or callable object, sync or async.
        name_override: The tool's name; the function's by default. Characters that providers
            refuse are replaced. An object is called like its class.
        description_override: The tool's description; the docstring's by default.
        docstring_style: The docstring's style; found out by default.
        use_docstring_info: False takes nothing from the docstring.
        failure_error_function: Makes the answer for the model out of an exception; by default
            wrong arguments are explained and anything else gets a fixed text. None ends the run.
        strict_mode: Whether the provider shall hold the model to the schema. `auto` does so for
            every function whose types allow it; True refuses other functions.
        is_enabled: False, or a function of context and agent that returns it, hides the tool.
        needs_approval: True, or a function of context, arguments and call id that returns it, lets
            no call run before a person has approved it.
        tool_input_guardrails: Checks of the arguments, before the call.
        tool_output_guardrails: Checks of the output, before the model sees it.
        timeout: Seconds that one call may take. A sync function goes on in its thread after that,
            and what it returns is dropped.
        timeout_behavior: Whether a timeout is an answer for the model or ends the run.
        timeout_error_function: Makes the answer after a timeout.
        max_output_chars: How many characters of the output the model sees at most.
        idempotent: True when a call that may have run already can be run again without harm.
        run_in_thread: False runs a sync function in the event loop itself: right for one that
            returns within microseconds, and the loop stands still for any other.
        defer_loading: True sends the schema only once the model looked for it (`ToolSearchTool`).
        custom_data_extractor: Makes data for the program, kept with the output's item and never
            shown to a model.
        allowed_callers: Who may call it: `direct`, `programmatic`.
        output_type: The type of the output, for programs that the provider runs.
        output_json_schema: Its schema, in place of a type.

    Raises:
        UserError: The signature has no schema; the message names the parameter. Or a partial,
            wrapper or generic object needs a wrapper function, or an object's class has a name
            that providers refuse.
        TypeError: The timeout is no number.
        ValueError: The timeout is not positive, or the function runs where none can be kept.
    """
    return partial(_make, **settings) if func is None else _make(func, **settings)


# Tells `help` and editors the settings one by one.
function_tool.__dict__["__signature__"] = inspect.signature(get_overloads(function_tool)[0])

tool = function_tool
"""`function_tool` under its shorter name; see `handfast.decorators`."""


def _make(  # noqa: PLR0913 - what cannot be handed through to the tool
    func: Callable[..., object],
    /,
    *,
    name_override: str | None = None,
    description_override: str | None = None,
    docstring_style: DocstringStyle | None = None,
    use_docstring_info: bool = True,
    failure_error_function: ToolErrorFunction | None = run_tool_error_function,
    strict_mode: StrictMode = "auto",
    timeout: float | None = None,
    run_in_thread: bool | None = None,
    output_type: object = None,
    output_json_schema: dict[str, object] | None = None,
    **fields: Unpack[_ToolFields],
) -> FunctionTool:
    call = call_of(func)
    compiled = compile_function(
        func,
        docstring_style=docstring_style,
        use_docstring_info=use_docstring_info,
        strict_mode=strict_mode,
    )
    name = _public_name(name_override) if name_override else _own_name(func, compiled.name)
    threaded = _is_threaded(compiled, run_in_thread, timeout)
    return FunctionTool(
        name,
        compiled.description if description_override is None else description_override,
        compiled.schema_for(name),
        FunctionHandler(func, call, compiled, threaded=threaded),
        compiled.strict,
        timeout_seconds=timeout,
        failure_error_function=failure_error_function,
        answers_failures=True,
        schema_is_strict=True,
        output_json_schema=_output_schema(output_type, output_json_schema),
        **fields,
    )


def _output_schema(
    output_type: object,
    given: dict[str, object] | None,
) -> dict[str, object] | None:
    if output_type is None:
        return given
    if given is not None:
        raise UserError("Give either output_type or output_json_schema, not both.")
    return schema_of("output_type", adapter_of("output_type", output_type))


def _own_name(function: Callable[..., object], name: str) -> str:
    if is_callable_object(function) and not _NAME.fullmatch(name):
        raise UserError(
            f"Cannot derive a tool name from the callable class {name!r}: a name has 1 to "
            f"{MAX_NAME_LENGTH} ASCII letters, digits, _ or -. Pass name_override.",
        )
    if name == "<lambda>":
        logger.warning("A lambda has no name of its own; pass name_override to give its tool one.")
    return _public_name(name)


@lru_cache(maxsize=1024)
def _public_name(name: str) -> str:
    """The name as providers take it: `^[a-zA-Z0-9_-]{1,64}$`."""
    if _NAME.fullmatch(name):
        return name
    if name and name.isascii() and len(name) <= MAX_NAME_LENGTH:
        return _NOT_IN_A_NAME.sub("_", name)
    return hashed_name("tool_", name)


def _is_threaded(
    compiled: CompiledFunction,
    run_in_thread: bool | None,  # noqa: FBT001 - the user's own words
    timeout: float | None,
) -> bool:
    if compiled.is_async:
        if run_in_thread:
            raise ValueError(
                f"{compiled.name} is async and runs in the event loop; run_in_thread is for sync "
                "functions.",
            )
        return False
    if run_in_thread is False:
        if timeout is not None:
            raise ValueError(
                f"{compiled.name} is sync and runs in the event loop, where no timeout can end it. "
                "Leave out run_in_thread=False, or make it async.",
            )
        return False
    return True


class FunctionHandler:
    """Calls a Python function with the arguments that a model wrote."""

    __slots__ = ("_call", "_compiled", "_threaded", "_tool", "function")

    def __init__(
        self,
        function: Callable[..., object],
        call: Callable[..., object],
        compiled: CompiledFunction,
        *,
        threaded: bool,
        tool: FunctionTool | None = None,
    ) -> None:
        self.function = function
        self._call = call
        self._compiled = compiled
        self._threaded = threaded
        self._tool = tool

    def bound_to(self, tool: FunctionTool) -> FunctionHandler:
        """The same handler for another tool."""
        return FunctionHandler(
            self.function,
            self._call,
            self._compiled,
            threaded=self._threaded,
            tool=tool,
        )

    def __deepcopy__(self, memo: dict[int, object]) -> FunctionHandler:
        """A handler of the same function, for the copy of its tool."""
        tool = self._tool
        copied = None if tool is None else memo.get(id(tool))
        return self if not isinstance(copied, FunctionTool) else self.bound_to(copied)

    def reads_as(self, arguments: Mapping[str, object]) -> bool:
        """True when the function is given exactly these values, all of them by their names."""
        shape = self._compiled.arguments.shape
        named = shape.free is None and shape.variadic is None
        return named and reach_unchanged(self._compiled.model, arguments)

    async def __call__(self, ctx: ToolContext, input: str) -> object:  # noqa: A002 - the SDK's name
        """Make one call; an exception becomes what the tool's failure function makes of it.

        What a sync function returned is handed on as it is, an awaitable too.
        """
        tool = self._tool
        name = self._compiled.name if tool is None else tool.name
        answer = None if tool is None else tool.failure_error_function
        return await answer_failure(self._answer(ctx, input, name), name, answer, ctx)

    async def _answer(self, ctx: ToolContext, text: str, name: str) -> object:
        args, kwargs = self._compiled.arguments.read(text, name)
        if self._compiled.takes_context:
            args.insert(0, ctx)
        if self._threaded:
            return await call_in_thread(self._call, *args, **kwargs)
        result = self._call(*args, **kwargs)
        return await cast("Awaitable[object]", result) if self._compiled.is_async else result
