from __future__ import annotations

from typing import Any

from handfast.mcp import MCPServer, MCPUtil


class Nowhere(MCPServer):
    @property
    def name(self) -> str:
        return "nowhere"

    async def connect(self) -> None: ...

    async def cleanup(self) -> None: ...

    async def list_tools(self, run_context: Any = None, agent: Any = None) -> list[Any]:
        del run_context, agent
        return []

    async def call_tool(self, tool_name: str, arguments: Any, meta: Any = None) -> Any:
        del tool_name, arguments, meta
        return {"content": []}

    async def list_prompts(self) -> Any: ...

    async def get_prompt(self, name: str, arguments: Any = None) -> Any: ...


def test_one_tool_is_made_strict_where_its_schema_allows_that() -> None:
    closed: dict[str, object] = {"type": "object", "properties": {"a": {"type": "string"}}}
    free: dict[str, object] = {
        "type": "object",
        "additionalProperties": True,
        "properties": {"a": {}},
    }
    server = Nowhere(require_approval="always")

    def tool(schema: object, *, strict: bool) -> Any:
        listed = {"name": "t", "inputSchema": schema}
        return MCPUtil.to_function_tool(listed, server, strict)

    assert tool(closed, strict=False).strict_json_schema is False
    assert tool(closed, strict=True).params_json_schema["required"] == ["a"]
    assert tool(free, strict=True).strict_json_schema is False
    assert tool(closed, strict=True).needs_approval is True
