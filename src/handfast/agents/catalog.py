"""`Catalog`: the agents of one run by the names that a state stores.

A state names agents, a program holds them. The names are stable: walking the graph of handoffs
from the same first agent gives the same names in any process, so that a stored run finds its
agents again. Agents that share a name are told apart by a number, which goes by what they are (see
`agent_signature`) and not by where they stand, so that a graph built in another order gives the
same names.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from weakref import WeakValueDictionary

from handfast.agents.agent import AnyAgent, is_agent
from handfast.agents.agent_signature import agent_signature
from handfast.agents.handoff import Handoff, resolve_handoff_names
from handfast.agents.items import AgentName, NamedAgent
from handfast.agents.tool import FunctionTool
from handfast.agents.tool_names import resolve_tool_names
from handfast.errors import UserError


class Catalog:
    """Agents by key, and keys by agent.

    Args:
        first: The agent that a run starts with. Everything it can reach by handoffs with a fixed
            receiver is listed at once; agents that a handoff chooses at run time are added when
            they appear.
    """

    __slots__ = ("_agents", "_alike", "_first", "_keys", "_names", "_released")

    def __init__(self, first: AnyAgent) -> None:
        self._agents: dict[str, AnyAgent] = {}
        self._keys: dict[int, str] = {}
        self._alike: set[str] = set()
        self._names: dict[str, str] = {}
        self._released: WeakValueDictionary[str, AnyAgent] = WeakValueDictionary()
        self._first = self._add(first)
        groups: dict[str, list[AnyAgent]] = {}
        for agent in reachable(first):
            if agent is not first:
                groups.setdefault(agent.name, []).append(agent)
        for agents in groups.values():
            self._add_group(agents)

    def is_alike(self, key: str) -> bool:
        """True when another agent of the same name is the same in all that outlasts a process."""
        return key in self._alike

    def key_of(self, agent: AnyAgent) -> str:
        """The name that a state stores for the agent; a new one is added."""
        return self._keys.get(id(agent)) or self._add(agent)

    @property
    def first(self) -> AnyAgent:
        """The agent that the run started with.

        Raises:
            UserError: It is no longer in memory.
        """
        return self[self._first]

    def view(self, key: str) -> NamedAgent:
        """The agent that a state names, or its name alone once it is gone; the first for no key."""
        key = key or self._first
        if key in self._names:
            return self._released.get(key) or AgentName(self._names[key])
        return self[key]

    def release(self) -> None:
        """Hold the agents weakly from now on; their names stay."""
        for key, agent in self._agents.items():
            self._names[key] = agent.name
            self._released[key] = agent
        self._agents.clear()
        self._keys.clear()

    def __iter__(self) -> Iterator[AnyAgent]:
        return iter(list(self._agents.values()))

    def __getitem__(self, key: str) -> AnyAgent:
        """The agent that a state names.

        Raises:
            UserError: No agent reachable from the first one has this name.
        """
        agent = self._agents.get(key) or self._released.get(key)
        if agent is None and key in self._names:
            raise UserError(
                f"The agent {self._names[key]!r} is no longer in memory: a finished run keeps none "
                "alive. Keep a reference to the agents that you want to use again.",
            )
        if agent is None:
            raise UserError(
                f"Run state agent not found in agent map: {key!r}. Known agents: "
                f"{', '.join(sorted(self._agents))}. Resume with the agent that the run began "
                "with, and keep its handoffs.",
            )
        return agent

    def _add_group(self, agents: list[AnyAgent]) -> None:
        """Number the agents of one name by what they are."""
        if len(agents) == 1:
            self._add(agents[0])
            return
        signed = sorted(((agent_signature(each), each) for each in agents), key=_signature)
        for n, (signature, agent) in enumerate(signed):
            key = self._add(agent)
            near = signed[max(n - 1, 0) : n] + signed[n + 1 : n + 2]
            if any(signature == other for other, _ in near):
                self._alike.add(key)

    def _add(self, agent: AnyAgent) -> str:
        key, n = agent.name, 1
        while key in self._agents:
            n += 1
            key = f"{agent.name}#{n}"
        self._agents[key] = agent
        self._keys[id(agent)] = key
        return key


def catalog_behind(agent: AnyAgent, tool_name: str) -> Catalog:
    """The agents of the run behind one of an agent's tools, or behind a handoff that comes back.

    Raises:
        UserError: The agent has no such tool, or no agent is behind it.
    """
    for tool in resolve_tool_names(agent.tools):
        if (
            isinstance(tool, FunctionTool)
            and tool.name == tool_name
            and tool.agent_tool is not None
        ):
            behind = tool.agent_tool.agent
            if is_agent(behind):
                return Catalog(behind)
    for offered in resolve_handoff_names(agent.get_handoffs()):
        if offered.tool_name == tool_name and is_agent(offered.agent):
            return Catalog(offered.agent)
    raise UserError(
        f"Agent {agent.name!r} has no agent behind a tool {tool_name!r} any more; "
        "resume with the same agents and tools that the run began with.",
    )


def reachable(first: AnyAgent) -> Iterator[AnyAgent]:
    """An agent and every other that it can reach by handoffs, nearest first."""
    waiting: deque[AnyAgent] = deque((first,))
    seen = {id(first)}
    while waiting:
        agent = waiting.popleft()
        yield agent
        for receiver in _receivers(agent):
            if id(receiver) not in seen:
                seen.add(id(receiver))
                waiting.append(receiver)


def _signature(signed: tuple[str, AnyAgent]) -> str:
    return signed[0]


def _receivers(agent: AnyAgent) -> list[AnyAgent]:
    receivers: list[AnyAgent] = []
    for target in agent.handoffs:
        receiver = target.agent if isinstance(target, Handoff) else target
        if is_agent(receiver):
            receivers.append(receiver)
    return receivers
