from __future__ import annotations

import gc
import weakref
from typing import Any

import pytest
from pydantic import BaseModel

from handfast import (
    Agent,
    AgentsException,
    MaxTurnsExceeded,
    MessageOutputItem,
    RunContextWrapper,
    Runner,
    RunResult,
    UserError,
    function_tool,
)
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
    assert "2 new item(s)" in str(data)


async def test_reasoning_goes_on_without_its_id_where_that_is_asked_for() -> None:
    thought: dict[str, object] = {"type": "reasoning", "id": "rs_1", "summary": []}
    model = ScriptedModel([[thought, function_call("act")], [assistant_message("hi")]])
    agent = Agent(name="a", model=model, tools=[act])
    result = await Runner.run(agent, "go", run_config={"reasoning_item_id_policy": "omit"})
    assert {"type": "reasoning", "summary": []} in result.to_input_list()
    assert {"type": "reasoning", "summary": []} in result.to_input_list(mode="normalized")
    assert result.to_state().to_json()["reasoning_item_id_policy"] == "omit"


def put_together(agent: Agent[Any], output: object = "done", **more: Any) -> RunResult:
    item = MessageOutputItem(agent, assistant_message("done"))
    return RunResult(
        "go", [item], [], output, [], [], [], [], RunContextWrapper(None), agent, **more
    )


def test_a_program_can_put_a_result_together() -> None:
    agent = Agent(name="a")
    result = put_together(agent, max_turns=3)
    assert (result.input, result.final_output, result.max_turns) == ("go", "done", 3)
    assert result.last_agent is agent
    assert result.final_output_as(str, raise_if_incorrect_type=True) == "done"
    assert result.interruptions == []
    assert result.last_response_id is None
    assert result.agent_tool_invocation is None
    assert result.to_input_list() == [{"role": "user", "content": "go"}, assistant_message("done")]
    assert repr(result) == "RunResult(agent='a', output 'done')"
    with pytest.raises(TypeError, match="not of type int"):
        result.final_output_as(int, raise_if_incorrect_type=True)
    with pytest.raises(UserError, match="no run behind it"):
        result.to_state()


@pytest.mark.parametrize("with_items", [True, False])
def test_such_a_result_holds_its_agents_until_it_is_told_otherwise(*, with_items: bool) -> None:
    result = put_together(Agent(name="a"))
    gc.collect()
    seen = weakref.ref(result.last_agent)
    item = result.new_items[0]
    result.release_agents(with_items)
    result.release_agents(with_items)
    gc.collect()
    assert (seen() is None) is with_items
    assert (item.agent is None) is with_items
    item.release_agent()
    gc.collect()
    with pytest.raises(AgentsException, match="no longer available"):
        _ = result.last_agent
    assert "RunResult(agent='?'" in repr(result)


class _Held(BaseModel):
    result: RunResult


async def test_a_result_may_stand_in_a_pydantic_model() -> None:
    result = await Runner.run(Agent(name="a", model=ScriptedModel([[assistant_message("hi")]])), "")
    assert _Held(result=result).result is result


async def test_a_result_says_in_a_few_lines_what_it_is() -> None:
    model = ScriptedModel([[assistant_message("one\ntwo \x1b[2J")]])
    result = await Runner.run(Agent(name="a\x1b", model=model), "go", max_turns=4)
    assert result.max_turns == 4
    assert str(result).splitlines() == [
        "RunResult:",
        '- Last agent: Agent(name="a\\x1b", ...)',
        "- Final output (str):",
        "    one",
        "    two \\x1b[2J",
        "- 1 new item(s)",
        "- 1 raw response(s)",
        "- 0 input guardrail result(s)",
        "- 0 output guardrail result(s)",
        "(See `RunResult` for more details)",
    ]
