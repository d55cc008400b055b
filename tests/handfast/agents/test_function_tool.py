from __future__ import annotations

import asyncio
import contextvars
import functools
import gc
import inspect
import json
import logging
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from handfast.agents.context import RunContextWrapper, ToolContext
from handfast.agents.function_tool import function_tool
from handfast.agents.tool import FunctionTool, run_tool_error_function
from handfast.agents.tool_guardrail import (
    ToolGuardrailFunctionOutput,
    ToolInputGuardrailData,
    tool_input_guardrail,
)
from handfast.agents.tool_invocation import invoke, invoke_function_tool
from handfast.errors import ModelBehaviorError, ToolTimeoutError, UserError

FIXED_TEXT = "An error occurred while running the tool. Please try again."

who = contextvars.ContextVar("who", default="nobody")


def context(value: Any = None) -> ToolContext[Any]:
    return ToolContext(value, tool_name="t", tool_call_id="c1", tool_arguments="{}")


async def call(tool: FunctionTool, value: Any = None, /, **arguments: Any) -> object:
    return await tool.on_invoke_tool(context(value), json.dumps(arguments))


@function_tool
def add(a: int, b: int = 2) -> int:
    """Add two numbers.

    Args:
        a: one
        b: another
    """
    return a + b


@function_tool(name_override="plus", description_override="Adds.", strict_mode=True)
async def add_later(a: int, b: int = 2) -> int:
    """Add two numbers later."""
    return a + b


async def test_a_decorated_function_is_a_tool() -> None:
    assert add.name == "add"
    assert add.description == "Add two numbers."
    assert add.strict_json_schema
    assert add.params_json_schema["required"] == ["a", "b"]
    assert add.params_json_schema["title"] == "add_args"
    assert await call(add, a=1) == 3


async def test_a_decorator_with_parentheses_takes_settings() -> None:
    assert add_later.name == "plus"
    assert add_later.description == "Adds."
    assert add_later.params_json_schema["title"] == "plus_args"
    assert await call(add_later, a=1, b=1) == 2


async def test_a_function_can_be_wrapped_in_a_call() -> None:
    def multiply(a: int, b: int) -> int:
        return a * b

    tool = function_tool(multiply, name_override="times")
    assert tool.name == "times"
    assert await call(tool, a=2, b=3) == 6
    assert multiply(2, 3) == 6


def test_every_setting_arrives() -> None:
    @tool_input_guardrail
    def allow(data: ToolInputGuardrailData) -> ToolGuardrailFunctionOutput:
        return ToolGuardrailFunctionOutput.allow(data)

    def enabled(ctx: RunContextWrapper, agent: object) -> bool:
        return ctx.context is agent

    def approval(ctx: RunContextWrapper, arguments: dict[str, Any], call_id: str) -> bool:
        return bool(ctx.context) and bool(arguments) and bool(call_id)

    def sorry(ctx: RunContextWrapper, error: Exception) -> str:
        return f"{ctx} {error}"

    tool = function_tool(
        add.on_invoke_tool,
        name_override="all",
        failure_error_function=sorry,
        is_enabled=enabled,
        needs_approval=approval,
        tool_input_guardrails=[allow],
        tool_output_guardrails=[],
        timeout=3,
        timeout_behavior="raise_exception",
        timeout_error_function=sorry,
        max_output_chars=5,
        idempotent=True,
    )
    assert tool.failure_error_function is sorry
    assert tool.is_enabled is enabled
    assert tool.needs_approval is approval
    assert tool.tool_input_guardrails == [allow]
    assert tool.tool_output_guardrails == []
    assert tool.timeout_seconds == 3
    assert tool.timeout_behavior == "raise_exception"
    assert tool.timeout_error_function is sorry
    assert tool.max_output_chars == 5
    assert tool.idempotent
    assert tool.answers_failures


def test_defaults_are_those_of_a_tool_written_by_hand() -> None:
    async def handler(ctx: ToolContext, text: str) -> str:
        return f"{ctx}{text}"

    by_hand = FunctionTool("add", "", {}, handler)
    for name in (
        "is_enabled",
        "needs_approval",
        "tool_input_guardrails",
        "tool_output_guardrails",
        "timeout_seconds",
        "timeout_behavior",
        "timeout_error_function",
        "failure_error_function",
        "max_output_chars",
        "idempotent",
    ):
        assert getattr(add, name) == getattr(by_hand, name)
    assert add.failure_error_function is run_tool_error_function


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("get-Weather_2", "get-Weather_2"),
        ("get weather", "get_weather"),
        ("server.tool", "server_tool"),
        ("查询天气", None),
        ("🚀", None),
        ("x" * 200, None),
    ],
)
def test_any_name_becomes_one_that_providers_take(given: str, name: str | None) -> None:
    made = function_tool(add.on_invoke_tool, name_override=given).name
    assert name is None or made == name
    assert 1 <= len(made) <= 64
    assert made.replace("_", "").replace("-", "").isalnum()
    assert made.isascii()
    assert function_tool(add.on_invoke_tool, name_override=given).name == made


