"""Agents, their tools and their handoffs as a graph, in the DOT language.

The text needs nothing; `draw_graph` needs the `graphviz` package, and its program to make a file.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from typing_extensions import TypeIs

from handfast.agents.agent import AnyAgent, is_agent
from handfast.agents.handoff import Handoff
from handfast.errors import UserError

Kind: TypeAlias = Literal["agent", "handoff", "tool", "mcp_server"]

START, END = "__start__", "__end__"

_TERMINAL = "shape=ellipse, style=filled, fillcolor=lightblue, width=0.5, height=0.3"
_STYLES: dict[Kind, str] = {
    "agent": "shape=box, style=filled, fillcolor=lightyellow, width=1.5, height=0.8",
    "handoff": 'shape=box, style="filled,rounded", fillcolor=lightyellow, width=1.5, height=0.8',
    "tool": "shape=ellipse, style=filled, fillcolor=lightgreen, width=0.5, height=0.3",
    "mcp_server": "shape=box, style=filled, fillcolor=lightgrey, width=1, height=0.5",
}


def get_main_graph(agent: AnyAgent) -> str:
    """The whole graph of an agent and everyone it can hand over to, as DOT text."""
    graph = _Graph.of(agent, set())
    lines = [
        "digraph G {",
        "graph [splines=true];",
        'node [fontname="Arial"];',
        "edge [penwidth=1.5];",
        *graph.nodes(),
        *graph.edges(),
        "}",
    ]
    return "\n".join(lines)


def get_all_nodes(
    agent: AnyAgent,
    parent: AnyAgent | None = None,
    visited: set[str] | None = None,
) -> str:
    """The nodes of the graph.

    Args:
        agent: Where to begin.
        parent: Who hands over to it; None draws the start and the end too.
        visited: Names of agents that are drawn elsewhere; those drawn here are added.
    """
    return "\n".join(_Graph.of(agent, _names(visited), inner=parent is not None).nodes())


def get_all_edges(
    agent: AnyAgent,
    parent: AnyAgent | None = None,
    visited: set[str] | None = None,
) -> str:
    """The edges of the graph; arguments are those of `get_all_nodes`."""
    return "\n".join(_Graph.of(agent, _names(visited), inner=parent is not None).edges())


def draw_graph(agent: AnyAgent, filename: str | None = None) -> Any:  # noqa: ANN401 - a graphviz.Source
    """The graph as a `graphviz.Source`, which notebooks show.

    Args:
        agent: Where to begin.
        filename: Where to write a PNG image, without its ending; None writes none.

    Raises:
        UserError: The `graphviz` package is not installed.
    """
    if importlib.util.find_spec("graphviz") is None:
        raise UserError("draw_graph needs the graphviz package; get_main_graph gives plain text.")
    graph = importlib.import_module("graphviz").Source(get_main_graph(agent))
    if filename:
        graph.render(filename, format="png", cleanup=True)
    return graph


def _names(visited: set[str] | None) -> set[str]:
    return set() if visited is None else visited


@dataclass
class _Node:
    kind: Kind
    name: str
    id: str


@dataclass
class _Graph:
    """Nodes and edges, in the order in which a walk from the first agent meets them."""

    visited: set[str]
    inner: bool
    drawn: list[_Node] = field(default_factory=list[_Node])
    links: list[str] = field(default_factory=list[str])
    _by_object: dict[int, _Node] = field(default_factory=dict[int, _Node])
    _taken: set[str] = field(default_factory=lambda: {START, END})

    @classmethod
    def of(cls, agent: AnyAgent, visited: set[str], *, inner: bool = False) -> _Graph:
        """The graph from an agent on."""
        graph = cls(visited, inner)
        graph._taken.update(_escaped(name) for name in visited)
        if agent.name not in visited:
            elsewhere = frozenset(visited)
            first = graph._add("agent", agent.name, agent)
            if not inner:
                graph.links.append(f'"{START}" -> "{first.id}";')
            graph._walk(agent, first, elsewhere)
        return graph

    def nodes(self) -> Iterator[str]:
        """The lines of the nodes."""
        if self.drawn and not self.inner:
            for terminal in (START, END):
                yield f'"{terminal}" [label="{terminal}", {_TERMINAL}];'
        for node in self.drawn:
            yield f'"{node.id}" [label="{_escaped(node.name)}", {_STYLES[node.kind]}];'

    def edges(self) -> Iterator[str]:
        """The lines of the edges."""
        yield from self.links

    def _walk(self, agent: AnyAgent, node: _Node, elsewhere: frozenset[str]) -> None:
        self.visited.add(agent.name)
        for tool in agent.tools:
            self._link(node, self._add("tool", tool.name, tool), "dotted")
        for server in agent.mcp_servers:
            self._link(node, self._add("mcp_server", server.name, server), "dashed")
        for target in agent.handoffs:
            self._hand_over(node, target, elsewhere)
        if not agent.handoffs:
            self.links.append(f'"{node.id}" -> "{END}";')

    def _hand_over(self, node: _Node, target: object, elsewhere: frozenset[str]) -> None:
        receiver: object = target.agent if _is_handoff(target) else target
        name = target.agent_name if _is_handoff(target) else getattr(target, "name", "")
        if not is_agent(receiver):
            self.links.append(f'"{node.id}" -> "{self._add("handoff", name, target).id}";')
        elif receiver.name in elsewhere:
            self.links.append(f'"{node.id}" -> "{_escaped(receiver.name)}";')
        elif id(receiver) in self._by_object:
            self.links.append(f'"{node.id}" -> "{self._by_object[id(receiver)].id}";')
        else:
            made = self._add("handoff", receiver.name, receiver)
            self.links.append(f'"{node.id}" -> "{made.id}";')
            self._walk(receiver, made, elsewhere)

    def _link(self, node: _Node, other: _Node, style: str) -> None:
        self.links.append(f'"{node.id}" -> "{other.id}" [style={style}, penwidth=1.5];')
        self.links.append(f'"{other.id}" -> "{node.id}" [style={style}, penwidth=1.5];')

    def _add(self, kind: Kind, name: str, drawn: object) -> _Node:
        """The node of a thing: a thing that two agents share is one node."""
        known = self._by_object.get(id(drawn))
        if known is not None:
            return known
        node_id, n = _escaped(name), len(self.drawn)
        while node_id in self._taken:
            node_id = f"__agents_graph_{kind}_{n}__"
            n += 1
        self._taken.add(node_id)
        node = self._by_object[id(drawn)] = _Node(kind, name, node_id)
        self.drawn.append(node)
        return node


def _escaped(name: str) -> str:
    """A name inside a quoted DOT string."""
    plain = name.replace("\\", "\\\\").replace('"', '\\"')
    return plain.replace("\r\n", "\\n").replace("\r", "\\n").replace("\n", "\\n")


def _is_handoff(value: object) -> TypeIs[Handoff[Any, Any]]:
    return isinstance(value, Handoff)
