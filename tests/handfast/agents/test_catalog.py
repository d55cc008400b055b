from __future__ import annotations

import gc

import pytest

from handfast import Agent, UserError, handoff
from handfast.agents.catalog import Catalog, catalog_behind
from handfast.agents.items import AgentName


def test_agents_are_found_by_the_names_that_a_state_stores() -> None:
    leaf = Agent(name="leaf")
    middle = Agent(name="middle", handoffs=[handoff(leaf)])
    root = Agent(name="root", handoffs=[middle])
    leaf.handoffs.append(root)
    catalog = Catalog(root)
    assert [catalog[name] for name in ("root", "middle", "leaf")] == [root, middle, leaf]
    assert catalog.key_of(leaf) == "leaf"


def test_agents_of_one_name_are_told_apart_in_the_same_way_every_time() -> None:
    twins = [Agent(name="twin"), Agent(name="twin")]
    root = Agent(name="root", handoffs=[*twins])
    keys = [Catalog(root).key_of(twin) for twin in twins]
    assert keys == ["twin", "twin#2"]
    assert [Catalog(root)[key] for key in keys] == twins


def test_an_agent_that_a_handoff_chose_is_added_when_it_appears() -> None:
    catalog = Catalog(Agent(name="root"))
    late = Agent(name="root")
    assert catalog.key_of(late) == "root#2"
    assert catalog["root#2"] is late


def test_a_name_that_nobody_has_says_what_to_do() -> None:
    with pytest.raises(UserError, match="keep its handoffs"):
        Catalog(Agent(name="root"))["stranger"]


def test_the_agents_behind_a_tool_have_a_catalog_of_their_own() -> None:
    expert = Agent(name="expert")
    helper = Agent(name="helper", handoffs=[expert])
    agent = Agent(name="a", tools=[helper.as_tool("ask", "Ask.")])
    assert catalog_behind(agent, "ask")["expert"] is expert
    with pytest.raises(UserError, match="no agent behind"):
        catalog_behind(agent, "other")


def test_a_released_catalog_keeps_names_and_no_agents() -> None:
    held = Agent(name="held")
    catalog = Catalog(held)
    key = catalog.key_of(Agent(name="dropped"))
    catalog.release()
    catalog.release()
    gc.collect()
    assert catalog.first is held
    assert catalog.view("") is held
    assert catalog.view(key) == AgentName("dropped")
    with pytest.raises(UserError, match="'dropped' is no longer in memory"):
        catalog[key]
    with pytest.raises(UserError, match="not found"):
        catalog.view("other")
