from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack

import pytest

from handfast import Agent, UserError, function_tool
from handfast.runner.shared_agents import Holding


@function_tool
def look() -> str:
    """Look."""
    return "seen"


def set_tools(agent: Agent) -> None:
    agent.tools = [look]


def append_tool(agent: Agent) -> None:
    agent.tools.append(look)


def set_and_take_back(agent: Agent) -> None:
    before = agent.tools
    agent.tools = [look]
    agent.tools = before


@pytest.mark.parametrize("change", [set_tools, append_tool, set_and_take_back])
def test_tools_that_change_while_two_runs_hold_the_agent_stop_both(
    change: Callable[[Agent], None],
) -> None:
    agent = Agent(name="shared")
    one, two = Holding(), Holding()
    with one.holding(agent), two.holding(agent):
        two.check(agent)
        change(agent)
        for each in (two, one):
            with pytest.raises(UserError, match="'shared' were changed while concurrent runs"):
                each.check(agent)


def test_a_run_that_holds_an_agent_alone_may_change_it() -> None:
    agent = Agent(name="a")
    one, two = Holding(), Holding()
    with one.holding(agent):
        set_tools(agent)
        one.check(agent)
        # Another that comes now finds tools that were looked at.
        with two.holding(agent):
            two.check(agent)
        one.check(agent)


def test_a_run_that_comes_while_tools_change_is_stopped_too() -> None:
    agent = Agent(name="a")
    one, two = Holding(), Holding()
    with one.holding(agent):
        set_tools(agent)
        with two.holding(agent), pytest.raises(UserError, match="concurrent runs"):
            two.check(agent)
        with pytest.raises(UserError, match="concurrent runs"):
            one.check(agent)


def test_a_run_that_ends_after_a_change_leaves_a_mark_on_the_other() -> None:
    agent = Agent(name="a")
    one = Holding()
    with one.holding(agent):
        with Holding().holding(agent):
            set_tools(agent)
        with pytest.raises(UserError, match="concurrent runs"):
            one.check(agent)


def test_nothing_of_it_is_left_for_the_next_run() -> None:
    agent = Agent(name="a")
    one = Holding()
    with one.holding(agent), Holding().holding(agent):
        set_tools(agent)
    with one.holding(agent):
        one.check(agent)


def test_an_agent_that_is_taken_on_the_way_is_held_to_the_end() -> None:
    first, second = Agent(name="first"), Agent(name="second")
    one, two = Holding(), Holding()
    one.check(second)
    with ExitStack() as stack:
        stack.enter_context(one.holding(first))
        one.take(second)
        one.take(second)
        stack.enter_context(two.holding(second))
        set_tools(second)
        with pytest.raises(UserError, match="concurrent runs"):
            one.check(second)
        one.check(first)
