"""`MCPUtil`: single tools of an MCP server as function tools, for programs that pick them."""

from __future__ import annotations

from typing import Any

from handfast.agents.raw import to_wire
from handfast.agents.strict_schema import ensure_strict_json_schema
from handfast.agents.tool import FunctionTool
from handfast.errors import UserError
from handfast.mcp.approval import approval_of
from handfast.mcp.filter import create_static_tool_filter
from handfast.mcp.server import MCPServer
from handfast.mcp.tools import function_tool_of


class MCPUtil:
    """Conversions of what an MCP server offers."""

    create_static_tool_filter = staticmethod(create_static_tool_filter)

    @classmethod
    def to_function_tool(
        cls,
        tool: object,
        server: MCPServer,
        convert_schemas_to_strict: bool = False,  # noqa: FBT001, FBT002 - the SDK's signature
        agent: Any = None,  # noqa: ANN401 - an agent of any context
    ) -> FunctionTool:
        """One tool as an agent offers it.

        Args:
            tool: The tool, in the protocol's form.
            server: Its server.
            convert_schemas_to_strict: Ask the provider to hold the model to the schema, where the
                schema allows it.
            agent: The agent that offers it, for servers that ask about approvals.

        Raises:
            UserError: The tool has no name.
        """
        made = function_tool_of(server.tool_caller(), to_wire(tool))
        made.needs_approval = approval_of(server.require_approval, made.name, agent, tool)
        made.failure_error_function = server.failure_function(agent)
        made.tool_input_guardrails = server.tool_input_guardrails
        made.tool_output_guardrails = server.tool_output_guardrails
        if convert_schemas_to_strict:
            try:
                made.params_json_schema = ensure_strict_json_schema(made.params_json_schema)
            except UserError:
                return made
            made.strict_json_schema = True
        return made
