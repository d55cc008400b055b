"""One item for each id: what code that edits a request adds twice is sent once.

Providers refuse a request in which two calls, or two answers, have the same id.
"""

from __future__ import annotations

from collections.abc import Sequence

from handfast.agents.input_items import call_id_of, is_output, item_from_wire
from handfast.agents.raw import InputItem, to_wire
from handfast.core.items import Message


def latest_of_each(items: Sequence[InputItem]) -> list[InputItem]:
    """The items, each id once and as it was said last.

    An answer stands where it was given last, anything else where it was first: so a call stays
    before its answer, and reasoning before what it led to. Messages are never duplicates.
    """
    keys = [_key(item) for item in items]
    last = {key: place for place, key in enumerate(keys) if key is not None}
    if len(last) == sum(key is not None for key in keys):
        return list(items)
    first: dict[tuple[str, str], int] = {}
    for place, key in enumerate(keys):
        if key is not None:
            first.setdefault(key, place)
    return [
        item if key is None else items[last[key]]
        for place, (item, key) in enumerate(zip(items, keys, strict=True))
        if key is None or place == (last if _is_answer(key) else first)[key]
    ]


def _key(item: InputItem) -> tuple[str, str] | None:
    """Kind and id of an item; None for one that cannot have a duplicate."""
    read = item_from_wire(item)
    if isinstance(read, Message):
        return None
    wire = to_wire(item)
    named = call_id_of(read) or wire.get("id")
    if not isinstance(named, str) or not named:
        return None
    kind = "answer" if is_output(read) else f"{wire.get('type')}"
    return kind, named


def _is_answer(key: tuple[str, str]) -> bool:
    return key[0] == "answer"