def test_names_that_differ_stay_different() -> None:
    given = ["查询天气", "查询时间", "🚀", "🛸", "x" * 100, "x" * 101]
    names = {function_tool(add.on_invoke_tool, name_override=each).name for each in given}
    assert len(names) == len(given)


def test_a_lambda_should_be_given_a_name(caplog: pytest.LogCaptureFixture) -> None:
    anonymous: Callable[[], int] = lambda: 1  # noqa: E731 - what is tested
    assert function_tool(anonymous).name == "_lambda_"
    assert "name_override" in caplog.text
    assert function_tool(anonymous, name_override="one").name == "one"


async def test_the_context_is_handed_over_and_not_shown() -> None:
    @function_tool
    def who_am_i(ctx: RunContextWrapper[str], greeting: str) -> str:
        return f"{greeting} {ctx.context}"

    @function_tool
    async def which_call(ctx: ToolContext[str]) -> str:
        return f"{ctx.tool_name} {ctx.tool_call_id}"

    assert list(who_am_i.params_json_schema["properties"]) == ["greeting"]  # type: ignore[call-overload]
    assert await call(who_am_i, "Ada", greeting="Hi") == "Hi Ada"
    assert await which_call.on_invoke_tool(context(), "") == "t c1"


class Counter:
    def __init__(self, start: int) -> None:
        self.count = start

    def add(self, by: int) -> int:
        """Add to the count."""
        self.count += by
        return self.count

    async def add_later(self, by: int) -> int:
        return self.add(by)

    def __call__(self, by: int) -> int:
        return self.add(by)


async def test_methods_and_callable_objects_keep_their_own_state() -> None:
    first, second = Counter(0), Counter(100)
    assert await call(function_tool(first.add), by=1) == 1
    assert await call(function_tool(second.add), by=1) == 101
    assert await call(function_tool(first.add_later), by=1) == 2
    assert await call(function_tool(second, name_override="count"), by=1) == 102
    assert function_tool(second).name == "Counter"
    assert function_tool(first.add).description == "Add to the count."


