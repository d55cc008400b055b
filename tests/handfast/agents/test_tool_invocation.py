from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import pytest

from handfast.agents.context import RunContextWrapper, ToolContext
from handfast.agents.function_tool import function_tool
from handfast.agents.strict_schema import JsonSchema
from handfast.agents.tool import FunctionTool, default_tool_error_function
from handfast.agents.tool_invocation import answer_failure, invoke, invoke_function_tool
from handfast.errors import ModelBehaviorError, ToolTimeoutError, UserError

SCHEMA: JsonSchema = {"type": "object", "properties": {"a": {"type": "string"}}}
FIXED_TEXT = "An error occurred while running the tool. Please try again."


def context(arguments: str = "{}") -> ToolContext[None]:
    return ToolContext(None, tool_name="t", tool_call_id="c1", tool_arguments=arguments)


async def echo(ctx: ToolContext[None], text: str) -> object:
    return f"{ctx.tool_call_id} {text}"


def raising(error: BaseException) -> Callable[..., Any]:
    async def handler(ctx: ToolContext[None], text: str) -> object:
        del ctx, text
        raise error

    return handler


def tool(handler: Callable[..., Any] = echo, **options: Any) -> FunctionTool:
    return FunctionTool("t", "does it", SCHEMA, handler, **options)


async def test_a_call_goes_to_the_handler() -> None:
    assert await invoke(tool(), context(), '{"a": "x"}') == 'c1 {"a": "x"}'
    assert await invoke(tool(timeout_seconds=10), context(), "{}") == "c1 {}"


async def test_a_failure_is_a_fixed_answer_that_tells_nothing_and_a_log_line_that_does(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.DEBUG, "handfast"):
        said = await invoke(tool(raising(ValueError("key sk-123"))), context(), "{}")
    assert said == FIXED_TEXT
    assert "Tool t failed" in caplog.text
    assert "ValueError: key sk-123" in caplog.text


async def test_wrong_arguments_are_explained(caplog: pytest.LogCaptureFixture) -> None:
    error = ModelBehaviorError("a: required", arguments_of="t")
    with caplog.at_level(logging.WARNING, "handfast"):
        assert await invoke(tool(raising(error)), context(), "{}") == "a: required"
    assert not caplog.records
    assert default_tool_error_function(context(), ModelBehaviorError("inside")) == FIXED_TEXT


async def test_the_users_function_makes_the_answer() -> None:
    def sync(ctx: RunContextWrapper, error: Exception) -> str:
        return f"{type(ctx).__name__} {error}"

    async def later(ctx: RunContextWrapper, error: Exception) -> str:
        return f"later {sync(ctx, error)}"

    failing = raising(ValueError("boom"))
    made = tool(failing, failure_error_function=sync)
    assert await invoke(made, context(), "{}") == "ToolContext boom"
    made = tool(failing, failure_error_function=later)
    assert await invoke(made, context(), "{}") == "later ToolContext boom"


async def test_without_a_function_the_failure_ends_the_run() -> None:
    boom = ValueError("boom")
    with pytest.raises(UserError, match="Error running tool t: boom") as raised:
        await invoke(tool(raising(boom), failure_error_function=None), context(), "{}")
    assert raised.value.__cause__ is boom
    ours = ModelBehaviorError("theirs")
    with pytest.raises(ModelBehaviorError) as known:
        await invoke(tool(raising(ours), failure_error_function=None), context(), "{}")
    assert known.value is ours


async def test_a_handler_that_answers_its_own_failures_is_not_asked_twice() -> None:
    made = tool(raising(ValueError("in the function that answers")), answers_failures=True)
    with pytest.raises(ValueError, match="in the function that answers"):
        await invoke(made, context(), "{}")


async def test_a_tool_that_exits_or_cancels_itself_has_failed() -> None:
    for error in (SystemExit(2), asyncio.CancelledError("by itself")):
        assert await invoke(tool(raising(error)), context(), "{}") == FIXED_TEXT


async def test_a_cancelled_call_is_cancelled() -> None:
    async def forever(ctx: ToolContext[None], text: str) -> object:
        del ctx, text
        return await asyncio.Event().wait()

    call = asyncio.ensure_future(invoke(tool(forever), context(), "{}"))
    await asyncio.sleep(0)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call


async def never_returns(ctx: ToolContext[None], text: str) -> object:
    del ctx, text
    return await asyncio.Event().wait()


async def test_a_timeout_is_an_answer() -> None:
    made = tool(never_returns, timeout_seconds=0.01)
    assert await invoke(made, context(), "{}") == "Tool 't' timed out after 0.01 seconds."


async def test_a_timeout_can_have_an_answer_of_its_own() -> None:
    async def sorry(ctx: ToolContext[None], error: ToolTimeoutError) -> str:
        return f"{ctx.tool_call_id}: {error.tool_name} took over {error.timeout_seconds}"

    made = tool(never_returns, timeout_seconds=0.01, timeout_error_function=sorry)
    assert await invoke(made, context(), "{}") == "c1: t took over 0.01"


async def test_a_timeout_can_end_the_run() -> None:
    made = tool(never_returns, timeout_seconds=0.01, timeout_behavior="raise_exception")
    with pytest.raises(ToolTimeoutError, match=r"Tool 't' timed out after 0\.01 seconds\."):
        await invoke(made, context(), "{}")


async def test_a_timeout_inside_the_tool_is_a_failure_like_any_other() -> None:
    made = tool(raising(TimeoutError("of a socket")), timeout_seconds=10)
    assert await invoke(made, context(), "{}") == FIXED_TEXT
    made = tool(raising(TimeoutError("odd")), timeout_seconds=10, answers_failures=True)
    with pytest.raises(TimeoutError, match="odd"):
        await invoke(made, context(), "{}")


async def test_a_failure_is_answered_for_any_awaitable() -> None:
    async def value() -> int:
        return 1

    assert await answer_failure(value(), "t", None, context()) == 1


async def test_a_failure_that_was_answered_is_kept_with_the_call() -> None:
    error = ValueError("odd")

    async def fails() -> None:
        raise error

    call = context()
    assert call.failure is None
    await answer_failure(fails(), "t", default_tool_error_function, call)
    assert call.failure is error


async def test_what_a_sync_function_gave_to_await_is_awaited_in_a_run() -> None:
    async def fail() -> None:
        raise ValueError("later")

    def handler() -> Any:
        return fail()

    made = function_tool(handler, failure_error_function=lambda _, error: f"no: {error}")
    assert await invoke(made, context(), "{}") == "no: later"
    made = function_tool(handler, failure_error_function=None)
    with pytest.raises(UserError, match="later"):
        await invoke(made, context(), "{}")


async def test_a_handler_called_by_hand_raises_as_it_is() -> None:
    made = tool(raising(TimeoutError("inside")), timeout_seconds=5)
    with pytest.raises(TimeoutError, match="inside"):
        await invoke_function_tool(function_tool=made, context=context(), arguments="{}")
    assert await invoke(made, context(), "{}") == FIXED_TEXT
