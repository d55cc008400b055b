"""Paused runs of agent tools that a program invokes by hand.

Inside `Runner.run` a paused agent tool pauses its caller, whose `RunState` holds it. A tool that is
invoked by hand has no caller: its paused run is kept here, by its call, until the tool is invoked
for the same call again, once a person has decided.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final
from weakref import WeakKeyDictionary

from handfast.agents.raw import to_wire

MOST: Final = 1_000
"""How many paused runs are kept; the oldest is dropped for a newer one."""


@dataclass
class PausedTools:
    """Paused runs by scope and call."""

    _kept: dict[tuple[str | None, str], Any] = field(
        default_factory=dict[tuple[str | None, str], Any],
    )
    _scopes: WeakKeyDictionary[Any, str | None] = field(
        default_factory=WeakKeyDictionary[Any, "str | None"],
    )

    def keep(self, tool_call: object, paused: Any, scope_id: str | None = None) -> None:  # noqa: ANN401 - a result, or a state
        """Keep a paused result, or its state, for the next time that its call is made.

        Args:
            tool_call: The call.
            paused: A `RunResult` with interruptions, or a `RunState`.
            scope_id: Tells calls of the same id in different conversations apart.
        """
        self._kept.pop((scope_id, _key(tool_call)), None)
        self._kept[scope_id, _key(tool_call)] = paused
        while len(self._kept) > MOST:
            self._kept.pop(next(iter(self._kept)))

    def peek(self, tool_call: object, scope_id: str | None = None) -> Any:  # noqa: ANN401 - a result, or a state
        """What is kept for a call; None for nothing."""
        return self._kept.get((scope_id, _key(tool_call)))

    def take(self, tool_call: object, scope_id: str | None = None) -> Any:  # noqa: ANN401 - a result, or a state
        """What is kept for a call, and keep it no longer; None for nothing."""
        return self._kept.pop((scope_id, _key(tool_call)), None)

    def set_scope(self, context: object, scope_id: str | None) -> None:
        """Say which scope a context belongs to."""
        self._scopes[context] = scope_id

    def scope_of(self, context: object) -> str | None:
        """The scope of a context; None where nobody said."""
        return self._scopes.get(context)


PAUSED_TOOLS: Final = PausedTools()
"""Those of this process."""


def record_agent_tool_run_result(
    tool_call: object,
    run_result: object,
    *,
    scope_id: str | None = None,
) -> None:
    """Keep a paused result for the next time that its call is made; see `PausedTools.keep`."""
    PAUSED_TOOLS.keep(tool_call, run_result, scope_id)


def record_agent_tool_resume_state(
    tool_call: object,
    state: object,
    *,
    scope_id: str | None = None,
) -> None:
    """Keep a state to go on with the next time that its call is made."""
    PAUSED_TOOLS.keep(tool_call, state, scope_id)


def peek_agent_tool_run_result(tool_call: object, *, scope_id: str | None = None) -> Any:  # noqa: ANN401 - a result, or a state
    """What is kept for a call; None for nothing."""
    return PAUSED_TOOLS.peek(tool_call, scope_id)


def consume_agent_tool_run_result(tool_call: object, *, scope_id: str | None = None) -> Any:  # noqa: ANN401 - a result, or a state
    """What is kept for a call, and keep it no longer; None for nothing."""
    return PAUSED_TOOLS.take(tool_call, scope_id)


def drop_agent_tool_run_result(tool_call: object, *, scope_id: str | None = None) -> None:
    """Keep nothing for a call any longer."""
    PAUSED_TOOLS.take(tool_call, scope_id)


def get_agent_tool_state_scope(context: object) -> str | None:
    """The scope of a context; None where nobody said."""
    return PAUSED_TOOLS.scope_of(context)


def set_agent_tool_state_scope(context: object, scope_id: str | None) -> None:
    """Say which scope a context belongs to."""
    PAUSED_TOOLS.set_scope(context, scope_id)


def _key(tool_call: object) -> str:
    """Tells calls apart: by their id, and by what they ask for, since ids come again."""
    wire = to_wire(tool_call)
    asked = (wire.get("call_id") or wire.get("id"), wire.get("name"), wire.get("arguments"))
    return repr(asked)