async def test_a_sync_decorator_around_an_async_function_is_awaited() -> None:
    def logged(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def wrapper(*args: object, **kwargs: object) -> object:
            return function(*args, **kwargs)

        return wrapper

    @function_tool
    @logged
    async def later(a: int) -> int:
        return a

    assert (
        await invoke_function_tool(
            function_tool=later,
            context=context(),
            arguments='{"a": 1}',
        )
        == 1
    )
    handed_on = await call(later, a=2)
    assert inspect.isawaitable(handed_on)
    assert await handed_on == 2


def test_a_partial_needs_a_wrapper_function() -> None:
    with pytest.raises(UserError, match="explicit wrapper function"):
        function_tool(functools.partial(Counter(0).add, 5))


def test_the_name_of_a_callable_class_must_be_one_of_a_tool() -> None:
    named = type("Café", (Counter,), {})
    with pytest.raises(UserError, match="name_override"):
        function_tool(named(0))
    assert function_tool(named(0), name_override="Café").name.isascii()


async def test_the_model_is_told_what_is_wrong_with_its_arguments() -> None:
    said = await add.on_invoke_tool(context(), '{"a": 1, "b": ')
    assert said == (
        "Invalid JSON input for tool add: EOF while parsing a value at line 1 column 14. "
        "Call it again with one JSON object."
    )
    said = await add.on_invoke_tool(context(), '{"a": "x"}')
    assert "- a: Input should be a valid integer" in str(said)
    said = await add_later.on_invoke_tool(context(), '{"A": 1}')
    assert "for tool plus" in str(said)
    assert 'no such parameter: "A"' in str(said)


async def test_wrong_arguments_never_reach_the_function() -> None:
    ran: list[int] = []

    @function_tool
    def record(a: int) -> None:
        ran.append(a)

    for text in ('{"a": ', "{'a': 1}", "[1]", "null", '{"a": "x"}', "{}"):
        await record.on_invoke_tool(context(), text)
    assert not ran


async def test_a_failure_is_the_fixed_text_unless_a_function_says_otherwise() -> None:
    def fail(secret: str) -> None:
        raise ValueError(secret)

    def tell(ctx: RunContextWrapper, error: Exception) -> str:
        del ctx
        return f"{type(error).__name__}: {error}"

    assert await call(function_tool(fail), secret="sk-1") == FIXED_TEXT
    told = function_tool(fail, failure_error_function=tell)
    assert await call(told, secret="sk-1") == "ValueError: sk-1"
    assert "ModelBehaviorError: Invalid JSON input" in str(await call(told))


async def test_without_a_failure_function_exceptions_end_the_run() -> None:
    def fail(a: int) -> None:
        raise KeyError(a)

    tool = function_tool(fail, failure_error_function=None)
    with pytest.raises(KeyError):
        await tool.on_invoke_tool(context(), '{"a": 1}')
    with pytest.raises(UserError, match="Error running tool fail: 1") as raised:
        await invoke(tool, context(), '{"a": 1}')
    assert isinstance(raised.value.__cause__, KeyError)
    with pytest.raises(ModelBehaviorError):
        await invoke(tool, context(), '{"a": "x"}')


async def test_a_failure_function_that_fails_ends_the_run_and_is_asked_once() -> None:
    asked: list[Exception] = []

    def fail() -> None:
        raise ValueError("first")

    def worse(ctx: RunContextWrapper, error: Exception) -> str:
        asked.append(error)
        raise RuntimeError(f"second in {ctx}")

    with pytest.raises(RuntimeError, match="second"):
        await invoke(function_tool(fail, failure_error_function=worse), context(), "")
    assert len(asked) == 1


async def test_sync_functions_run_beside_the_event_loop_with_the_callers_context() -> None:
    go = threading.Event()

    @function_tool
    def wait() -> str:
        assert go.wait(10)
        return f"{who.get()} {threading.current_thread() is threading.main_thread()}"

    who.set("caller")
    waiting = asyncio.ensure_future(call(wait))
    for _ in range(10):
        await asyncio.sleep(0)
    go.set()
    assert await waiting == "caller False"


async def test_a_quick_sync_function_can_run_in_the_event_loop() -> None:
    @function_tool(run_in_thread=False)
    def quick() -> bool:
        return threading.current_thread() is threading.main_thread()

    assert await call(quick) is True


def test_where_a_function_runs_must_fit_it() -> None:
    async def later() -> None: ...
    def now() -> None: ...

    with pytest.raises(ValueError, match="later is async"):
        function_tool(later, run_in_thread=True)
    with pytest.raises(ValueError, match="no timeout can end it"):
        function_tool(now, run_in_thread=False, timeout=1)
    with pytest.raises(ValueError, match="greater than 0"):
        function_tool(now, timeout=0)
    with pytest.raises(TypeError):
        function_tool(now, timeout="1")  # type: ignore[call-overload]


async def test_fifty_sync_tools_of_one_turn_wait_together() -> None:
    together = threading.Barrier(50, timeout=20)

    @function_tool
    def wait() -> int:
        return together.wait()

    found = await asyncio.gather(*(call(wait) for _ in range(50)))
    assert sorted(str(each) for each in found) == sorted(str(n) for n in range(50))


async def test_a_timeout_ends_the_wait_for_a_thread() -> None:
    go, ended = threading.Event(), threading.Event()

    @function_tool(timeout=0.5)  # long enough for a busy machine to start a thread
    def slow() -> str:
        go.wait(10)
        ended.set()
        return who.get()

    assert await invoke(slow, context(), "") == "Tool 'slow' timed out after 0.5 seconds."
    assert not ended.is_set()
    go.set()
    assert ended.wait(10)


async def test_a_timeout_ends_an_async_function() -> None:
    cancelled = asyncio.Event()

    @function_tool(timeout=0.01, timeout_behavior="raise_exception")
    async def slow() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    with pytest.raises(ToolTimeoutError):
        await invoke(slow, context(), "")
    assert cancelled.is_set()


async def test_a_tool_that_is_cancelled_leaves_nothing_behind() -> None:
    started, go = threading.Event(), threading.Event()

    @function_tool
    def slow() -> None:
        started.set()
        go.wait(10)

    waiting = asyncio.ensure_future(invoke(slow, context(), ""))
    while not started.is_set():  # noqa: ASYNC110 - a thread sets no asyncio.Event
        await asyncio.sleep(0.001)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    go.set()
    gc.collect()
    assert [task for task in asyncio.all_tasks() if task is not asyncio.current_task()] == []


async def test_a_typed_map_goes_out_without_strict_and_arrives(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def count(by_name: dict[str, int]) -> int:
        return sum(by_name.values())

    with caplog.at_level(logging.WARNING, "handfast"):
        tool = function_tool(count)
        function_tool(count)
    assert not tool.strict_json_schema
    assert await call(tool, by_name={"a": 1, "b": 2}) == 3
    assert len(caplog.records) == 1
    with pytest.raises(UserError, match="strict_mode=False"):
        function_tool(count, strict_mode=True)


def test_a_second_tool_of_a_function_shares_the_schema_and_costs_next_to_nothing() -> None:
    def function(a: int, b: str = "x") -> str:
        return b * a

    first = function_tool(function)
    rounds = 2_000
    started = time.process_time()
    for _ in range(rounds):
        function_tool(function)
    per_tool = (time.process_time() - started) / rounds
    assert function_tool(function).params_json_schema is first.params_json_schema
    # Measured 2 us; the bound only tells a cache from none (above 300 us).
    assert per_tool < 50e-6


def test_the_settings_are_shown_one_by_one() -> None:
    shown = inspect.signature(function_tool).parameters
    assert shown["failure_error_function"].default is run_tool_error_function
    assert shown["max_output_chars"].default == 100_000
    assert "timeout" in shown


def test_a_setting_that_is_not_known_is_refused() -> None:
    unknown: Any = {"retries": 3}
    with pytest.raises(TypeError, match="retries"):
        function_tool(add.on_invoke_tool, **unknown)
