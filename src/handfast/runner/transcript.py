"""`Transcript`: the input items of the next model call, each rendered once."""

from __future__ import annotations

from collections.abc import Sequence

from handfast.agents.input_items import wire_from_item
from handfast.agents.pairing import repaired_pairs
from handfast.agents.raw import InputItem
from handfast.core.items import Item, Opaque, Reasoning
from handfast.core.log import Log

_NOTHING: Log[Item] = Log()


class Transcript:
    """What a model sees, kept beside the run.

    While the conversation only grows, each turn renders what is new. When it was rewritten (at the
    start, after a handoff filter, after storage) it is rendered anew, and what a provider would
    refuse is left out: a call without its answer, an answer without its call, reasoning without
    the item that it belongs to.

    Args:
        omit_reasoning_ids: Send reasoning without the id under which its provider stored it.
    """

    __slots__ = ("_input", "_rendered", "_seen", "omits_reasoning_ids")

    def __init__(self, *, omit_reasoning_ids: bool = False) -> None:
        self.omits_reasoning_ids = omit_reasoning_ids
        self._input = _NOTHING
        self._seen = _NOTHING
        self._rendered: list[InputItem] | None = None

    def render(self, conversation: Log[Item], seen: Log[Item]) -> list[InputItem]:
        """The input items for a conversation and what the run added to it, as a new list."""
        rendered = self._rendered
        if rendered is None or conversation is not self._input or not seen.grows_from(self._seen):
            kept, _ = repaired_pairs([*conversation, *seen])
            rendered = [self._wire(item) for item in kept]
        else:
            rendered.extend(self._wire(item) for item in _whole(list(seen.since(len(self._seen)))))
        self._input, self._seen, self._rendered = conversation, seen, rendered
        return rendered.copy()

    def _wire(self, item: Item) -> InputItem:
        return without_id(item) if self.omits_reasoning_ids else wire_from_item(item)


def without_id(item: Item) -> InputItem:
    """The input item for an item: for reasoning, without the id that its provider stored it by."""
    wire = wire_from_item(item)
    if isinstance(item, Reasoning) and "id" in wire:
        return {key: value for key, value in wire.items() if key != "id"}
    return wire


def _whole(turn: list[Item]) -> Sequence[Item]:
    """A turn's items. Its calls have answers; what else the model began may be without an end."""
    if any(isinstance(item, Opaque | Reasoning) for item in turn):
        return repaired_pairs(turn).items
    return turn
