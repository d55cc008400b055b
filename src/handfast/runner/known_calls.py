"""Which of a run's calls an answer holds: new ones, old labels used again, the same item again.

An id of a call alone is a label. Some providers begin to count anew in every response, some give
the tool's name, some nothing: a call whose id was used before is a new call, and gets an id of its
own.

An item that has an id of its own beside the call's is told apart by both. Where both come again,
the provider has handed over the same item once more. Its call has run, and runs no second time;
where the item now says something else, nothing that it says can be trusted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from handfast.agents.input_items import is_custom_call, own_id_of
from handfast.agents.json_types import canonical, is_object
from handfast.core.items import Call, Item, Reasoning
from handfast.errors import ModelBehaviorError


class KnownCalls:
    """The calls of one run, by id and by item."""

    def __init__(self) -> None:
        self._ids: set[str] = set()
        self._items: dict[tuple[str, str], tuple[int, Call]] = {}

    def take_up(self, before: Iterable[Item], produced: Iterable[Item]) -> None:
        """Know a stored run's calls.

        Args:
            before: The conversation before the run: its ids are taken.
            produced: What the run produced: its items may come again.
        """
        self._ids.update(item.call_id for item in before if isinstance(item, Call))
        for item in produced:
            if isinstance(item, Call):
                self._ids.add(item.call_id)
                self._remember(item, turn=0)

    def without_repeats(self, items: Sequence[Item], turn: int) -> list[Item]:
        """An answer without the calls that the run has already, and the reasoning bound to those.

        Raises:
            ModelBehaviorError: The provider hands over an item again, with other content.
        """
        kept: list[Item] = []
        for item in items:
            if not isinstance(item, Call) or not self._is_known(item, turn):
                kept.append(item)
                continue
            while kept and isinstance(kept[-1], Reasoning):
                kept.pop()
        return kept

    def claim_id(self, wanted: str, turn: int, n: int) -> str:
        """An id for a call that no other call of the run has: the wanted one where it is free."""
        call_id, attempt = wanted, 0
        while not call_id or call_id in self._ids:
            call_id = f"call_{turn}_{n}" if attempt == 0 else f"call_{turn}_{n}_{attempt}"
            attempt += 1
        self._ids.add(call_id)
        return call_id

    def _is_known(self, call: Call, turn: int) -> bool:
        known = self._remember(call, turn)
        if known is None:
            return False
        earlier, first = known
        if _said(first) == _said(call):
            return True
        when = "in one response" if earlier == turn else "of a completed tool call"
        raise ModelBehaviorError(
            f"The model reused the call ID {call.call_id!r} {when} for a different invocation: the "
            f"same item was a call of {first.name} and is now another, of {call.name}. Nothing of "
            "it was run; every call needs a unique call ID.",
        )

    def _remember(self, call: Call, turn: int) -> tuple[int, Call] | None:
        """What is known of the call's item; None where it is new, or cannot be told."""
        own = own_id_of(call.raw, call.call_id)
        if own is None:
            return None
        known = self._items.get((own, call.call_id))
        if known is None:
            self._items[own, call.call_id] = (turn, call)
        return known


def _said(call: Call) -> tuple[bool, str, object, str]:
    """What a call says, however its JSON is spaced."""
    namespace = call.raw.get("namespace") if is_object(call.raw) else None
    return is_custom_call(call), call.name, namespace, canonical(call.arguments)
