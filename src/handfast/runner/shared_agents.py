"""Watches agents that several runs use at once: none of them may go on with another's tools.

An agent is a plain object, and hooks may change its tools for the run that they are called in.
While another run uses the same object, that would hand it tools which were meant for somebody else.
So when tools change while more than one run holds the agent, each of these runs fails before its
next model call. A run that holds an agent alone may change it as it likes.
"""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import TypeAlias

from handfast.agents.agent import AnyAgent
from handfast.errors import UserError

_Tools: TypeAlias = tuple[int, tuple[object, ...]]


class _Shared:
    """An agent that is held, its tools as they were seen last, and who holds it."""

    def __init__(self, agent: AnyAgent) -> None:
        self.agent = agent
        self.tools = _tools_of(agent)
        self.holders: set[Holding] = set()


_shared: dict[int, _Shared] = {}
_lock = threading.Lock()


class Holding:
    """The agents that one run holds."""

    def __init__(self) -> None:
        self._held: dict[int, AnyAgent] = {}
        self.conflicts: set[int] = set()
        """Ids of agents whose tools changed while this run and another held them."""

    @contextmanager
    def holding(self, agent: AnyAgent) -> Generator[None]:
        """Hold an agent, and those that are taken inside the block, to its end."""
        self.take(agent)
        try:
            yield
        finally:
            self._release()

    def take(self, agent: AnyAgent) -> None:
        """Hold one more agent."""
        if id(agent) in self._held:
            return
        self._held[id(agent)] = agent
        with _lock:
            shared = _shared.setdefault(id(agent), _Shared(agent))
            shared.holders.add(self)
            if len(shared.holders) > 1:
                _look(shared)

    def check(self, agent: AnyAgent) -> None:
        """Look at the tools of an agent that is held.

        Raises:
            UserError: They changed while another run held it too.
        """
        with _lock:
            shared = _shared.get(id(agent))
            if shared is not None and self in shared.holders:
                _look(shared)
        if id(agent) in self.conflicts:
            raise UserError(
                f"The tools of agent {agent.name!r} were changed while concurrent runs were using "
                "it. Give each run an agent of its own: agent.clone(tools=[...]).",
            )

    def _release(self) -> None:
        with _lock:
            for key in self._held:
                shared = _shared[key]
                _look(shared)
                shared.holders.discard(self)
                if not shared.holders:
                    del _shared[key]
        self._held.clear()
        self.conflicts.clear()


def _look(shared: _Shared) -> None:
    """Compare the tools with what was seen last; called with the lock held."""
    now = _tools_of(shared.agent)
    before, shared.tools = shared.tools, now
    if len(shared.holders) > 1 and not _same(before, now):
        for holder in shared.holders:
            holder.conflicts.add(id(shared.agent))


def _tools_of(agent: AnyAgent) -> _Tools:
    return agent.tools_set, tuple(agent.tools)


def _same(before: _Tools, now: _Tools) -> bool:
    # By identity: tools that are equal can still do different things.
    return (
        before[0] == now[0]
        and len(before[1]) == len(now[1])
        and all(old is new for old, new in zip(before[1], now[1], strict=True))
    )
