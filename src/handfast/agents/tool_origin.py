"""Where a tool comes from: a function, an MCP server, or an agent behind it."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from handfast.agents.json_types import is_object


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

    @classmethod
    def from_json_dict(cls, data: object) -> ToolOrigin | None:
        """The origin that `to_json_dict` wrote; None for anything else."""
        kind = data.get("type") if is_object(data) else None
        if not is_object(data) or kind not in list(ToolOriginType):
            return None
        names = ("mcp_server_name", "agent_name", "agent_tool_name")
        given = {name: data.get(name) for name in names}
        return cls(
            ToolOriginType(str(kind)),
            **{name: each for name, each in given.items() if isinstance(each, str)},
        )
