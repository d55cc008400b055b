from __future__ import annotations

from handfast.mcp.filter import create_static_tool_filter


def test_a_filter_by_names_holds_the_lists_that_were_given() -> None:
    assert create_static_tool_filter() is None
    assert create_static_tool_filter(["a"]) == {"allowed_tool_names": ["a"]}
    assert create_static_tool_filter(["a"], ["b"]) == {
        "allowed_tool_names": ["a"],
        "blocked_tool_names": ["b"],
    }
