"""Filters of an MCP server's tools. The OpenAI Agents SDK keeps these names in this module."""

from __future__ import annotations

from handfast.mcp.filter import (
    MCPToolCustomDataContext,
    MCPToolCustomDataExtractor,
    MCPToolMetaContext,
    MCPToolMetaResolver,
    ToolFilter,
    ToolFilterCallable,
    ToolFilterContext,
    ToolFilterStatic,
    create_static_tool_filter,
)

__all__ = [
    "MCPToolCustomDataContext",
    "MCPToolCustomDataExtractor",
    "MCPToolMetaContext",
    "MCPToolMetaResolver",
    "ToolFilter",
    "ToolFilterCallable",
    "ToolFilterContext",
    "ToolFilterStatic",
    "create_static_tool_filter",
]
