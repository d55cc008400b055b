"""Runs end: a forced choice is lifted, and what came before a limit is not lost."""

from __future__ import annotations

from typing import Any

import pytest

from cases.case_model import agent, called, item_events, play, read_into, scripted, step, steps_of
from handfast import MaxTurnsExceeded, ModelSettings, Runner, StreamEvent, function_tool


@function_tool
def search(q: str = "") -> str:
    return f"found {q}"


@function_tool
def a() -> str:
    return "a"


@function_tool
def b() -> str:
    return "b"


@pytest.mark.parametrize("choice", ["required", "search"])
@pytest.mark.parametrize("reset", [True, False])
async def test_a_forced_choice_is_lifted_after_the_first_tools(
    choice: str,
    reset: bool,  # noqa: FBT001 - a parameter of pytest
    *,
    streamed: bool,
) -> None:
    model = scripted(steps_of("loop-1"))
    settings = ModelSettings(tool_choice=choice)
    forced = agent(
        "A",
        model,
        tools=[search],
        model_settings=settings,
        reset_tool_choice=reset,
    )
    assert (await play(forced, streamed=streamed)).final_output == "answer"
    chosen = [call.model_settings.tool_choice for call in model.calls]
    assert chosen == [choice, None if reset else choice]
    assert forced.model_settings is settings
    assert settings.tool_choice == choice


async def test_a_receiver_begins_with_a_choice_of_its_own(*, streamed: bool) -> None:
    model = scripted(
        [
            step("A", called("c1", "search", q="x")),
            step("A", called("h1", "transfer_to_B")),
            step("B", called("c2", "search", q="y")),
            {"by": "B", "text": "answer"},
        ],
        {"transfer_to_B": "transfer_to_b"},
    )
    second = agent("B", model, tools=[search], model_settings=ModelSettings(tool_choice="required"))
    first = agent(
        "A",
        model,
        tools=[search],
        handoffs=[second],
        model_settings=ModelSettings(tool_choice="search"),
    )
    await play(first, streamed=streamed)
    chosen = [call.model_settings.tool_choice for call in model.calls]
    assert chosen == ["search", None, "required", None]


@pytest.mark.parametrize("limit", [1, 2])
async def test_everything_up_to_the_limit_reaches_the_reader(limit: int) -> None:
    model = scripted(steps_of("loop-4"))
    talker = agent("A", model, tools=[a, b])
    result = Runner.run_streamed(talker, "go", max_turns=limit)
    events: list[StreamEvent] = []
    with pytest.raises(MaxTurnsExceeded) as caught:
        await read_into(events, result)
    turn = ["message_output_created", "tool_called", "tool_output"]
    assert item_events(events) == turn * limit
    details: Any = caught.value.run_data
    assert len(details.new_items) == 3 * limit


async def test_a_direct_answer_fits_a_limit_of_one(*, streamed: bool) -> None:
    model = scripted([{"by": "A", "text": "hello"}])
    result = await play(agent("A", model), streamed=streamed, max_turns=1)
    assert result.final_output == "hello"
