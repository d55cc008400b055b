from __future__ import annotations

from typing import Any

import pytest

from handfast import (
    Agent,
    Runner,
    RunState,
    ToolCallOutputItem,
    ToolContext,
    UserError,
    function_tool,
)
from handfast.agents.tool import ToolCustomDataContext
from handfast.testing.messages import assistant_message, function_call
from handfast.testing.scripted_model import ScriptedModel

DONE = [assistant_message("done")]


def outputs(result: Any) -> list[ToolCallOutputItem]:
    return [item for item in result.new_items if isinstance(item, ToolCallOutputItem)]


async def test_what_an_extractor_makes_stays_with_the_item_and_goes_to_no_model() -> None:
    seen: list[ToolCustomDataContext] = []

    async def keep(shown: ToolCustomDataContext) -> dict[str, Any]:
        seen.append(shown)
        shown.raw_item["output"] = "changed"
        return {"rows": (1, 2), "of": shown.output}

    @function_tool(custom_data_extractor=keep)
    def table() -> str:
        return "two rows"

    model = ScriptedModel([[function_call("table", call_id="c1")], DONE])
    result = await Runner.run(Agent(name="a", model=model, tools=[table]), "go")
    (item,) = outputs(result)
    assert item.custom_data == {"rows": [1, 2], "of": "two rows"}
    assert item.to_input_item() == {
        "type": "function_call_output",
        "call_id": "c1",
        "output": "two rows",
    }
    assert model.last_call is not None
    assert "rows" not in str(model.last_call.input[1:]).replace("two rows", "")
    (shown,) = seen
    assert (shown.tool, shown.tool_call.call_id, shown.output) == (table, "c1", "two rows")
    assert isinstance(shown.tool_context, ToolContext)


async def test_an_agent_as_a_tool_keeps_data_too_and_none_is_nothing() -> None:
    helper = Agent(name="h", model=ScriptedModel([[assistant_message("x")]] * 2))
    tool = helper.as_tool("ask", "Ask.")
    tool.custom_data_extractor = lambda shown: {"said": shown.output}
    plain = helper.as_tool("plain", "Ask.")
    plain.custom_data_extractor = lambda _: None
    calls = [
        function_call("ask", {"input": "q"}, call_id="1"),
        function_call("plain", {"input": "q"}, call_id="2"),
    ]
    agent = Agent(name="a", model=ScriptedModel([calls, DONE]), tools=[tool, plain])
    result = await Runner.run(agent, "go")
    assert [item.custom_data for item in outputs(result)] == [{"said": "x"}, None]


async def test_a_stored_run_keeps_it() -> None:
    @function_tool(custom_data_extractor=lambda _: {"kept": True})
    def look() -> str:
        return "seen"

    @function_tool(needs_approval=True)
    def act() -> str:
        return "done"

    calls = [function_call("look", call_id="1")]
    steps = [calls, [function_call("act", call_id="2")], DONE]
    agent = Agent(name="a", model=ScriptedModel(steps), tools=[look, act])
    paused = await Runner.run(agent, "go")
    state = await RunState.from_string(agent, paused.to_state().to_string())
    state.approve(state.get_interruptions()[0])
    result = await Runner.run(agent, state)
    assert [item.custom_data for item in outputs(result)] == [{"kept": True}, None]


@pytest.mark.parametrize("made", [{"bad": object()}, {"score": float("nan")}, ["a"], "text"])
async def test_what_json_cannot_hold_ends_the_run(made: object) -> None:
    @function_tool(custom_data_extractor=lambda _: made)
    def look() -> str:
        return "seen"

    agent = Agent(name="a", model=ScriptedModel([[function_call("look")]]), tools=[look])
    with pytest.raises(UserError, match="must return JSON-compatible data"):
        await Runner.run(agent, "go")


async def test_an_extractor_that_fails_lets_the_call_run_no_second_time() -> None:
    ran: list[str] = []
    failing = [True]

    def keep(_: object) -> None:
        if failing.pop():
            raise ValueError("lost")

    @function_tool(needs_approval=True, custom_data_extractor=keep)
    def act() -> str:
        ran.append("act")
        return "acted"

    model = ScriptedModel([[function_call("act")], DONE])
    agent = Agent(name="a", model=model, tools=[act])
    state = (await Runner.run(agent, "go")).to_state()
    state.approve(state.get_interruptions()[0])
    with pytest.raises(UserError, match="Error running tool act: lost"):
        await Runner.run(agent, state)
    result = await Runner.run(agent, state)
    assert [item.output for item in outputs(result)] == ["acted"]
    assert ran == ["act"]


async def test_an_extractor_that_changes_what_it_is_shown_changes_nothing_of_the_record() -> None:
    def keep(shown: ToolCustomDataContext) -> dict[str, Any]:
        shown.output["status"] = "changed"
        return {"seen": True}

    @function_tool(custom_data_extractor=keep)
    def ticket() -> dict[str, str]:
        return {"status": "created"}

    model = ScriptedModel([[function_call("ticket")], DONE])
    result = await Runner.run(Agent(name="a", model=model, tools=[ticket]), "go")
    (item,) = outputs(result)
    assert item.output == {"status": "created"}
    assert item.custom_data == {"seen": True}
