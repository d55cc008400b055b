from __future__ import annotations

import json
from typing import Any

import pytest

from handfast import Agent, RunContextWrapper, Runner, UserError
from handfast.agents.context import ToolContext
from handfast.agents.items import ToolCallOutputItem
from handfast.agents.tool_origin import ToolOriginType
from handfast.mcp import MCPServer
from handfast.testing import ScriptedModel, assistant_message, function_call


class Shop(MCPServer):
    """A server in this process, without a connection."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.connected = False
        self.listed: list[dict[str, Any]] = [
            {"name": "price", "description": "Tells a price.", "inputSchema": {"type": "object"}},
        ]
        self.calls: list[tuple[str, object, object]] = []

    @property
    def name(self) -> str:
        return "shop"

    async def connect(self) -> None:
        self.connected = True

    async def cleanup(self) -> None:
        self.connected = False

    async def list_tools(self, run_context: Any = None, agent: Any = None) -> list[Any]:
        del run_context, agent
        return self.listed

    async def call_tool(
        self,
        tool_name: str,
        arguments: dict[str, Any] | None,
        meta: dict[str, Any] | None = None,
    ) -> Any:
        self.calls.append((tool_name, arguments, meta))
        return {
            "content": [{"type": "text", "text": f"{tool_name}: 3 EUR"}],
            "structuredContent": {"eur": 3},
            "_meta": {"at": "noon"},
        }

    async def list_prompts(self) -> Any:
        return {"prompts": []}

    async def get_prompt(self, name: str, arguments: dict[str, Any] | None = None) -> Any:
        return {"messages": [], "description": f"{name} {arguments}"}


async def test_an_agent_offers_the_tools_of_its_servers_and_they_are_called() -> None:
    model = ScriptedModel(
        [[function_call("price", {"of": "tea"}, call_id="c1")], [assistant_message("3")]],
    )
    shop = Shop()
    agent = Agent(name="A", model=model, mcp_servers=[shop])
    result = await Runner.run(agent, "What is tea?")
    assert result.final_output == "3"
    assert shop.calls == [("price", {"of": "tea"}, None)]
    said = [item.output for item in result.new_items if isinstance(item, ToolCallOutputItem)]
    assert said == ["price: 3 EUR"]


async def test_what_a_server_says_of_its_tools_goes_with_them() -> None:
    def resolve(given: Any) -> dict[str, Any]:
        return {"by": given.server_name}

    def extract(given: Any) -> object:
        return {**given.result_meta, "for": given.tool_name}

    shop = Shop(
        use_structured_content=True,
        require_approval={"always": {"tool_names": ["price"]}},
        tool_meta_resolver=resolve,
        custom_data_extractor=extract,
        failure_error_function=None,
    )
    (tool,) = await shop.list_function_tools(RunContextWrapper(None), Agent(name="A"))
    assert tool.needs_approval is True
    assert tool.failure_error_function is None
    assert tool.origin is not None
    assert (tool.origin.type, tool.origin.mcp_server_name) == (ToolOriginType.MCP, "shop")
    context = ToolContext(None, tool_name="price", tool_call_id="c", tool_arguments="{}")
    assert json.loads(str(await tool.on_invoke_tool(context, "{}"))) == {"eur": 3}
    assert shop.calls == [("price", {}, {"by": "shop"})]
    assert context.custom_data == {"at": "noon", "for": "price"}


async def test_the_failure_function_can_be_the_agent_s() -> None:
    def answer(_context: object, error: Exception) -> str:
        return str(error)

    agent = Agent(name="A", mcp_config={"failure_error_function": answer})
    (tool,) = await Shop().list_function_tools(RunContextWrapper(None), agent)
    assert tool.failure_error_function is answer


async def test_a_server_is_connected_as_long_as_its_block_lasts() -> None:
    async with Shop() as shop:
        assert shop.connected
    assert not shop.connected


async def test_a_server_that_names_a_tool_twice_or_not_at_all_is_refused() -> None:
    shop = Shop()
    shop.listed = shop.listed * 2
    with pytest.raises(UserError, match="names tools twice: price"):
        await shop.list_function_tools(RunContextWrapper(None), Agent(name="A"))
    shop.listed = [{"inputSchema": {}}]
    with pytest.raises(UserError, match="a tool without a name"):
        await shop.list_function_tools(RunContextWrapper(None), Agent(name="A"))
