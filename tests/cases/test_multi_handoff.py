"""One handoff happens in an answer; everything else in it is answered and kept."""

from __future__ import annotations

import pytest

from cases.case_model import (
    agent,
    assert_whole,
    events_of,
    item_events,
    kinds,
    outputs,
    play,
    scripted,
    shown,
    steps_of,
)
from handfast import (
    HandoffInputData,
    RunConfig,
    Runner,
    RunState,
    ToolCallOutputItem,
    function_tool,
    handoff,
)
from handfast.extensions.handoff_filters import remove_all_tools

IGNORED = "Multiple handoffs detected, ignoring this one."


@pytest.mark.parametrize("first", [0, 1, 2])
async def test_the_first_of_several_handoffs_happens_and_the_others_are_answered(
    *,
    first: int,
    streamed: bool,
) -> None:
    step, last = steps_of("multi-handoff-1")
    calls = step["calls"][first:] + step["calls"][:first]
    name = str(calls[0]["name"]).removeprefix("transfer_to_")
    model = scripted([{**step, "calls": calls}, {**last, "by": name}])
    targets = [agent(each, model) for each in ("recipe", "shop", "cook")]
    result = await play(agent("A", model, handoffs=targets), streamed=streamed)
    assert result.final_output == "done"
    assert result.last_agent.name == name
    assert_whole(shown(model))
    told = outputs(shown(model))
    assert [told[call["id"]] for call in calls[1:]] == [IGNORED, IGNORED]
    assert name in told[calls[0]["id"]]


@pytest.mark.parametrize("edit", ["tools", "everything"])
async def test_a_stream_tells_of_a_handoff_once_whatever_a_filter_takes_out(edit: str) -> None:
    def nothing(data: HandoffInputData) -> HandoffInputData:
        return data.clone(input_history=(), pre_handoff_items=(), input_items=())

    model = scripted(steps_of("multi-handoff-4"))
    chosen = remove_all_tools if edit == "tools" else nothing
    b = agent("B", model)
    a = agent("A", model, handoffs=[handoff(b, input_filter=chosen)])
    result = Runner.run_streamed(a, "go")
    events = await events_of(result)
    names = item_events(events)
    assert names == ["handoff_requested", "handoff_occured", "message_output_created"]
    switched = [event for event in events if event.type == "agent_updated_stream_event"]
    assert [event.new_agent.name for event in switched] == ["A", "B"]
    assert "function_call" not in kinds(shown(model))
    if edit == "everything":
        record = [item.type for item in result.new_items]
        assert record == ["handoff_call_item", "handoff_output_item", "message_output_item"]


@pytest.mark.parametrize("approved", [True, False])
@pytest.mark.parametrize("stored", [True, False])
@pytest.mark.parametrize("call_first", [True, False])
async def test_a_handoff_waits_for_the_approval_of_a_call_beside_it(
    *,
    approved: bool,
    stored: bool,
    call_first: bool,
    streamed: bool,
) -> None:
    ran: list[float] = []

    @function_tool(needs_approval=True)
    def charge(eur: float) -> str:
        """Charge."""
        ran.append(eur)
        return f"charged {eur:g}"

    step, last = steps_of("multi-handoff-5")
    calls = step["calls"] if call_first else step["calls"][::-1]
    model = scripted([{**step, "calls": calls}, last])
    b = agent("B", model)
    a = agent("A", model, tools=[charge], handoffs=[b])
    paused = await play(a, streamed=streamed)
    assert [item.call_id for item in paused.interruptions] == ["c1"]
    assert paused.last_agent is a
    assert ran == []
    state = paused.to_state()
    if stored:
        state = await RunState.from_string(a, state.to_string())
    waiting = state.get_interruptions()[0]
    if approved:
        state.approve(waiting)
    else:
        state.reject(waiting)
    result = await play(a, state, streamed=streamed)
    assert result.final_output == "done"
    assert result.last_agent is b
    assert ran == ([10.0] if approved else [])
    assert_whole(shown(model))
    told = outputs(shown(model))
    assert told["c1"] == ("charged 10" if approved else "Tool execution was not approved.")


async def test_tools_beside_several_handoffs_run_and_their_results_are_kept(
    *,
    streamed: bool,
) -> None:
    @function_tool
    def note(text: str) -> str:
        """Note."""
        return f"noted {text}"

    step, last = steps_of("multi-handoff-1")
    noted = {"id": "c9", "name": "note", "args": {"text": "x"}}
    calls = [step["calls"][0], noted, *step["calls"][1:]]
    model = scripted([{**step, "calls": calls}, last])
    targets = [agent(each, model) for each in ("recipe", "shop", "cook")]
    result = await play(agent("A", model, tools=[note], handoffs=targets), streamed=streamed)
    assert_whole(shown(model))
    assert outputs(shown(model))["c9"] == "noted x"
    kept = [item.output for item in result.new_items if isinstance(item, ToolCallOutputItem)]
    assert "noted x" in kept


async def test_with_folded_history_the_others_are_not_lost(*, streamed: bool) -> None:
    model = scripted(steps_of("multi-handoff-1"))
    targets = [agent(each, model) for each in ("recipe", "shop", "cook")]
    config = RunConfig(nest_handoff_history=True)
    result = await play(agent("A", model, handoffs=targets), streamed=streamed, run_config=config)
    assert result.last_agent.name == "recipe"
    assert str(shown(model)).count(IGNORED) == 2
