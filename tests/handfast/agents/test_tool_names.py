from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast.agents.agent import Agent
from handfast.agents.hosted_tool import WebSearchTool
from handfast.agents.names import hashed_name
from handfast.agents.tool import FunctionTool
from handfast.agents.tool_names import resolve_tool_names


async def unused(_context: object, _arguments: str) -> str:
    return ""


def tool(name: str) -> FunctionTool:
    return FunctionTool(name, "", {"type": "object", "properties": {}}, unused)


def names(given: Sequence[str]) -> list[str]:
    return [each.name for each in resolve_tool_names([tool(name) for name in given])]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["search", "a-b", "A_1"], ["search", "a-b", "A_1"]),
        (["a.b"], ["a_b"]),
        (["a.b", "a_b"], [hashed_name("", "a.b"), "a_b"]),
        (["a.b", "a b"], ["a_b", hashed_name("", "a b")]),
        (["same", "same"], ["same", "same"]),
        (["x" * 65], [hashed_name("", "x" * 65)]),
        (["搜索"], [hashed_name("", "搜索")]),
    ],
)
def test_only_names_that_providers_refuse_are_changed(
    given: Sequence[str],
    expected: Sequence[str],
) -> None:
    assert names(given) == expected


@given(st.lists(st.text(min_size=1, max_size=70), unique=True, max_size=6))
def test_different_names_stay_different_and_a_second_run_changes_nothing(
    given: Sequence[str],
) -> None:
    once = names(given)
    assert len(set(once)) == len(given)
    assert names(once) == once


def test_agents_whose_names_collapse_are_told_apart_as_tools() -> None:
    agents = [Agent(name=name) for name in ("Refund Agent", "refund-agent", "refund agent")]
    tools = [each.as_tool(None, "asks it") for each in agents]
    offered = resolve_tool_names([*tools, WebSearchTool()])
    assert [each.name for each in offered] == [
        "refund_agent",
        hashed_name("", "refund-agent"),
        hashed_name("", "refund agent"),
        "web_search",
    ]


def test_a_name_that_a_user_chose_is_never_given_to_an_agent() -> None:
    chosen = tool("refund_agent")
    made = Agent(name="Refund Agent").as_tool(None, "asks it")
    assert [each.name for each in resolve_tool_names([made, chosen])] == [
        hashed_name("", "Refund Agent"),
        "refund_agent",
    ]
