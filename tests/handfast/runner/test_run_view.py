from __future__ import annotations

import pytest

from handfast import Agent, MessageOutputItem, ToolApprovalItem, ToolCallItem, function_tool
from handfast.agents.input_items import user_message
from handfast.core.log import Log
from handfast.runner.config import RunConfig
from handfast.runner.drive import drive
from handfast.runner.preparation import prepare
from handfast.runner.run_view import RunView, shown_input
from handfast.testing.messages import ScriptedItem, assistant_message, function_call
from handfast.testing.scripted_model import ModelStep, ScriptedModel


@function_tool(needs_approval=True)
def pay() -> str:
    """Pay."""
    return "paid"


async def driven(*output: ScriptedItem) -> RunView:
    model = ScriptedModel([ModelStep(output=list(output), response_id="r1")])
    agent = Agent(name="a", model=model, tools=[pay])
    prepared = prepare(agent, "go", {"max_turns": 3}, RunConfig(), drive)
    await drive(prepared.run, await prepared.begin())
    return RunView(prepared.run)


async def test_a_run_that_is_over_shows_its_output() -> None:
    view = await driven(assistant_message("hi"))
    assert (view.input, view.final_output, view.last_response_id) == ("go", "hi", "r1")
    assert [type(item) for item in view.new_items] == [MessageOutputItem]
    assert (view.max_turns, view.agent_tool_invocation) == (3, None)
    assert view.interruptions == []
    assert view.to_input_list() == view.to_input_list("normalized")
    view.release()
    assert view.last_agent.name == "a"


async def test_a_run_that_waits_shows_for_what() -> None:
    view = await driven(function_call("pay"))
    assert view.final_output is None
    assert [type(item) for item in view.new_items] == [ToolCallItem, ToolApprovalItem]
    waiting = view.interruptions
    assert [item.tool_name for item in waiting] == ["pay"]
    assert len(view.to_state().get_interruptions()) == 1


@pytest.mark.parametrize("count", [1, 2])
def test_text_alone_is_shown_as_text(count: int) -> None:
    shown = shown_input(Log([user_message("go")] * count))
    assert shown == ("go" if count == 1 else [{"role": "user", "content": "go"}] * 2)
