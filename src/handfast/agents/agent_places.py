"""Where each agent stands in the graph of a first agent, in words that outlast a process."""

from __future__ import annotations

from handfast.agents.agent import AnyAgent, is_agent
from handfast.agents.approval import owner_of
from handfast.agents.catalog import Catalog
from handfast.agents.tool import FunctionTool


class AgentPlaces:
    """Agents by place, and places by agent, those behind agents used as tools included.

    An agent that cannot be told apart from another has no place: a decision made for it must not
    be taken for one made for the other.

    Args:
        first: The agent that a run begins with.
    """

    __slots__ = ("_owners", "_places")

    def __init__(self, first: AnyAgent) -> None:
        self._places: dict[str, str] = {}
        self._owners: dict[str, str] = {}
        waiting = [("", first)]
        seen: set[int] = set()
        while waiting:
            prefix, entry = waiting.pop()
            if id(entry) in seen:
                continue
            catalog = Catalog(entry)
            for agent in catalog:
                seen.add(id(agent))
                key = catalog.key_of(agent)
                place = f"{prefix}{key}"
                self._put(place, agent, alike=catalog.is_alike(key))
                waiting.extend((f"{place}/{name}/", behind) for name, behind in _behind(agent))

    def place_of(self, owner: str) -> str | None:
        """Where an agent stands, see `owner_of`; None where nobody certain does."""
        return self._places.get(owner)

    def owner_at(self, place: str) -> str | None:
        """Who stands at a place; None where nobody certain does."""
        return self._owners.get(place)

    def _put(self, place: str, agent: AnyAgent, *, alike: bool) -> None:
        owner = owner_of(agent)
        if owner is not None and not alike and owner not in self._places:
            self._places[owner] = place
            self._owners[place] = owner


def _behind(agent: AnyAgent) -> list[tuple[str, AnyAgent]]:
    return [
        (tool.name, tool.agent_tool.agent)
        for tool in agent.tools
        if isinstance(tool, FunctionTool)
        and tool.agent_tool is not None
        and is_agent(tool.agent_tool.agent)
    ]
