from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest

from handfast import (
    Agent,
    GuardrailFunctionOutput,
    InMemorySession,
    Runner,
    RunState,
    UserError,
    function_tool,
    output_guardrail,
)
from handfast.agents.raw import InputItem
from handfast.runner import ending
from handfast.testing import ScriptedModel, assistant_message, function_call


class Full(InMemorySession):
    """Takes no output of a tool, or nothing at all."""

    def __init__(self, *, slow: bool = False) -> None:
        super().__init__("s")
        self.slow = slow

    async def add_items(self, items: list[InputItem]) -> None:
        if any(item.get("role") != "user" for item in items):
            if self.slow:
                await asyncio.Event().wait()
            raise OSError("disk full")
        await super().add_items(items)


@function_tool
def look() -> str:
    return "seen"


@function_tool(failure_error_function=None)
def break_down() -> str:
    raise ValueError("broken")


def roles(items: list[InputItem]) -> list[object]:
    return [item.get("role") or item["type"] for item in items]


async def test_the_error_of_the_run_is_told_and_not_that_of_the_session(
    caplog: pytest.LogCaptureFixture,
) -> None:
    model = ScriptedModel([[function_call("look"), function_call("break_down", call_id="c2")]])
    agent = Agent(name="a", model=model, tools=[look, break_down])
    session = Full()
    with caplog.at_level(logging.WARNING), pytest.raises(UserError, match="broken"):
        await Runner.run(agent, "go", session=session)
    assert "disk full" in caplog.text
    assert roles(await session.get_items()) == ["user"]


async def play(agent: Agent[Any], session: InMemorySession, *, streamed: bool) -> None:
    if not streamed:
        await Runner.run(agent, "go", session=session)
        return
    async for _ in Runner.run_streamed(agent, "go", session=session).stream_events():
        pass


def guarded(check: Any) -> Agent[Any]:
    model = ScriptedModel([[assistant_message("hi")]])
    return Agent(name="a", model=model, output_guardrails=[output_guardrail(check)])


@pytest.mark.parametrize("streamed", [False, True])
async def test_an_answer_whose_check_failed_is_kept(streamed: bool) -> None:  # noqa: FBT001
    async def check(context: object, agent: object, output: object) -> GuardrailFunctionOutput:  # noqa: ARG001
        raise ValueError("the check broke")

    session = InMemorySession("s")
    with pytest.raises(ValueError, match="the check broke"):
        await play(guarded(check), session, streamed=streamed)
    assert roles(await session.get_items()) == ["user", "assistant"]


def never(begun: asyncio.Event) -> Any:
    async def check(context: object, agent: object, output: object) -> GuardrailFunctionOutput:  # noqa: ARG001
        begun.set()
        await asyncio.Event().wait()
        return GuardrailFunctionOutput(None, tripwire_triggered=False)

    return check


async def test_an_answer_whose_check_was_cancelled_is_kept() -> None:
    begun, session = asyncio.Event(), InMemorySession("s")
    run = asyncio.create_task(Runner.run(guarded(never(begun)), "go", session=session))
    await begun.wait()
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run
    assert roles(await session.get_items()) == ["user", "assistant"]


async def test_a_cancelled_run_does_not_wait_long_for_its_session(
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(ending, "GRACE", 0.01)
    begun, session = asyncio.Event(), Full(slow=True)
    run = asyncio.create_task(Runner.run(guarded(never(begun)), "go", session=session))
    await begun.wait()
    run.cancel()
    with caplog.at_level(logging.WARNING), pytest.raises(asyncio.CancelledError):
        await run
    assert "cancelled run" in caplog.text


@pytest.mark.parametrize("through", ["live", "stored"])
async def test_a_run_resumed_after_it_failed_writes_each_item_once(through: str) -> None:
    failing = True
    looks: list[str] = []

    @function_tool
    def note() -> str:
        looks.append("noted")
        return "noted"

    @function_tool(failure_error_function=None)
    def flaky() -> str:
        if failing:
            raise ValueError("broken")
        return "fine"

    thought: dict[str, object] = {"type": "reasoning", "id": "rs_1", "summary": []}
    turn: list[Any] = [
        thought,
        function_call("note", call_id="c1"),
        function_call("flaky", call_id="c2"),
    ]
    model = ScriptedModel([turn, [assistant_message("done")]])
    agent = Agent(name="a", model=model, tools=[note, flaky])
    session = InMemorySession("s")
    result = Runner.run_streamed(agent, "go", session=session)
    with pytest.raises(UserError, match="broken"):
        async for _ in result.stream_events():
            pass
    pair = ["user", "reasoning", "function_call", "function_call_output"]
    assert roles(await session.get_items()) == pair
    assert roles(result.to_input_list()) == pair
    failing = False
    state = result.to_state()
    if through == "stored":
        state = await RunState.from_string(agent, state.to_string())
    resumed = await Runner.run(agent, state, session=session)
    assert resumed.final_output == "done"
    assert looks == ["noted"]
    items = await session.get_items()
    assert roles(items) == [*pair, "function_call", "function_call_output", "assistant"]
    assert [item["call_id"] for item in items if "call_id" in item] == ["c1", "c1", "c2", "c2"]
