"""What a model calls wrongly is given back to it in words that it can repair."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cases.case_model import agent, assert_whole, outputs, play, scripted, shown, step, steps_of
from handfast import MaxTurnsExceeded, RunConfig, function_tool
from handfast.models.call_repair import sendable_arguments

ran: list[tuple[int, int]] = []


@function_tool
def search() -> str:
    return "found"


@function_tool
def add(a: int, b: int) -> int:
    ran.append((a, b))
    return a + b


@pytest.fixture(autouse=True)
def _nothing_ran() -> None:
    ran.clear()


@pytest.mark.parametrize("name", ["serach", "Search", "functions.search", "検索", ""])
async def test_a_tool_that_is_not_there_is_answered_with_those_that_are(
    name: str,
    *,
    streamed: bool,
) -> None:
    first, *rest = steps_of("bad-call-1")
    slip = {**first, "calls": [{**first["calls"][0], "name": name}]}
    model = scripted([slip, *rest])
    result = await play(agent("A", model, tools=[search, add]), streamed=streamed)
    assert result.final_output == "done"
    told = outputs(shown(model, 1))["c1"]
    assert "not found" in told
    assert "search" in told
    assert_whole(shown(model))


async def test_a_slip_that_never_ends_is_ended_by_the_turns(*, streamed: bool) -> None:
    slips = [step("A", {"id": f"c{n}", "name": "serach", "args": {}}) for n in range(20)]
    with pytest.raises(MaxTurnsExceeded):
        await play(agent("A", scripted(slips), tools=[search]), streamed=streamed, max_turns=5)


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1, "b": ',
        "{'a': 1, 'b': 2}",
        "[1, 2]",
        "null",
        '"a"',
        '{"a": "one", "b": 2}',
        '{"a": 1}',
        "",
        "a=1, b=2",
        "{" * 5_000,
    ],
)
async def test_arguments_that_do_not_fit_are_told_of_and_the_tool_does_not_run(
    text: str,
    *,
    streamed: bool,
) -> None:
    first, *rest = steps_of("bad-call-3")
    wrong = {**first, "calls": [{**first["calls"][0], "args_text": text}]}
    model = scripted([wrong, *rest])
    result = await play(agent("A", model, tools=[add]), streamed=streamed)
    assert result.final_output == "3"
    assert ran == [(1, 2)]
    assert "add" in outputs(shown(model, 1))["c1"]
    sent = [each for each in shown(model) if each.get("type") == "function_call"]
    for call in sent:
        assert isinstance(json.loads(sendable_arguments(call["arguments"])), dict)
    kept: list[Any] = result.to_input_list()
    assert_whole(kept)


async def test_a_run_can_be_told_to_end_instead(*, streamed: bool) -> None:
    config = RunConfig(tool_not_found_behavior="raise_error")
    model = scripted(steps_of("bad-call-1"))
    with pytest.raises(Exception, match="serach not found in agent A"):
        await play(agent("A", model, tools=[search]), streamed=streamed, run_config=config)
