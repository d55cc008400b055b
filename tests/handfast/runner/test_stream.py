from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any, Literal

import pytest

from handfast import (
    Agent,
    MaxTurnsExceeded,
    RunContextWrapper,
    Runner,
    RunResultStreaming,
    StreamEvent,
    function_tool,
)
from handfast.runner import stream
from handfast.testing.messages import assistant_message, function_call
from handfast.testing.scripted_model import ModelStep, ScriptedModel

HI = [assistant_message("hi")]


@function_tool
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


async def names_of(result: RunResultStreaming) -> list[str]:
    """The events of a run in words; runs of raw events count as one."""
    names: list[str] = []
    async for event in result.stream_events():
        if event.type == "raw_response_event":
            if names[-1:] != ["raw"]:
                names.append("raw")
        elif event.type == "agent_updated_stream_event":
            names.append(f"agent {event.new_agent.name}")
        else:
            names.append(event.name)
    return names


async def test_events_come_in_an_order_that_a_reader_can_rely_on() -> None:
    model = ScriptedModel(
        [
            [assistant_message("let me see"), function_call("add", {"a": 1, "b": 2})],
            [function_call("transfer_to_b")],
            [assistant_message("3")],
        ],
    )
    target = Agent(name="b", model=model)
    agent = Agent(name="a", model=model, tools=[add], handoffs=[target])
    result = Runner.run_streamed(agent, "1 + 2?")
    assert await names_of(result) == [
        "agent a",
        "raw",
        "message_output_created",
        "tool_called",
        "tool_output",
        "raw",
        "handoff_requested",
        "handoff_occured",
        "agent b",
        "raw",
        "message_output_created",
    ]
    assert result.final_output == "3"
    assert result.is_complete
    assert result.current_agent is target
    assert result.current_turn == 3


async def test_a_streamed_run_comes_to_the_same_as_a_whole_one() -> None:
    steps = [[function_call("add", {"a": 1, "b": 2}, call_id="c")], [assistant_message("3")]]
    whole = await Runner.run(Agent(name="a", model=ScriptedModel(steps), tools=[add]), "go")
    streamed = Runner.run_streamed(Agent(name="a", model=ScriptedModel(steps), tools=[add]), "go")
    await names_of(streamed)
    assert streamed.final_output == whole.final_output
    assert streamed.to_input_list() == whole.to_input_list()
    assert streamed.context_wrapper.usage == whole.context_wrapper.usage
    assert len(streamed.raw_responses) == len(whole.raw_responses)


async def test_text_arrives_in_deltas_that_make_the_message() -> None:
    text = "A longer text, in more than one piece. 这是一段中文。"
    model = ScriptedModel([[assistant_message(text)]])
    result = Runner.run_streamed(Agent(name="a", model=model), "")
    deltas = [
        event.data.delta
        async for event in result.stream_events()
        if event.type == "raw_response_event" and event.data.type == "response.output_text.delta"
    ]
    assert len(deltas) > 1
    assert "".join(deltas) == text


async def test_an_error_is_raised_after_the_events_before_it() -> None:
    model = ScriptedModel([[function_call("add", {"a": 1, "b": 2})]])
    result = Runner.run_streamed(Agent(name="a", model=model, tools=[add]), "go", max_turns=1)
    names: list[str] = []

    async def read() -> None:
        async for event in result.stream_events():
            names.append(event.type)  # noqa: PERF401 - the names before the error count

    with pytest.raises(MaxTurnsExceeded):
        await read()
    assert names.count("run_item_stream_event") == 2
    assert isinstance(result.run_loop_exception, MaxTurnsExceeded)
    assert result.final_output is None


