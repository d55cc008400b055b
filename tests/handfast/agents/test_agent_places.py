from __future__ import annotations

from typing import Any

from handfast import Agent
from handfast.agents.agent_places import AgentPlaces
from handfast.agents.approval import owner_of


def place(places: AgentPlaces, agent: Agent[Any]) -> str | None:
    owner = owner_of(agent)
    assert owner is not None
    return places.place_of(owner)


def test_agents_stand_where_handoffs_and_tools_lead_to_them() -> None:
    leaf = Agent[Any](name="leaf")
    helper = Agent[Any](name="helper", handoffs=[leaf])
    peer = Agent[Any](name="peer", tools=[helper.as_tool("ask", "Ask.")])
    root = Agent[Any](name="root", handoffs=[peer])
    peer.handoffs.append(root)
    places = AgentPlaces(root)
    assert place(places, root) == "root"
    assert place(places, peer) == "peer"
    assert place(places, helper) == "peer/ask/helper"
    assert place(places, leaf) == "peer/ask/leaf"
    assert places.owner_at("peer/ask/leaf") == owner_of(leaf)
    assert places.owner_at("nowhere") is None


def test_agents_that_are_alike_have_no_place() -> None:
    twins = [Agent[Any](name="twin", instructions="same") for _ in range(2)]
    other = Agent[Any](name="twin", instructions="other")
    root = Agent[Any](name="root", handoffs=[*twins, other])
    places = AgentPlaces(root)
    assert [place(places, each) for each in twins] == [None, None]
    assert place(places, other) == "twin"
