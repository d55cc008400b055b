from __future__ import annotations

import json

from handfast.agents.tool_origin import ToolOrigin, ToolOriginType


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
