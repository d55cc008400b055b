from __future__ import annotations

from typing import Any

import pytest

from handfast import RunContextWrapper, UserError
from handfast.mcp.approval import approval_of


@pytest.mark.parametrize(
    ("given", "needed"),
    [
        (None, False),
        (True, True),
        ("never", False),
        ("always", True),
        ({"pay": "always"}, True),
        ({"look": "always"}, False),
        ({"always": {"tool_names": ["pay"]}}, True),
        ({"never": {"tool_names": ["pay"]}, "always": {"tool_names": ["look"]}}, False),
    ],
)
def test_a_word_a_list_or_a_table_says_what_needs_approval(given: Any, *, needed: bool) -> None:
    assert approval_of(given, "pay", None, None) is needed


def test_a_function_is_asked_with_the_agent_and_the_tool() -> None:
    asked: list[object] = []

    def ask(*given: object) -> bool:
        asked.extend(given)
        return True

    needs = approval_of(ask, "pay", "agent", "tool")
    context = RunContextWrapper(None)
    assert not isinstance(needs, bool)
    assert needs(context, {}, "c1") is True
    assert asked == [context, "agent", "tool"]


@pytest.mark.parametrize("given", ["sometimes", {"pay": "maybe"}, {"pay": 3}])
def test_another_word_is_refused(given: Any) -> None:
    with pytest.raises(UserError, match="require_approval must be"):
        approval_of(given, "pay", None, None)
