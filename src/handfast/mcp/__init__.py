"""Tools of servers that speak the Model Context Protocol.

A *server* is connected by the program that owns it; an agent's `mcp_servers` lists those whose
tools its model is offered. Each tool becomes a function tool: authorised, approved, guarded and
timed like any other. A *filter* says which tools an agent is offered.
"""

from handfast.mcp.convert import MCPUtil
from handfast.mcp.filter import (
    MCPToolCustomDataContext,
    MCPToolMetaContext,
    ToolFilter,
    ToolFilterContext,
    ToolFilterStatic,
    create_static_tool_filter,
)
from handfast.mcp.server import MCPServer

__all__ = [
    "MCPServer",
    "MCPToolCustomDataContext",
    "MCPToolMetaContext",
    "MCPUtil",
    "ToolFilter",
    "ToolFilterContext",
    "ToolFilterStatic",
    "create_static_tool_filter",
]
