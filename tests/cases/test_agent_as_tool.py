"""What an agent used as a tool comes to is what its caller is told."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel

from cases.case_model import agent, called, outputs, play, scripted, shown, step, steps_of
from handfast import StopAtTools, ToolsToFinalOutputResult, function_tool

SCRIPT = steps_of("agent-tool-1")


def judged(_context: object, results: Any) -> ToolsToFinalOutputResult:
    return ToolsToFinalOutputResult(is_final_output=True, final_output=results[0].output)


@pytest.mark.parametrize(
    "behavior",
    ["stop_on_first_tool", StopAtTools(stop_at_tool_names=["price"]), judged],
)
@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("42", "42"),
        (42, "42"),
        (0, "0"),
        ("", ""),
        (None, "null"),
        ([], "[]"),
        ({"eur": 42}, '{"eur":42}'),
    ],
)
async def test_the_inner_tools_result_is_the_outer_calls_output(
    *,
    behavior: Any,
    value: Any,
    text: str,
    streamed: bool,
) -> None:
    @function_tool
    def price() -> Any:
        """Price."""
        return value

    model = scripted(SCRIPT)
    inner = agent("inner", model, tools=[price], tool_use_behavior=behavior)
    outer = agent("outer", model, tools=[inner.as_tool("ask_inner", "asks it")])
    first = {**SCRIPT[0], "calls": [called("c1", "ask_inner", input="how much?")]}
    model = scripted([first, *SCRIPT[1:]])
    inner.model = outer.model = model
    result = await play(outer, streamed=streamed)
    assert outputs(shown(model)) == {"c1": text}
    assert result.final_output == "42"


async def test_a_call_without_arguments_is_explained_to_the_model(*, streamed: bool) -> None:
    model = scripted([SCRIPT[0], SCRIPT[2]])
    inner = agent("inner", model)
    outer = agent("outer", model, tools=[inner.as_tool("ask_inner", "asks it")])
    await play(outer, streamed=streamed)
    assert "input" in outputs(shown(model))["c1"]


class Price(BaseModel):
    eur: int


async def test_a_typed_output_reaches_the_caller_as_json(*, streamed: bool) -> None:
    script = [
        step("outer", called("c1", "ask_inner", input="how much?")),
        step("inner", text='{"eur": 42}'),
        step("outer", text="42"),
    ]
    model = scripted(script)
    inner = agent("inner", model, output_type=Price)
    outer = agent("outer", model, tools=[inner.as_tool("ask_inner", "asks it")])
    await play(outer, streamed=streamed)
    assert outputs(shown(model)) == {"c1": '{"eur":42}'}


async def test_the_answer_comes_from_whoever_the_inner_agent_handed_over_to(
    *,
    streamed: bool,
) -> None:
    script = [
        step("outer", called("c1", "ask_inner", input="how much?")),
        step("inner", called("h1", "transfer_to_seller")),
        step("seller", text="42 euro"),
        step("outer", text="42"),
    ]
    model = scripted(script)
    inner = agent("inner", model, handoffs=[agent("seller", model)])
    outer = agent("outer", model, tools=[inner.as_tool("ask_inner", "asks it")])
    result = await play(outer, streamed=streamed)
    assert outputs(shown(model)) == {"c1": "42 euro"}
    assert result.last_agent is outer
