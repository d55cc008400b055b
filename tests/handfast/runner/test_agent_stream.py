from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import Any

import pytest

from handfast import Agent, AgentToolStreamEvent, Runner, UserError
from handfast.runner.agent_stream import tell_events
from handfast.runner.stream_events import AgentUpdatedStreamEvent
from handfast.testing.messages import assistant_message, function_call
from handfast.testing.scripted_model import ScriptedModel

CALL = {"type": "function_call", "call_id": "c1", "name": "ask", "arguments": "{}"}
FIRST: Agent[Any] = Agent(name="first")


class Streamed:
    """Events that were written down beforehand; an exception among them is raised."""

    def __init__(self, *events: Any, then_waits: bool = False) -> None:
        self.current_agent = FIRST
        self.events = events
        self.then_waits = then_waits
        self.ended: list[str] = []

    async def stream_events(self) -> AsyncIterator[Any]:
        try:
            for event in self.events:
                if isinstance(event, Exception):
                    raise event
                yield event
            if self.then_waits:
                await asyncio.Event().wait()
        finally:
            self.ended.append("closed")

    def cancel(self) -> None:
        self.ended.append("cancelled")


class FailsToClose(Streamed):
    async def stream_events(self) -> AsyncIterator[Any]:
        try:
            async for event in super().stream_events():
                yield event
        finally:
            raise RuntimeError("cannot close")


async def test_each_event_is_told_in_order_with_the_agent_that_has_the_word() -> None:
    second: Agent[Any] = Agent(name="second")
    told: list[AgentToolStreamEvent] = []
    events = ["a", AgentUpdatedStreamEvent(second), "b"]
    await tell_events(Streamed(*events), told.append, 1, CALL)
    assert [each["event"] for each in told] == events
    assert [each["agent"] for each in told] == [FIRST, second, second]
    assert all(each["tool_call"] is CALL for each in told)


async def test_what_came_before_a_failure_is_told_before_it_is_raised() -> None:
    told: list[object] = []

    async def listener(event: AgentToolStreamEvent) -> None:
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        told.append(event["event"])

    with pytest.raises(ValueError, match="broke"):
        await tell_events(Streamed("a", "b", ValueError("broke")), listener, None, CALL)
    assert told == ["a", "b"]


async def test_a_listener_that_fails_costs_nothing(caplog: pytest.LogCaptureFixture) -> None:
    told: list[object] = []

    def listener(event: AgentToolStreamEvent) -> None:
        told.append(event)
        raise RuntimeError("listener")

    with caplog.at_level(logging.ERROR, logger="handfast"):
        await tell_events(Streamed("a", "b"), listener, 5, CALL)
    assert len(told) == 2
    assert "Error while handling an agent tool on_stream event" in caplog.text


async def test_one_that_cannot_keep_up_ends_the_run() -> None:
    stopped: list[str] = []

    async def listener(event: AgentToolStreamEvent) -> None:
        del event
        try:
            await asyncio.Event().wait()
        finally:
            stopped.append("listener")

    streamed = Streamed("a", "b", "c", "d", then_waits=True)
    with pytest.raises(UserError, match="on_stream_max_pending_events=2"):
        await tell_events(streamed, listener, 2, CALL)
    assert stopped == ["listener"]
    assert sorted(streamed.ended) == ["cancelled", "closed"]


@pytest.mark.parametrize("kind", [Streamed, FailsToClose])
async def test_a_cancelled_caller_waits_for_nobody(kind: type[Streamed]) -> None:
    heard = asyncio.Event()

    async def listener(event: AgentToolStreamEvent) -> None:
        del event
        heard.set()
        await asyncio.Event().wait()

    streamed = kind("a", then_waits=True)
    task = asyncio.create_task(tell_events(streamed, listener, None, CALL))
    await heard.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert "closed" in streamed.ended


async def test_a_listener_that_is_cancelled_cancels_its_caller() -> None:
    async def listener(event: AgentToolStreamEvent) -> None:
        del event
        raise asyncio.CancelledError

    streamed = Streamed("a", then_waits=True)
    with pytest.raises(asyncio.CancelledError):
        await tell_events(streamed, listener, None, CALL)
    assert "closed" in streamed.ended


@pytest.mark.parametrize("streamed", [False, True])
async def test_a_tools_listener_is_told_of_its_agents_run_inside_a_run(
    streamed: bool,  # noqa: FBT001 - a parameter of pytest
) -> None:
    told: list[AgentToolStreamEvent] = []
    helper = Agent(name="helper", model=ScriptedModel([[assistant_message("a")]]))
    tool = helper.as_tool("ask", "Ask.", on_stream=told.append)
    model = ScriptedModel(
        [[function_call("ask", {"input": "q"}, call_id="c1")], [assistant_message("done")]],
    )
    caller = Agent(name="caller", model=model, tools=[tool])
    if streamed:
        result = Runner.run_streamed(caller, "go")
        own = [event async for event in result.stream_events()]
        assert not any(getattr(event, "new_agent", None) is helper for event in own)
    else:
        await Runner.run(caller, "go")
    kinds = {each["event"].type for each in told}
    assert {"raw_response_event", "run_item_stream_event"} <= kinds
    assert all(each["agent"] is helper for each in told)
    assert told[0]["tool_call"].call_id == "c1"


async def test_a_slow_listener_fails_the_tool_and_not_the_run() -> None:
    async def listener(event: AgentToolStreamEvent) -> None:
        del event
        await asyncio.Event().wait()

    helper = Agent(name="helper", model=ScriptedModel([[assistant_message("a")]]))
    tool = helper.as_tool("ask", "Ask.", on_stream=listener, on_stream_max_pending_events=1)
    model = ScriptedModel([[function_call("ask", {"input": "q"})], [assistant_message("done")]])
    result = await Runner.run(Agent(name="caller", model=model, tools=[tool]), "go")
    assert result.final_output == "done"
    assert "An error occurred" in str(result.to_input_list())
