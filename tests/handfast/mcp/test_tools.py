from __future__ import annotations

from typing import Any

import pytest

from handfast import ToolOutputImage, ToolOutputText
from handfast.agents.context import ToolContext
from handfast.errors import ModelBehaviorError
from handfast.mcp.tools import ToolCaller, function_tools, output_of


def test_a_single_text_is_text_and_more_are_parts() -> None:
    one = {"type": "text", "text": "a"}
    picture = {"type": "image", "data": "QQ==", "mimeType": "image/gif"}
    assert output_of({"content": [one]}, structured=False) == "a"
    assert output_of({"content": [one, picture]}, structured=False) == [
        ToolOutputText("a"),
        ToolOutputImage("data:image/gif;base64,QQ=="),
    ]
    odd = {"type": "resource", "uri": "x"}
    assert output_of({"content": [odd]}, structured=False) == '{"type": "resource", "uri": "x"}'
    assert output_of({"content": []}, structured=True) == []


@pytest.mark.parametrize("text", ["[1]", "{", "null"])
async def test_arguments_that_are_no_object_never_reach_the_server(text: str) -> None:
    async def call(*_given: object, **_more: object) -> Any:
        raise AssertionError

    (tool,) = function_tools(ToolCaller("s", call), [{"name": "t", "inputSchema": {}}])
    context = ToolContext(None, tool_name="t", tool_call_id="c", tool_arguments=text)
    with pytest.raises(ModelBehaviorError, match="Invalid JSON input for tool t"):
        await tool.on_invoke_tool(context, text)
