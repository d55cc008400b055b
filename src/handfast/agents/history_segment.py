"""A segment of nested history: an assistant's message that lists one record a line.

It carries its records as data, under a key of its raw form that no provider is sent, so it is taken
apart by structure and its text is never parsed. The records remember how they read: a segment that
goes on is the old lines and some new ones, whatever came before.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias, cast

from handfast.agents.input_items import RECORDS, item_from_wire, refusal_of, text_of
from handfast.agents.raw import InputItem, is_json_object, to_wire
from handfast.core.items import Item, Message

Wrappers: TypeAlias = tuple[str, str]
"""The lines before and after the records."""

PREAMBLE = "For context, this is what the user and the agents before you said and did:"
NOTHING = "(no previous turns recorded)"

_BREAKS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
"""What ends a line, as `str.splitlines` sees it."""

_UNTOLD = frozenset({"id", "status", "encrypted_content", "provider_data"})
"""Keys that mean something to a provider only."""


class Records(list[InputItem]):
    """What a segment tells of, and how it reads between which wrappers; never changed once made.

    Args:
        items: The records.
        lines: Their text, a line each.
        wrappers: What the text was made safe for.
    """

    __slots__ = ("lines", "wrappers")

    def __init__(self, items: Iterable[InputItem], lines: str, wrappers: Wrappers) -> None:
        super().__init__(items)
        self.lines = lines
        self.wrappers = wrappers


def records_of(item: Item) -> list[object] | None:
    """What a segment tells of; None for an item that is no segment."""
    records = item.raw.get(RECORDS) if is_json_object(item.raw) else None
    return cast("list[object]", records) if isinstance(records, list) else None


def segment(items: Sequence[Item], wrappers: Wrappers) -> Message:
    """A segment that tells of the items; of one that is a segment, what that tells of.

    The lines of a segment that comes first are taken over as they are.

    Args:
        items: What to tell, in order.
        wrappers: The lines around the records.
    """
    begun = _begun(items, wrappers)
    added = list(flat(items[1:] if begun else items))
    lines = [f"{n}. {_line(item, wrappers)}" for n, item in enumerate(added, len(begun) + 1)]
    told = "\n".join((begun.lines, *lines) if begun else lines)
    records = Records([*begun, *(to_wire(item.raw) for item in added)], told, wrappers)
    text = "\n".join((PREAMBLE, wrappers[0], told or NOTHING, wrappers[1]))
    return Message("assistant", text, {"role": "assistant", "content": text, RECORDS: records})


def _begun(items: Sequence[Item], wrappers: Wrappers) -> Records:
    """The records that are written already: those of a segment that comes first."""
    records: object = records_of(items[0]) if items else None
    if isinstance(records, Records) and records.wrappers == wrappers:
        return records
    return Records((), "", wrappers)


def flat(items: Iterable[Item]) -> Iterator[Item]:
    """The items with every segment taken apart into what it tells of."""
    for item in items:
        records = records_of(item)
        if records is None:
            yield item
        else:
            yield from map(item_from_wire, records)


def _line(item: Item, wrappers: Wrappers) -> str:
    """The item on one line: as speech where it is a line of text, else as JSON."""
    wire = to_wire(item.raw)
    if isinstance(item, Message) and not item.refusal and _is_one_line(item.text, wrappers):
        name = wire.get("name")
        speaker = f"{item.role} ({name})" if isinstance(name, str) and _is_word(name) else item.role
        return f"{speaker}: {item.text}"
    told = {key: value for key, value in wire.items() if key not in _UNTOLD}
    if isinstance(item, Message):
        content = wire.get("content", "")
        told = {"role": item.role, "content": text_of(content) or refusal_of(content) or content}
    text = _one_line(told)
    for wrapper in wrappers:
        text = text.replace(wrapper, f"\\u{ord(wrapper[0]):04x}{wrapper[1:]}")
    return text


def _one_line(told: object) -> str:
    """Data as JSON on one line; data that JSON cannot hold, as Python writes it."""
    try:
        text = json.dumps(told, ensure_ascii=False, default=str)
    except (TypeError, ValueError, RecursionError):  # a key of another type, or a circle
        text = repr(told)
    # JSON escapes line breaks within text but for a few.
    for character in _BREAKS:
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _is_one_line(text: str, wrappers: Wrappers) -> bool:
    return text.splitlines() == [text] and not any(wrapper in text for wrapper in wrappers)


def _is_word(name: str) -> bool:
    return name.replace("_", "").replace("-", "").isalnum()