async def test_cancelling_at_once_ends_the_run_and_its_stream() -> None:
    ended = asyncio.Event()
    started = asyncio.Event()

    @function_tool
    async def wait() -> str:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return "never"

    model = ScriptedModel([[function_call("wait")]])
    before = asyncio.all_tasks()
    result = Runner.run_streamed(Agent(name="a", model=model, tools=[wait]), "go")
    async for event in result.stream_events():
        if event.type == "run_item_stream_event" and event.name == "tool_called":
            await started.wait()
            result.cancel()
    assert ended.is_set()
    assert result.is_complete
    assert asyncio.all_tasks() == before


async def test_cancelling_after_the_turn_lets_it_end_and_can_be_resumed() -> None:
    model = ScriptedModel([[function_call("add", {"a": 1, "b": 2})], [assistant_message("3")]])
    agent = Agent(name="a", model=model, tools=[add])
    result = Runner.run_streamed(agent, "go")
    async for event in result.stream_events():
        if event.type == "run_item_stream_event" and event.name == "tool_called":
            result.cancel(mode="after_turn")
    assert [item.type for item in result.new_items] == ["tool_call_item", "tool_call_output_item"]
    assert len(model.calls) == 1
    resumed = await Runner.run(agent, result.to_state())
    assert resumed.final_output == "3"
    assert resumed.context_wrapper.usage.requests == 2


@pytest.mark.parametrize("pauses", [0, 1, 3])
@pytest.mark.parametrize("tasks", [False, True])
async def test_a_reader_sees_all_of_a_turn_before_the_next_begins(
    pauses: int,
    tasks: bool,  # noqa: FBT001 - a parameter of pytest
) -> None:
    model = ScriptedModel([[function_call("add", {"a": 1, "b": 2})], [assistant_message("3")]])
    result = Runner.run_streamed(Agent(name="a", model=model, tools=[add]), "go")
    events = result.stream_events()
    while True:
        coming = anext(events, None)
        event = await (asyncio.ensure_future(_awaited(coming)) if tasks else coming)
        if event is None:
            break
        if event.type == "run_item_stream_event" and event.name == "tool_output":
            for _ in range(pauses):
                await asyncio.sleep(0)
            result.cancel(mode="after_turn")
    assert len(model.calls) == 1
    assert result.final_output is None


async def _awaited(coming: Awaitable[StreamEvent | None]) -> StreamEvent | None:
    return await coming


async def test_a_run_that_nobody_reads_can_be_awaited_by_its_task() -> None:
    model = ScriptedModel([[function_call("add", {"a": 1, "b": 2})], [assistant_message("3")]])
    result = Runner.run_streamed(Agent(name="a", model=model, tools=[add]), "go")
    assert result.run_loop_task is not None
    await asyncio.wait_for(result.run_loop_task, 10)
    assert result.final_output == "3"


@pytest.mark.parametrize("mode", ["immediate", "after_turn"])
async def test_a_run_that_is_cancelled_before_it_begins_asks_no_model(
    mode: Literal["immediate", "after_turn"],
) -> None:
    model = ScriptedModel([[assistant_message("hi")]])
    result = Runner.run_streamed(Agent(name="a", model=model), "go")
    result.cancel(mode)
    assert len([event async for event in result.stream_events()]) <= 1
    assert result.is_complete
    assert model.calls == ()


async def test_a_turn_that_has_begun_ends_before_the_run_does() -> None:
    model = ScriptedModel([[function_call("add", {"a": 1, "b": 2})], [assistant_message("3")]])
    result = Runner.run_streamed(Agent(name="a", model=model, tools=[add]), "go")
    async for _ in result.stream_events():
        result.cancel(mode="after_turn")
    assert [item.type for item in result.new_items] == ["tool_call_item", "tool_call_output_item"]


async def test_a_reader_is_told_when_somebody_else_cancels_the_run() -> None:
    @function_tool
    async def wait() -> str:
        await asyncio.Event().wait()
        return "never"

    model = ScriptedModel([[function_call("wait")]])
    result = Runner.run_streamed(Agent(name="a", model=model, tools=[wait]), "go")

    async def read() -> None:
        async for event in result.stream_events():
            if event.type == "run_item_stream_event" and result.run_loop_task is not None:
                result.run_loop_task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await read()


