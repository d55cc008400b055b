"""Nested history: at a handoff, what came before is told to the receiver instead of replayed.

Runs of items become *segments*: assistant messages that list one *record* a line between two
wrappers. Messages that a line of text cannot hold stay where they are, as themselves. A segment
carries its records as data, under a key of its raw form that no provider is sent, so that the next
handoff takes segments apart by structure. Text is never parsed: what looks like a record or a
wrapper in the words of a user or a web page is only words, and is written so that it cannot end
a line or a segment.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import cast

from handfast.agents.handoff import HandoffHistoryMapper, HandoffInputData
from handfast.agents.history_segment import flat, segment
from handfast.agents.input_items import (
    MOVED,
    input_form,
    input_to_items,
    is_call,
    is_output,
    item_from_wire,
)
from handfast.agents.items import ToolApprovalItem, item_of
from handfast.agents.pairing import followers_of, without_server_id
from handfast.agents.raw import InputItem, is_json_object, to_wire
from handfast.core.items import Item, Message, Reasoning
from handfast.errors import UserError

DEFAULT_START = "<CONVERSATION HISTORY>"
DEFAULT_END = "</CONVERSATION HISTORY>"

_TEXT_PARTS = frozenset({"input_text", "output_text", "text", "refusal"})


class _Wrappers:
    __slots__ = ("end", "start")

    def __init__(self) -> None:
        self.start = DEFAULT_START
        self.end = DEFAULT_END


_WRAPPERS = _Wrappers()


def set_conversation_history_wrappers(
    *,
    start: str | None = None,
    end: str | None = None,
) -> None:
    """Set the lines around the records of a segment, for this process.

    Args:
        start: The line before them; None leaves it as it is.
        end: The line after them; None leaves it as it is.

    Raises:
        UserError: One of them is no text.
    """
    for name, given in (("start", start), ("end", end)):
        if given is not None:
            setattr(_WRAPPERS, name, _require_line(name, given))


def get_conversation_history_wrappers() -> tuple[str, str]:
    """The lines before and after the records of a segment."""
    return _WRAPPERS.start, _WRAPPERS.end


def require_wrappers(given: object) -> None:
    """See that these can stand around the records of a segment.

    Raises:
        UserError: It is no pair of lines of text.
    """
    pair = cast("tuple[object, ...]", given) if isinstance(given, tuple) else ()
    if len(pair) != len(("start", "end")):
        raise UserError(f"Conversation history wrappers are a pair (start, end), not {given!r}.")
    for name, line in zip(("start", "end"), pair, strict=True):
        _require_line(name, line)


def reset_conversation_history_wrappers() -> None:
    """Go back to the lines that this module comes with."""
    _WRAPPERS.start, _WRAPPERS.end = DEFAULT_START, DEFAULT_END


def nested_history(
    conversation: Sequence[Item],
    earlier: Sequence[Item],
    fresh: Sequence[Item],
    mapper: HandoffHistoryMapper | None = None,
    wrappers: tuple[str, str] | None = None,
) -> tuple[Item, ...]:
    """The whole input of a handoff's receiver, with what came before nested.

    Messages of the turn that hands over stay as they are; so do those of systems and developers,
    whose words must not turn into an assistant's, and those that hold more than text.

    Args:
        conversation: What was said before the run, perhaps nested already.
        earlier: What the run produced before the turn that hands over.
        fresh: What that turn produced, the handoff's call and answer included.
        mapper: Makes the input instead, out of the flat conversation.
        wrappers: The lines before and after the records of a segment; None takes the process's.

    Raises:
        TypeError: The mapper returned no list of items.
    """
    if mapper is not None:
        return _mapped(mapper, [*map(_unmarked, flat(conversation)), *earlier, *fresh])
    around = wrappers or get_conversation_history_wrappers()
    told = [_unmarked(item) for item in conversation]
    moved_from = len(told)
    turn_from = moved_from + len(earlier)
    items = [*told, *_freed(earlier), *_freed(fresh)]
    stay = [
        _stays(item, in_turn=position >= turn_from, in_run=position >= moved_from)
        for position, item in enumerate(items)
    ]
    nested: list[Item] = []
    for as_it_is, run in groupby(enumerate(items), key=lambda entry: stay[entry[0]]):
        if as_it_is:
            nested.extend(_moved(item) if at >= moved_from else item for at, item in run)
        else:
            nested.append(segment([item for _, item in run], around))
    return tuple(nested) or (segment([], around),)


def nest_handoff_history(
    handoff_input_data: HandoffInputData,
    *,
    history_mapper: HandoffHistoryMapper | None = None,
    wrappers: tuple[str, str] | None = None,
) -> HandoffInputData:
    """Nest the history of a handoff, for use in a filter of one's own.

    The receiver sees the nested history and nothing else; `new_items` stay for the record.

    Args:
        handoff_input_data: What the receiver would see.
        history_mapper: Makes the input instead, out of the flat conversation.
        wrappers: The lines before and after the records of a segment; None takes the process's.

    Raises:
        TypeError: The mapper returned no list of items.
        UserError: A wrapper is no line of text.
    """
    if wrappers is not None:
        require_wrappers(wrappers)
    data = handoff_input_data
    fresh = data.new_items if data.input_items is None else data.input_items
    history = data.input_history
    nested = nested_history(
        input_to_items(history if isinstance(history, str) else list(history)),
        [item_of(item) for item in data.pre_handoff_items if not _is_question(item)],
        [item_of(item) for item in fresh if not _is_question(item)],
        history_mapper,
        wrappers,
    )
    return data.clone(
        input_history=tuple(to_wire(item.raw) for item in nested),
        pre_handoff_items=(),
        input_items=(),
    )


def default_handoff_history_mapper(transcript: list[InputItem]) -> list[InputItem]:
    """One segment that tells the whole transcript: a mapper to start from."""
    items = [item_from_wire(item) for item in transcript]
    return [to_wire(segment(items, get_conversation_history_wrappers()).raw)]


def was_moved(item: Item) -> bool:
    """True for a message of the run that nesting moved into the input, and which it also holds."""
    return is_json_object(item.raw) and MOVED in item.raw


# ---- which items are told, and which stay -------------------------------------------------------


def _stays(item: Item, *, in_turn: bool, in_run: bool) -> bool:
    if isinstance(item, Message):
        kept_role = item.role in {"system", "developer"}
        said_from_outside = in_run and item.role != "assistant"
        return in_turn or kept_role or said_from_outside or not _is_text_only(item)
    return not (isinstance(item, Reasoning) or is_call(item) or is_output(item))


def _is_text_only(message: Message) -> bool:
    content = to_wire(message.raw).get("content")
    # What is no list of parts is no form of a message that a provider takes: it can be told only.
    return not isinstance(content, list) or all(
        is_json_object(part) and part.get("type") in _TEXT_PARTS
        for part in cast("list[object]", content)
    )


def _freed(items: Sequence[Item]) -> list[Item]:
    """The items; those that reasoning led to without the id that binds them to it."""
    led_to = set(followers_of(items))
    return [
        without_server_id(item) if position in led_to else item
        for position, item in enumerate(items)
    ]


def _moved(item: Item) -> Item:
    return replace(item, raw={**to_wire(item.raw), MOVED: True})


def _unmarked(item: Item) -> Item:
    if not was_moved(item):
        return item
    wire = to_wire(item.raw)
    return replace(item, raw={key: value for key, value in wire.items() if key != MOVED})


def _mapped(mapper: HandoffHistoryMapper, items: Sequence[Item]) -> tuple[Item, ...]:
    made = cast("object", mapper([input_form(to_wire(item.raw)) for item in items]))
    if inspect.iscoroutine(made):
        made.close()
    if not isinstance(made, list | tuple):
        raise TypeError(
            f"A handoff_history_mapper must return a list of input items, "
            f"not {type(made).__name__}.",
        )
    return input_to_items(list(cast("Sequence[object]", made)))


def _is_question(item: object) -> bool:
    return isinstance(item, ToolApprovalItem)


def _require_line(name: str, given: object) -> str:
    if not isinstance(given, str) or given.splitlines() != [given] or not given.strip():
        raise UserError(f"The {name} wrapper must be one line of text, not {given!r}.")
    return given
