"""`Keeper`: reads a session before a run, and adds the run's whole turns to it."""

from __future__ import annotations

import hashlib
import inspect
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from handfast.agents.context import RunContextWrapper
from handfast.agents.input_items import input_to_items, items_to_wire
from handfast.agents.json_types import is_array, is_object
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
    session_id: str | None = None
    """The session; None while the run has none."""
    last: str | None = None
    """Tells which item the session ended with, where the run knows."""
    pending: tuple[InputItem, ...] = ()
    """A write that was begun and not acknowledged: nobody knows yet what became of it."""
    pending_end: int = 0
    """How many of the run's items are written when that write is."""

    def to_data(self) -> dict[str, object]:
        """As JSON data, for a stored run."""
        return {
            "written": self.written,
            "waiting": [dict(each) for each in self.waiting],
            "session_id": self.session_id,
            "last": self.last,
            "pending": [dict(each) for each in self.pending],
            "pending_end": self.pending_end,
        }

    @classmethod
    def of(cls, data: object) -> Kept:
        """Read from a stored run; nothing was kept of a run without a session.

        Raises:
            UserError: The data is not what a stored run holds.
        """
        if data is None:
            return cls()
        record: Mapping[str, object] = data if is_object(data) else {}
        written, end = record.get("written"), record.get("pending_end", 0)
        waiting, pending = record.get("waiting"), record.get("pending", [])
        if not (isinstance(written, int) and isinstance(end, int)) or not (
            is_array(waiting) and is_array(pending)
        ):
            raise UserError("The stored run does not say what its session holds.")
        session_id, last = record.get("session_id"), record.get("last")
        return cls(
            written,
            tuple(to_wire(item) for item in waiting),
            session_id if isinstance(session_id, str) else None,
            last if isinstance(last, str) else None,
            tuple(to_wire(item) for item in pending),
            end,
        )

    def require(self, session: Session | None) -> None:
        """Refuse another session than the one that a write is open for.

        Raises:
            UserError: It is another one, or none.
        """
        given = None if session is None else session.session_id
        if self.pending and given != self.session_id:
            raise UserError(
                f"The run has a pending Session write for session {self.session_id!r}, and was "
                f"resumed with {given!r}. Resume it with the same session.",
            )


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
        known = Kept(session_id=self._session.session_id, last=_mark(history))
        if callback is None:
            self.kept = replace(known, waiting=tuple(fresh))
            return input_to_items([*history, *fresh])
        merged: Any = callback(list(history), list(fresh))
        if inspect.isawaitable(merged):
            merged = await merged
        if not is_array(merged):
            raise UserError(
                f"session_input_callback must return a list of items, not {type(merged).__name__}.",
            )
        conversation = input_to_items(merged)
        added = _not_in(history, [to_wire(item) for item in merged])
        self.kept = replace(known, waiting=tuple(added))
        return conversation

    async def keep(self, state: RunState) -> None:
        """Write what is finished and not written: the input, then whole turns.

        Raises:
            UserError: An earlier write was not acknowledged, and the session has changed since.
            Exception: Whatever the session raised; the next call tries again.
        """
        await self.settle()
        end = len(state.items) if isinstance(state.phase, Done) else state.items_mark
        fresh = [*self.kept.waiting, *items_to_wire(state.items[self.kept.written : end])]
        if not fresh:
            return
        self.kept = replace(
            self.kept,
            session_id=self._session.session_id,
            pending=tuple(fresh),
            pending_end=end,
        )
        await self._write()

    async def settle(self) -> None:
        """Finish a write that was begun and not acknowledged: write it, unless it is there.

        Raises:
            UserError: The session has changed since, so that neither is certain.
        """
        pending = self.kept.pending
        if not pending:
            return
        self.kept.require(self._session)
        tail = await self._session.get_items(limit=len(pending) + 1, **self._options)
        there = [_mark([item]) for item in tail]
        wanted = [_mark([item]) for item in pending]
        before = there[-len(pending) - 1 : -len(pending)]
        if there[-len(pending) :] == wanted and before in ([], [self.kept.last]):
            self._written()
        elif (there[-1] if there else None) == self.kept.last:
            await self._write()
        else:
            raise UserError(
                "A pending Session write cannot be finished: the session's history changed or is "
                "ambiguous since the write failed. Mend the session, then resume the run.",
            )

    async def _write(self) -> None:
        await self._session.add_items(list(self.kept.pending), **self._options)
        self._written()

    def _written(self) -> None:
        kept = self.kept
        self.kept = Kept(kept.pending_end, (), kept.session_id, _mark(kept.pending))


def _mark(items: Sequence[InputItem]) -> str | None:
    """Tells an item from others; that of the last one, None where there is none."""
    if not items:
        return None
    text = json.dumps(to_wire(items[-1]), sort_keys=True, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


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
