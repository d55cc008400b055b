"""Which tools of an MCP server an agent is offered, and what user code may add to a call."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, NotRequired, TypeAlias

from typing_extensions import TypedDict

from handfast.agents.context import RunContextWrapper


@dataclass
class ToolFilterContext:
    """What a filter is given."""

    run_context: RunContextWrapper
    """The run's context."""
    agent: Any
    """The agent that would be offered the tool."""
    server_name: str
    """The server."""


class ToolFilterStatic(TypedDict):
    """Names of tools that are offered, or are not."""

    allowed_tool_names: NotRequired[list[str]]
    blocked_tool_names: NotRequired[list[str]]


ToolFilterCallable: TypeAlias = Callable[[ToolFilterContext, Any], bool | Awaitable[bool]]
"""`(context, tool)`; sync or async."""

ToolFilter: TypeAlias = ToolFilterCallable | ToolFilterStatic | None
"""None offers every tool."""


def create_static_tool_filter(
    allowed_tool_names: list[str] | None = None,
    blocked_tool_names: list[str] | None = None,
) -> ToolFilterStatic | None:
    """A filter by names; None where neither list is given."""
    if allowed_tool_names is None and blocked_tool_names is None:
        return None
    made: ToolFilterStatic = {}
    if allowed_tool_names is not None:
        made["allowed_tool_names"] = allowed_tool_names
    if blocked_tool_names is not None:
        made["blocked_tool_names"] = blocked_tool_names
    return made


@dataclass
class MCPToolMetaContext:
    """What a `tool_meta_resolver` is given."""

    run_context: RunContextWrapper
    server_name: str
    tool_name: str
    arguments: Mapping[str, Any] | None


MCPToolMetaResolver: TypeAlias = Callable[
    [MCPToolMetaContext],
    dict[str, Any] | Awaitable[dict[str, Any] | None] | None,
]
"""Makes the metadata that goes with a call; sync or async."""


@dataclass
class MCPToolCustomDataContext:
    """What a `custom_data_extractor` of a server is given."""

    run_context: RunContextWrapper
    server_name: str
    tool_name: str
    arguments: Mapping[str, Any]
    result: Any
    """The result, in the protocol's form."""
    result_meta: Mapping[str, Any] | None
    output: Any
    """What the model is told."""


MCPToolCustomDataExtractor: TypeAlias = Callable[[MCPToolCustomDataContext], Any]
"""Makes data for the program out of a result; sync or async."""
