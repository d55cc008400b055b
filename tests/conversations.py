"""Input items for tests: builders of the usual ones, and Hypothesis strategies of unusual ones."""

from __future__ import annotations

from hypothesis import strategies as st

Wire = dict[str, object]


def said(role: str, text: str) -> Wire:
    """A message."""
    return {"role": role, "content": text}


def answered(text: str, item_id: str = "msg_1") -> Wire:
    """A message as a model's provider sends it."""
    return {
        "type": "message",
        "id": item_id,
        "role": "assistant",
        "status": "completed",
        "content": [{"type": "output_text", "text": text, "annotations": []}],
    }


def thought(item_id: str = "rs_1") -> Wire:
    """A reasoning item."""
    return {"type": "reasoning", "id": item_id, "summary": [], "encrypted_content": "gAAA"}


def called(call_id: str, name: str = "lookup", arguments: str = "{}") -> Wire:
    """A call of a function."""
    return {
        "type": "function_call",
        "id": f"fc_{call_id}",
        "call_id": call_id,
        "name": name,
        "arguments": arguments,
    }


def custom_called(call_id: str) -> Wire:
    """A call of a custom tool."""
    return {"type": "custom_tool_call", "call_id": call_id, "input": "x"}


def custom_returned(call_id: str) -> Wire:
    """A custom tool's answer."""
    return {"type": "custom_tool_call_output", "call_id": call_id, "output": "y"}


def hosted(kind: str) -> Wire:
    """A call that a provider made by itself."""
    return {"type": f"{kind}_call", "id": "ws_1"}


def returned(call_id: str, output: str = "ok") -> Wire:
    """A function's answer."""
    return {"type": "function_call_output", "call_id": call_id, "output": output}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=8,
)

KEYS = st.sampled_from(
    [
        "type",
        "role",
        "content",
        "call_id",
        "id",
        "name",
        "arguments",
        "output",
        "summary",
        "status",
    ],
)
KINDS = st.sampled_from(
    [
        "message",
        "reasoning",
        "function_call",
        "function_call_output",
        "custom_tool_call",
        "custom_tool_call_output",
        "web_search_call",
        "mcp_list_tools",
        "mcp_approval_request",
        "mcp_approval_response",
        "compaction",
        "item_reference",
        "some_future_tool_call",
        "server_tool_use",
        "web_search_tool_result",
        "",
    ],
)

ANYTHING = st.dictionaries(KEYS | st.text(max_size=6), JSON | KINDS, max_size=7)
"""Objects whose keys look like an item's and whose values can be anything."""

CALL_IDS = st.sampled_from(["c1", "c2", "c3", ""])

ITEM: st.SearchStrategy[Wire] = st.one_of(
    st.builds(said, st.sampled_from(["user", "assistant", "system", "developer"]), st.text()),
    st.builds(answered, st.text(), st.sampled_from(["msg_1", "msg_2"])),
    st.builds(thought, st.sampled_from(["rs_1", "rs_2"])),
    st.builds(called, CALL_IDS),
    st.builds(returned, CALL_IDS, st.text()),
    st.builds(custom_called, CALL_IDS),
    st.builds(custom_returned, CALL_IDS),
    st.builds(hosted, st.sampled_from(["web_search", "x"])),
    st.just({"type": "mcp_list_tools", "id": "l1", "server_label": "s", "tools": []}),
    st.just({"type": "compaction", "id": "cmp_1", "encrypted_content": "g"}),
)
"""Well-formed items, in no sensible order."""
