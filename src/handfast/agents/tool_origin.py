"""Where a tool comes from: a function, an MCP server, or an agent behind it."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class ToolOriginType(enum.StrEnum):
    """What stands behind a tool."""

    FUNCTION = "function"
    MCP = "mcp"
    AGENT_AS_TOOL = "agent_as_tool"


@dataclass(frozen=True, slots=True)
class ToolOrigin:
    """What stands behind a tool, and its name."""

    type: ToolOriginType
    mcp_server_name: str | None = None
    agent_name: str | None = None
    agent_tool_name: str | None = None

    def to_json_dict(self) -> dict[str, str]:
        """The origin as JSON data, without what it does not say."""
        said = {
            "type": self.type.value,
            "mcp_server_name": self.mcp_server_name,
            "agent_name": self.agent_name,
            "agent_tool_name": self.agent_tool_name,
        }
        return {key: value for key, value in said.items() if value is not None}
