from __future__ import annotations

import pytest

from handfast import Agent, UserError, WebSearchTool, function_tool, handoff
from handfast.models.chatcmpl_converter import Converter


@function_tool
def add(a: int, b: int) -> int:
    """Adds."""
    return a + b


def test_conversations_tools_and_handoffs_are_said_as_a_request_says_them() -> None:
    assert Converter.items_to_messages("hi") == [{"role": "user", "content": "hi"}]
    said = Converter.tool_to_openai(add)
    assert said == {
        "type": "function",
        "function": {
            "name": "add",
            "description": "Adds.",
            "parameters": add.params_json_schema,
            "strict": True,
        },
    }
    offered = handoff(Agent(name="Boss"))
    function = Converter.convert_handoff_tool(offered)["function"]
    assert isinstance(function, dict)
    assert function["name"] == offered.tool_name


def test_a_tool_that_only_the_responses_api_runs_is_refused() -> None:
    with pytest.raises(UserError, match="Hosted tools are not supported"):
        Converter.tool_to_openai(WebSearchTool())
