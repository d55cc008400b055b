from __future__ import annotations

import dataclasses
import json

import pytest

from handfast import Agent, Runner, RunState, ToolCallItem, ToolCallOutputItem, function_tool
from handfast.agents.items import item_of
from handfast.agents.tool_origin import ToolOrigin, ToolOriginType
from handfast.testing.messages import assistant_message, function_call
from handfast.testing.scripted_model import ScriptedModel


def test_an_origin_says_what_it_knows() -> None:
    origin = ToolOrigin(ToolOriginType.MCP, mcp_server_name="files")
    assert json.loads(json.dumps(origin.to_json_dict())) == {
        "type": "mcp",
        "mcp_server_name": "files",
    }


def test_a_function_says_its_kind_alone() -> None:
    assert ToolOrigin(ToolOriginType.FUNCTION).to_json_dict() == {"type": "function"}


def test_an_agent_behind_a_tool_has_two_names() -> None:
    origin = ToolOrigin(ToolOriginType.AGENT_AS_TOOL, agent_name="A", agent_tool_name="ask_a")
    assert origin.to_json_dict()["agent_tool_name"] == "ask_a"


@pytest.mark.parametrize(
    "origin",
    [
        ToolOrigin(ToolOriginType.FUNCTION),
        ToolOrigin(ToolOriginType.MCP, mcp_server_name="files"),
        ToolOrigin(ToolOriginType.AGENT_AS_TOOL, agent_name="a", agent_tool_name="ask"),
    ],
)
def test_it_is_read_from_what_was_written(origin: ToolOrigin) -> None:
    assert ToolOrigin.from_json_dict(origin.to_json_dict()) == origin


@pytest.mark.parametrize("data", [None, 5, {}, {"type": "?"}, {"type": []}])
def test_anything_else_is_no_origin(data: object) -> None:
    assert ToolOrigin.from_json_dict(data) is None


@pytest.mark.parametrize("approves", [True, False])
async def test_a_runs_items_tell_it_through_storage(approves: bool) -> None:  # noqa: FBT001 - a parameter of pytest
    @function_tool(needs_approval=True)
    def act() -> str:
        return "acted"

    helper = Agent(name="helper", model=ScriptedModel([[assistant_message("a")]]))
    model = ScriptedModel(
        [
            [function_call("ask", {"input": "q"}, call_id="c1")],
            [function_call("act", call_id="c2")],
            [assistant_message("done")],
        ],
    )
    agent = Agent(name="a", model=model, tools=[act, helper.as_tool("ask", "Ask.")])
    waiting = await Runner.run(agent, "go")
    function = ToolOrigin(ToolOriginType.FUNCTION)
    assert waiting.interruptions[0].tool_origin == function
    state = await RunState.from_string(agent, waiting.to_state().to_string())
    decide = state.approve if approves else state.reject
    decide(state.get_interruptions()[0])
    result = await Runner.run(agent, state)
    asked = ToolOrigin(ToolOriginType.AGENT_AS_TOOL, agent_name="helper", agent_tool_name="ask")
    for kind in (ToolCallItem, ToolCallOutputItem):
        items = [item for item in result.new_items if isinstance(item, kind)]
        assert [item.tool_origin for item in items] == [asked, function]
        built = [dataclasses.replace(item) for item in items]
        assert [getattr(item_of(item), "origin", None) for item in built] == [
            asked.to_json_dict(),
            function.to_json_dict(),
        ]
