from __future__ import annotations

import pytest

from handfast import Agent, FileSearchTool, UserError, function_tool, handoff
from handfast.agents.model_settings import MCPToolChoice
from handfast.models.responses_converter import Converter


@function_tool(defer_loading=True, allowed_callers=["programmatic"], output_type=int)
def add(a: int, b: int) -> int:
    """Adds."""
    return a + b


def test_functions_handoffs_and_tools_of_the_provider_are_offered_together() -> None:
    search = FileSearchTool(["vs"], include_search_results=True)
    made = Converter.convert_tools([add, search], [handoff(Agent(name="Boss"))])
    assert [tool["type"] for tool in made.tools] == ["function", "function", "file_search"]
    assert made.tools[0]["defer_loading"] is True
    assert made.tools[0]["allowed_callers"] == ["programmatic"]
    assert made.tools[0]["output_schema"] == add.output_json_schema
    assert made.includes == ["file_search_call.results"]


def test_a_choice_is_a_mode_a_function_a_tool_or_one_of_a_server() -> None:
    assert Converter.convert_tool_choice(None) is None
    assert Converter.convert_tool_choice("required", [add]) == "required"
    assert Converter.convert_tool_choice("add", [add]) == {"type": "function", "name": "add"}
    search = FileSearchTool(["vs"])
    assert Converter.convert_tool_choice("file_search", [search]) == {"type": "file_search"}
    chosen = Converter.convert_tool_choice(MCPToolChoice("s", "t"))
    assert chosen == {"type": "mcp", "server_label": "s", "name": "t"}
    with pytest.raises(UserError, match="not on offer"):
        Converter.convert_tool_choice("nothing", [add])
