"""`Keeper`: reads a session before a run, and adds the run's whole turns to it."""

from __future__ import annotations

import hashlib
import inspect
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from handfast.agents.compaction import (
    OpenAIResponsesCompactionArgs,
    is_openai_responses_compaction_aware_session,
)
from handfast.agents.context import RunContextWrapper
from handfast.agents.input_items import (
    call_id_of,
    given_items,
    input_to_items,
    is_model_made,
    item_from_wire,
    items_to_wire,
)
from handfast.agents.json_types import is_array, is_object
from handfast.agents.pairing import without_server_id
from handfast.agents.raw import InputItem, to_wire
from handfast.agents.session import Session, SessionSettings, settings_of
from handfast.core.items import Call, Item, Message
from handfast.core.state import Done, RunState, Stopped
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
    ahead: tuple[str, ...] = ()
    """Tells which items beyond `written` the session has: what a failed turn had finished."""
    pending_ahead: tuple[str, ...] = ()
    """The same, once the write that was begun is acknowledged."""

    def to_data(self) -> dict[str, object]:
        """As JSON data, for a stored run."""
        return {
            "written": self.written,
            "waiting": [dict(each) for each in self.waiting],
            "session_id": self.session_id,
            "last": self.last,
            "pending": [dict(each) for each in self.pending],
            "pending_end": self.pending_end,
            "ahead": list(self.ahead),
            "pending_ahead": list(self.pending_ahead),
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
        ahead, later = record.get("ahead", []), record.get("pending_ahead", [])
        if not (is_array(ahead) and is_array(later)):
            raise UserError("The stored run does not say what its session holds.")
        return cls(
            written,
            tuple(to_wire(item) for item in waiting),
            session_id if isinstance(session_id, str) else None,
            last if isinstance(last, str) else None,
            tuple(to_wire(item) for item in pending),
            end,
            tuple(str(each) for each in ahead),
            tuple(str(each) for each in later),
        )

    def require(self, session: Session | None) -> None:
        """Refuse another session than the one that has the beginning of the run.

        Raises:
            UserError: It is another one; or there is none, and a write is open.
        """
        given: object = getattr(session, "session_id", None)
        open_here = self.pending if session is None else self.session_id is not None
        if open_here and given != self.session_id:
            raise UserError(
                f"The run has a pending Session write for session {self.session_id!r}, and was "
                f"resumed with {given!r}. Resume it with the same session.",
            )


class Keeper:
    """Keeps a session in step with a run.

    A turn is written when the next begins or the output is there, never in the middle: a run that
    fails, is cancelled or waits leaves no call without its output behind. Of a turn that failed,
    the calls that have their output are written, so that no effect is forgotten; a run that is
    resumed in the turn adds what is missing.

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
        own: object = getattr(session, "session_settings", None)
        self._limit = settings_of(own).resolve(settings).limit
        wants_context = all(_takes(getattr(session, name), "wrapper") for name in _OPERATIONS)
        self._options: dict[str, Any] = {"wrapper": context} if wants_context else {}
        self._context = context
        self._grown = False
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
        history = await self._read(self._limit)
        known = Kept(session_id=self.session_id, last=_mark(history))
        if self._limit and len(history) >= self._limit:
            history = _unbound(history)
        if callback is None:
            self.kept = replace(known, waiting=tuple(fresh))
            return given_items([*history, *fresh])
        # The callback may edit what it is given; what the session holds is not its to change.
        history = deepcopy(history)
        merged: Any = callback(list(history), list(fresh))
        if inspect.isawaitable(merged):
            merged = await merged
        if not is_array(merged):
            raise UserError(
                f"session_input_callback must return a list of items, not {type(merged).__name__}.",
            )
        conversation = given_items(merged)
        self.kept = replace(known, waiting=tuple(_added(history, fresh, merged)))
        return conversation

    async def keep(self, state: RunState) -> None:
        """Write what is finished and not written: the input, then whole turns.

        Raises:
            UserError: An earlier write was not acknowledged, and the session has changed since.
            Exception: Whatever the session raised; the next call tries again.
        """
        await self.settle()
        kept, mark = self.kept, state.items_mark
        end = len(state.items) if isinstance(state.phase, Done) else mark
        stays = state.phase.stays if isinstance(state.phase, Stopped) else 0
        # What was written ahead of its turn is skipped, each occurrence once, when the turn is.
        there = Counter(kept.ahead)
        turns = _missing(items_to_wire(state.items[kept.written : end]), there)
        early = _missing(items_to_wire(state.items[mark : mark + stays]), there)
        ahead = kept.ahead if end == kept.written else ()
        fresh = [*kept.waiting, *turns, *early]
        if not fresh:
            self.kept = replace(kept, written=end, ahead=ahead)
            return
        self.kept = replace(
            kept,
            session_id=self.session_id,
            pending=tuple(fresh),
            pending_end=end,
            pending_ahead=(*ahead, *(_mark_of(item) for item in early)),
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
        tail = await self._read(len(pending) + 1)
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

    async def compact(self, args: OpenAIResponsesCompactionArgs) -> None:
        """Let a session that can do so shorten itself, once after what was written here.

        Raises:
            Exception: Whatever the session raised.
        """
        session = self._session
        if not self._grown or not is_openai_responses_compaction_aware_session(session):
            return
        self._grown = False
        takes_context = _takes(session.run_compaction, "wrapper")
        options: dict[str, Any] = {"wrapper": self._context} if takes_context else {}
        await session.run_compaction(args, **options)

    async def _read(self, limit: int | None) -> list[InputItem]:
        """The session's items, newest kept; sessions that know no limit are asked for all."""
        read = self._session.get_items
        if limit is None:
            return await read(**self._options)
        if _takes(read, "limit"):
            return await read(limit=limit, **self._options)
        everything = await read(**self._options)
        return everything[-limit:] if limit > 0 else []

    async def _write(self) -> None:
        await self._session.add_items(list(self.kept.pending), **self._options)
        self._written()

    def _written(self) -> None:
        kept = self.kept
        self._grown = True
        self.kept = Kept(
            kept.pending_end,
            session_id=kept.session_id,
            last=_mark(kept.pending),
            ahead=kept.pending_ahead,
        )


def _mark(items: Sequence[InputItem]) -> str | None:
    """Tells an item from others; that of the last one, None where there is none."""
    return _mark_of(items[-1]) if items else None


def _mark_of(item: object) -> str:
    text = json.dumps(to_wire(item), sort_keys=True, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _missing(items: Sequence[InputItem], there: Counter[str]) -> list[InputItem]:
    """The items that are not there; those that are, are struck off the count."""
    missing: list[InputItem] = []
    for item in items:
        mark = _mark_of(item) if there.total() else ""
        if there[mark] > 0:
            there[mark] -= 1
        else:
            missing.append(item)
    return missing


def _unbound(cut: list[InputItem]) -> list[InputItem]:
    """Cut history whose first item does not ask for reasoning that may have been cut off.

    A provider that stored a call or message looks up the reasoning before it by the item's id, and
    refuses the one without the other.
    """
    first = item_from_wire(cut[0])
    optional = isinstance(first, Call | Message) or bool(call_id_of(first))
    if not (is_model_made(first) and optional):
        return cut
    return [to_wire(without_server_id(first).raw), *cut[1:]]


def _added(
    history: Sequence[InputItem],
    fresh: Sequence[InputItem],
    merged: Sequence[object],
) -> list[InputItem]:
    """What a callback's conversation holds beside the session's history.

    An item that the callback was given is known by itself, however often it is repeated and
    whatever was changed in it. A copy is known by what it holds, newest first: as many as there
    are new ones are new, and as many more as the history has are the history's.
    """
    given = {id(item) for item in history}
    new = {id(item) for item in fresh}
    there, wanted = Counter(map(_mark_of, history)), Counter(map(_mark_of, fresh))
    for item in merged:
        mark = _mark_of(item)
        if id(item) in given:
            there[mark] -= 1
        elif id(item) in new:
            wanted[mark] -= 1
    added: list[InputItem] = []
    for item in reversed(merged):
        mark = _mark_of(item)
        if id(item) in given:
            continue
        if id(item) not in new and wanted[mark] > 0:
            wanted[mark] -= 1
        elif id(item) not in new and there[mark] > 0:
            there[mark] -= 1
            continue
        added.append(to_wire(item))
    return added[::-1]


def _takes(method: Callable[..., object], name: str) -> bool:
    """Whether a method declares a parameter; a method that does not tell has none of ours."""
    try:
        parameter = inspect.signature(method).parameters.get(name)
    except Exception:  # noqa: BLE001 - a user's object may compute its signature, and fail at it
        return False
    return parameter is not None and parameter.kind is not inspect.Parameter.VAR_KEYWORD