async def test_a_reader_that_leaves_ends_the_run() -> None:
    model = ScriptedModel([[function_call("add", {"a": 1, "b": 2})], [assistant_message("3")]])
    before = asyncio.all_tasks()
    result = Runner.run_streamed(Agent(name="a", model=model, tools=[add]), "go")
    events = result.stream_events()
    async for _ in events:
        break
    await events.aclose()  # type: ignore[attr-defined]  # an async generator
    assert result.is_complete
    assert asyncio.all_tasks() == before


async def test_what_a_model_sends_itself_is_passed_on_as_it_came() -> None:
    class Event:
        type = "response.some_future_event"

    class Final:
        type = "response.completed"
        response = {"output": [assistant_message("hi")], "id": "r1"}  # noqa: RUF012 - a stand-in

    odd = Event()
    model = ScriptedModel([ModelStep.stream([odd, Final()])])
    result = Runner.run_streamed(Agent(name="a", model=model), "go")
    raw = [
        event.data async for event in result.stream_events() if event.type == "raw_response_event"
    ]
    assert raw[0] is odd
    assert result.final_output == "hi"
    assert result.last_response_id == "r1"


async def test_the_task_of_a_run_can_be_awaited_without_reading_events() -> None:
    result = Runner.run_streamed(Agent(name="a", model=ScriptedModel([HI])), "go")
    assert result.run_loop_task is not None
    await result.run_loop_task
    assert result.is_complete
    assert result.final_output == "hi"
    failing = Runner.run_streamed(Agent(name="a", model=ScriptedModel([ValueError("no")])), "go")
    assert failing.run_loop_task is not None
    with pytest.raises(ValueError, match="no"):
        await failing.run_loop_task


def put_together(agent: Agent[Any], **more: Any) -> RunResultStreaming:
    context = RunContextWrapper(None)
    return RunResultStreaming(
        "go", [], [], None, [], [], [], [], context, agent, 2, 5, None, None, **more
    )


async def test_a_program_can_put_a_streamed_result_together() -> None:
    agent = Agent(name="a")
    result = put_together(agent)
    assert (result.current_agent, result.current_turn, result.max_turns) == (agent, 2, 5)
    assert not result.is_complete
    assert result.run_loop_task is None
    assert result.run_loop_exception is None
    assert [event async for event in result.stream_events()] == []
    result.cancel()
    assert put_together(agent, is_complete=True).is_complete
    result.release_agents()
    assert str(result).splitlines()[:5] == [
        "RunResultStreaming:",
        '- Current agent: Agent(name="a", ...)',
        "- Current turn: 2",
        "- Max turns: 5",
        "- Is complete: False",
    ]


async def test_such_a_result_ends_with_the_task_that_it_was_given() -> None:
    async def fail() -> None:
        raise ValueError("broken")

    task = asyncio.create_task(fail())
    result = put_together(Agent(name="a"), run_loop_task=task)
    assert result.run_loop_task is task
    with pytest.raises(ValueError, match="broken"):
        _ = [event async for event in result.stream_events()]
    assert result.is_complete
    assert isinstance(result.run_loop_exception, ValueError)
    assert put_together(Agent(name="a"), _run_impl_task=task).run_loop_task is task


async def test_a_tool_that_does_not_hear_its_end_holds_no_reader_up(
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(stream, "STOP_SECONDS", 0.01)
    began, released = asyncio.Event(), asyncio.Event()

    @function_tool
    async def deaf() -> str:
        """Hear nothing."""
        began.set()
        while not released.is_set():
            try:
                await released.wait()
            except asyncio.CancelledError:
                continue
        return "late"

    model = ScriptedModel([[function_call("deaf")]])
    result = Runner.run_streamed(Agent(name="a", model=model, tools=[deaf]), "go")
    await began.wait()
    result.cancel()
    assert await names_of(result) == []
    assert "went on 0.01 seconds" in caplog.text
    released.set()
