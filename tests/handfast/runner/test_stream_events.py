from __future__ import annotations

from typing import Any, get_args

import pytest

from handfast import Agent
from handfast.agents import items
from handfast.runner.stream_events import item_event

AGENT = Agent(name="a")
RAW: dict[str, object] = {"type": "message", "role": "assistant", "content": []}


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (items.MessageOutputItem, "message_output_created"),
        (items.ToolCallItem, "tool_called"),
        (items.ToolCallOutputItem, "tool_output"),
        (items.HandoffCallItem, "handoff_requested"),
        (items.ReasoningItem, "reasoning_item_created"),
        (items.ToolApprovalItem, "tool_approval_requested"),
    ],
)
def test_events_have_the_names_that_users_know(kind: Any, name: str) -> None:
    event = item_event(kind(AGENT, RAW))
    assert event.name == name
    assert event.type == "run_item_stream_event"


def test_every_kind_of_item_has_an_event() -> None:
    for kind in get_args(items.RunItem):
        if kind is items.HandoffOutputItem:
            event = item_event(kind(AGENT, RAW, AGENT, AGENT))
        else:
            event = item_event(kind(AGENT, RAW))
        assert event.name


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (items.MCPListToolsItem, "mcp_list_tools"),
        (items.MCPApprovalRequestItem, "mcp_approval_requested"),
        (items.ToolSearchCallItem, "tool_search_called"),
        (items.CompactionItem, "provider_item_created"),
    ],
)
def test_what_a_provider_did_by_itself_is_told_too(kind: Any, name: str) -> None:
    assert item_event(kind(AGENT, RAW)).name == name
