from __future__ import annotations

import importlib.util

import pytest

from handfast import Agent, Handoff, UserError, function_tool, handoff
from handfast.extensions.visualization import (
    draw_graph,
    get_all_edges,
    get_all_nodes,
    get_main_graph,
)


@function_tool
def look_up() -> str:
    return ""


def test_agents_tools_and_handoffs_are_drawn() -> None:
    billing = Agent(name="Billing", tools=[look_up])
    triage = Agent(name="Triage", handoffs=[handoff(billing)], tools=[look_up])
    graph = get_main_graph(triage)
    assert graph.startswith("digraph G {")
    assert '"__start__" -> "Triage";' in graph
    assert '"Triage" -> "Billing";' in graph
    assert '"Triage" -> "look_up" [style=dotted, penwidth=1.5];' in graph
    assert '"Billing" -> "look_up" [style=dotted, penwidth=1.5];' in graph
    assert graph.count('"look_up" [label=') == 1
    assert '"Billing" -> "__end__";' in graph
    assert '"Triage" -> "__end__";' not in graph


def test_a_circle_of_handoffs_is_drawn_once() -> None:
    one, two = Agent(name="One"), Agent(name="Two")
    one.handoffs, two.handoffs = [two], [one]
    assert get_all_nodes(one).count('"One" [label') == 1
    assert '"Two" -> "One";' in get_all_edges(one)


def test_things_of_one_name_stay_apart() -> None:
    @function_tool(name_override="same")
    def same() -> str:
        return ""

    inner = Agent(name="same")
    graph = get_main_graph(Agent(name="same", handoffs=[inner], tools=[same]))
    assert graph.count('[label="same"') == 3
    assert '"__agents_graph_tool_1__" [label="same"' in graph


def test_agents_that_are_drawn_elsewhere_are_only_pointed_at() -> None:
    child = Agent(name="child", tools=[look_up])
    visited = {"child"}
    parent = Agent(name="parent", handoffs=[child])
    assert "look_up" not in get_all_nodes(parent, visited=visited)
    assert visited == {"child", "parent"}
    assert '"parent" -> "child";' in get_all_edges(parent, visited={"child"})
    assert get_all_nodes(parent, visited={"parent"}) == ""
    assert "__start__" not in get_all_nodes(child, parent=parent)


def test_a_receiver_that_is_chosen_at_run_time_is_a_name() -> None:
    async def choose(_context: object, _arguments: str) -> Agent:
        return Agent(name="x")

    chosen: Handoff = Handoff("go", "goes", {}, choose, "Somebody")
    graph = get_main_graph(Agent(name="A", handoffs=[chosen]))
    assert '"A" -> "Somebody";' in graph
    assert '"Somebody" -> "__end__";' not in graph


def test_names_cannot_break_out_of_their_quotes() -> None:
    graph = get_all_nodes(Agent(name='a"];\nb\\'))
    assert 'label="a\\"];\\nb\\\\"' in graph


def test_drawing_needs_a_package_that_says_so() -> None:
    if importlib.util.find_spec("graphviz") is None:
        with pytest.raises(UserError, match="get_main_graph"):
            draw_graph(Agent(name="A"))
    else:
        assert "digraph" in draw_graph(Agent(name="A")).source
