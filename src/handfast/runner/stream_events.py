"""What a streamed run tells its reader."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from handfast.agents.items import (
    HandoffCallItem,
    HandoffOutputItem,
    InputItem,
    MCPApprovalRequestItem,
    MCPApprovalResponseItem,
    MCPListToolsItem,
    MessageOutputItem,
    ReasoningItem,
    RunItem,
    ToolApprovalItem,
    ToolCallItem,
    ToolCallOutputItem,
    ToolSearchCallItem,
    ToolSearchOutputItem,
)

RunItemEventName: TypeAlias = Literal[
    "message_output_created",
    "handoff_requested",
    "handoff_occured",
    "tool_called",
    "tool_output",
    "tool_approval_requested",
    "reasoning_item_created",
    "input_added",
    "tool_search_called",
    "tool_search_output_created",
    "mcp_list_tools",
    "mcp_approval_requested",
    "mcp_approval_response",
    "provider_item_created",
]
"""Names are the OpenAI Agents SDK's where it has the event, its spelling included."""


@dataclass
class RawResponsesStreamEvent:
    """An event of the model's own stream, passed on as it came."""

    data: Any
    """An event of the Responses API; chat completions are told in the same words."""
    type: Literal["raw_response_event"] = "raw_response_event"


@dataclass
class RunItemStreamEvent:
    """An item entered the conversation."""

    name: RunItemEventName
    item: RunItem
    type: Literal["run_item_stream_event"] = "run_item_stream_event"


@dataclass
class AgentUpdatedStreamEvent:
    """Another agent has the word."""

    new_agent: Any
    type: Literal["agent_updated_stream_event"] = "agent_updated_stream_event"


StreamEvent: TypeAlias = RawResponsesStreamEvent | RunItemStreamEvent | AgentUpdatedStreamEvent

_NAMES: Final[dict[type[RunItem], RunItemEventName]] = {
    MessageOutputItem: "message_output_created",
    HandoffCallItem: "handoff_requested",
    HandoffOutputItem: "handoff_occured",
    ToolCallItem: "tool_called",
    ToolCallOutputItem: "tool_output",
    ToolApprovalItem: "tool_approval_requested",
    ReasoningItem: "reasoning_item_created",
    InputItem: "input_added",
    ToolSearchCallItem: "tool_search_called",
    ToolSearchOutputItem: "tool_search_output_created",
    MCPListToolsItem: "mcp_list_tools",
    MCPApprovalRequestItem: "mcp_approval_requested",
    MCPApprovalResponseItem: "mcp_approval_response",
}


def item_event(item: RunItem) -> RunItemStreamEvent:
    """The event that tells of an item."""
    return RunItemStreamEvent(_NAMES.get(type(item), "provider_item_created"), item)
