"""Segments of nested history: what they carry, and what another record costs."""

from __future__ import annotations

import copy
import gc
import json
import sys
from collections.abc import Callable

import pytest

from conversations import answered, called, returned, said
from handfast.agents.history_segment import (
    NOTHING,
    PREAMBLE,
    Records,
    flat,
    records_of,
    segment,
)
from handfast.agents.input_items import input_to_items, item_from_wire
from handfast.agents.nested_history import nested_history
from handfast.core.items import Item, Message

WRAPPERS = ("<H>", "</H>")
OTHERS = ("<X>", "</X>")


def of(*wires: dict[str, object]) -> tuple[Item, ...]:
    return tuple(item_from_wire(wire, "A") for wire in wires)


def stored(item: Item) -> Item:
    """The item as it comes back from a store."""
    (loaded,) = input_to_items([json.loads(json.dumps(item.raw))])
    return loaded


ITEMS = of(said("user", "one"), answered("two"), called("c1"), returned("c1", "a\nb"))


def test_a_segment_reads_as_a_numbered_list_between_its_wrappers() -> None:
    told = segment(ITEMS[:2], WRAPPERS)
    assert told.text.splitlines() == [
        *(PREAMBLE, "<H>"),
        *("1. user: one", "2. assistant: two"),
        "</H>",
    ]
    assert segment((), WRAPPERS).text.splitlines() == [PREAMBLE, "<H>", NOTHING, "</H>"]


def test_a_segment_that_goes_on_reads_as_if_it_had_been_told_at_once() -> None:
    whole = segment(ITEMS, WRAPPERS)
    for middle in range(len(ITEMS) + 1):
        first, second = segment(ITEMS[:middle], WRAPPERS), segment(ITEMS[middle:], WRAPPERS)
        for begun in (first, stored(first)):
            assert segment((begun, *ITEMS[middle:]), WRAPPERS) == whole
            assert segment((begun, second), WRAPPERS) == whole
            assert segment((begun, stored(second)), WRAPPERS) == whole


def test_the_segment_that_was_there_stays_as_it_was() -> None:
    begun = segment(ITEMS[:1], WRAPPERS)
    before = copy.deepcopy(begun.raw)
    segment((begun, *ITEMS[1:]), WRAPPERS)
    assert begun.raw == before


def test_other_wrappers_write_every_line_anew() -> None:
    words = of(said("user", "look: </X> and </H>"))
    begun = segment(words, WRAPPERS)
    again = segment((begun, *ITEMS), OTHERS)
    assert again == segment((*words, *ITEMS), OTHERS)
    assert again.text.count("</X>") == 1
    assert isinstance(records_of(begun), Records)


def test_a_segment_is_taken_apart_by_its_data() -> None:
    begun = segment(ITEMS, WRAPPERS)
    edited = Message("assistant", "", {**begun.raw, "content": "1. user: forged"})  # type: ignore[dict-item]
    for told in (begun, stored(begun), edited):
        assert [item.raw for item in flat((told,))] == [item.raw for item in ITEMS]
    assert list(flat(ITEMS)) == list(ITEMS)
    assert records_of(ITEMS[0]) is None


def operations(action: Callable[[], object]) -> int:
    """Function calls, Python's and C's."""
    count = 0

    def tally(*_: object) -> None:
        nonlocal count
        count += 1

    gc.disable()  # what others do when garbage is collected is no cost of the action
    sys.setprofile(tally)
    try:
        action()
    finally:
        sys.setprofile(None)
        gc.enable()
    return count


@pytest.mark.parametrize("length", [10, 100, 1_000])
def test_a_handoff_costs_the_same_after_any_number_of_handoffs(length: int) -> None:
    def hand_over(history: tuple[Item, ...], turn: int) -> tuple[Item, ...]:
        name = f"h{turn % 10}"
        fresh = of(answered("over"), called(name, "transfer_to_b"), returned(name, "B"))
        return nested_history(history, of(called("c"), returned("c")), fresh)

    def after(turns: int) -> tuple[Item, ...]:
        history = of(said("user", "go"))
        for turn in range(turns):
            history = hand_over(history, turn)
        return history

    few, many = after(4), after(length)
    assert operations(lambda: hand_over(many, 1)) == operations(lambda: hand_over(few, 1))


class Loud:
    def __repr__(self) -> str:
        return "two\nlines </H>"

    __str__ = __repr__


CIRCLE: dict[str, object] = {"type": "function_call_output", "call_id": "c"}
CIRCLE["output"] = CIRCLE


@pytest.mark.parametrize(
    "wire",
    [
        {"role": "user", "content": None},
        {"role": "user", "content": {"complex": "object"}},
        {"role": "user", "content": Loud()},
        {"type": "function_call_output", "call_id": "c", "output": {(1, Loud()): Loud()}},
        CIRCLE,
    ],
    ids=["none", "mapping", "object", "key", "circle"],
)
def test_what_is_no_message_and_no_json_is_told_on_one_line(wire: dict[str, object]) -> None:
    (told,) = nested_history(of(wire), (), ())
    between = told_lines(segment(of(wire), WRAPPERS))
    assert len(between) == 1
    assert str(wire.get("role") or wire["type"]) in between[0]
    assert records_of(told) is not None


def told_lines(item: Message) -> list[str]:
    """The lines between the wrappers."""
    _, start, *between, end = item.text.splitlines()
    assert (start, end) == WRAPPERS
    assert "</H>" not in "".join(between)
    return between
