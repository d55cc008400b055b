"""`Keeper`: reads a session before a run, and adds the run's whole turns to it."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from handfast.agents.context import RunContextWrapper
from handfast.agents.input_items import input_to_items, items_to_wire
from handfast.agents.raw import InputItem, to_wire
from handfast.agents.session import Session, SessionSettings, settings_of
from handfast.core.items import Item
from handfast.core.state import Done, RunState
from handfast.errors import UserError

SessionInputCallback: TypeAlias = Callable[
    [list[InputItem], list[InputItem]],
    list[InputItem] | Awaitable[list[InputItem]],
]
"""`(history, new input)`: the conversation that the run begins with; sync or async."""

_OPERATIONS: Final = ("get_items", "add_items", "pop_item", "clear_session")


@dataclass(frozen=True, slots=True)
class Kept:
    """What a session holds of a run."""

    written: int = 0
    """How many of the run's items have been written."""
    waiting: tuple[InputItem, ...] = ()
    """New input that has not been written."""

    @classmethod
    def of(cls, data: object) -> Kept:
        """Read from a stored run; nothing was kept of a run without a session.

        Raises:
            UserError: The data is not what a stored run holds.
        """
        if data is None:
            return cls()
        written = data.get("written") if isinstance(data, dict) else None
        waiting = data.get("waiting") if isinstance(data, dict) else None
        if not isinstance(written, int) or not isinstance(waiting, list):
            raise UserError("The stored run does not say what its session holds.")
        return cls(written, tuple(to_wire(item) for item in waiting))


class Keeper:
    """Keeps a session in step with a run.

    A turn is written when the next begins or the output is there, never in the middle: a run that
    fails, is cancelled or waits leaves no half of it behind.

    Args:
        session: Where the conversation is kept.
        context: The run's context, for sessions whose methods ask for it (`wrapper=`).
        settings: The run's own settings, over those of the session.
        kept: What the session already holds of the run.
    """

    def __init__(
        self,
        session: Session,
        context: RunContextWrapper[Any],
        settings: SessionSettings | None = None,
        kept: Kept | None = None,
    ) -> None:
        self._session = session
        self._limit = settings_of(session.session_settings).resolve(settings).limit
        wants_context = all(_takes_wrapper(getattr(session, name)) for name in _OPERATIONS)
        self._options: dict[str, Any] = {"wrapper": context} if wants_context else {}
        self.kept = Kept() if kept is None else kept
        """What the session holds of the run."""

    @property
    def session_id(self) -> str | None:
        """The session's id."""
        found: object = getattr(self._session, "session_id", None)
        return found if isinstance(found, str) else None

    async def begin(
        self,
        given: object,
        callback: SessionInputCallback | None = None,
    ) -> tuple[Item, ...]:
        """The conversation that a run begins with: the session's, then the input.

        Args:
            given: The run's input.
            callback: Makes the conversation from both instead.

        Raises:
            UserError: The input is none, or the callback returned no list of items.
        """
        fresh = items_to_wire(input_to_items(given))
        history = await self._session.get_items(limit=self._limit, **self._options)
        if callback is None:
            self.kept = Kept(0, tuple(fresh))
            return input_to_items([*history, *fresh])
        merged: Any = callback(list(history), list(fresh))
        if inspect.isawaitable(merged):
            merged = await merged
        if not isinstance(merged, list):
            raise UserError(
                f"session_input_callback must return a list of items, not {type(merged).__name__}.",
            )
        conversation = input_to_items(merged)
        self.kept = Kept(0, tuple(_not_in(history, [to_wire(item) for item in merged])))
        return conversation

    async def keep(self, state: RunState) -> None:
        """Write what is finished and not written: the input, then whole turns."""
        end = len(state.items) if isinstance(state.phase, Done) else state.items_mark
        fresh = [*self.kept.waiting, *items_to_wire(state.items[self.kept.written : end])]
        if not fresh:
            return
        await self._session.add_items(fresh, **self._options)
        self.kept = Kept(end)


def _not_in(history: Sequence[InputItem], merged: Sequence[InputItem]) -> list[InputItem]:
    """The items that a callback added: those that are not the history's, each occurrence once."""
    known = Counter(map(repr, history))
    added: list[InputItem] = []
    for item in merged:
        if known[repr(item)] > 0:
            known[repr(item)] -= 1
        else:
            added.append(item)
    return added


def _takes_wrapper(method: Callable[..., object]) -> bool:
    try:
        parameter = inspect.signature(method).parameters.get("wrapper")
    except (TypeError, ValueError):
        return False
    return parameter is not None and parameter.kind is not inspect.Parameter.VAR_KEYWORD
