from __future__ import annotations

from typing import Any

import pytest

from handfast import Agent, MaxTurnsExceeded, Runner, function_tool
from handfast.testing.messages import assistant_message, function_call
from handfast.testing.scripted_model import ModelStep, ScriptedModel


@function_tool
def act() -> str:
    """Act."""
    return "acted"


async def test_a_result_tells_what_happened() -> None:
    model = ScriptedModel(
        [
            ModelStep(output=[function_call("act", call_id="c1")], response_id="r1"),
            ModelStep(output=[assistant_message("hi")], response_id="r2"),
        ],
    )
    result = await Runner.run(Agent(name="a", model=model, tools=[act]), "go")
    assert result.last_response_id == "r2"
    assert [response.response_id for response in result.raw_responses] == ["r1", "r2"]
    assert result.interruptions == []
    assert "output 'hi'" in repr(result)
    assert result.to_input_list() == [
        {"role": "user", "content": "go"},
        function_call("act", call_id="c1"),
        {"type": "function_call_output", "call_id": "c1", "output": "acted"},
        assistant_message("hi"),
    ]


async def test_input_items_are_kept_as_they_were_given() -> None:
    items: list[Any] = [
        {"role": "user", "content": [{"type": "input_text", "text": "look"}]},
        {"role": "developer", "content": "be brief"},
    ]
    model = ScriptedModel([[assistant_message("hi")]])
    result = await Runner.run(Agent(name="a", model=model), items)
    assert result.input == items
    assert model.last_call is not None
    assert model.last_call.input == items


async def test_an_error_carries_what_the_run_had_produced() -> None:
    model = ScriptedModel([[function_call("act")]])
    agent = Agent(name="a", model=model, tools=[act])
    with pytest.raises(MaxTurnsExceeded) as caught:
        await Runner.run(agent, "go", max_turns=1)
    data: Any = caught.value.run_data
    assert data.input == "go"
    assert data.last_agent is agent
    assert "2 new items" in str(data)


async def test_reasoning_goes_on_without_its_id_where_that_is_asked_for() -> None:
    thought: dict[str, object] = {"type": "reasoning", "id": "rs_1", "summary": []}
    model = ScriptedModel([[thought, function_call("act")], [assistant_message("hi")]])
    agent = Agent(name="a", model=model, tools=[act])
    result = await Runner.run(agent, "go", run_config={"reasoning_item_id_policy": "omit"})
    assert {"type": "reasoning", "summary": []} in result.to_input_list()
    assert {"type": "reasoning", "summary": []} in result.to_input_list(mode="normalized")
    assert result.to_state().to_json()["reasoning_item_id_policy"] == "omit"
