"""Repairing what a provider would refuse."""

from __future__ import annotations

import copy
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conversations import ITEM, answered, called, returned, said, thought
from handfast.agents.input_items import (
    call_id_of,
    input_to_items,
    is_call,
    is_output,
    item_from_wire,
)
from handfast.agents.pairing import followers_of, repaired_pairs, without_server_id
from handfast.agents.raw import to_wire
from handfast.core.items import Call, HandoffResult, Item, Message, Opaque, Reasoning, Result

Wire = dict[str, object]
CONVERSATION = st.lists(ITEM, max_size=14)


def left(*wires: Wire) -> list[object]:
    return [item.raw for item in repaired_pairs(input_to_items(list(wires))).items]


def test_a_whole_conversation_stays_as_it_is() -> None:
    wires = [
        said("user", "q"),
        thought(),
        called("c1"),
        called("c2"),
        returned("c2"),
        returned("c1"),
        thought("rs_2"),
        answered("a"),
    ]
    repaired = repaired_pairs(input_to_items(wires))
    assert [item.raw for item in repaired.items] == wires
    assert repaired.dropped == ()


def test_a_call_without_its_output_goes_with_the_reasoning_that_led_to_it() -> None:
    assert left(said("user", "q"), thought(), called("c1"), answered("a")) == [
        said("user", "q"),
        answered("a"),
    ]


def test_an_output_without_its_call_goes() -> None:
    assert left(returned("c1"), said("user", "q")) == [said("user", "q")]


def test_an_output_before_its_call_is_no_answer() -> None:
    assert left(returned("c1"), called("c1")) == []


def test_a_second_output_of_one_call_goes() -> None:
    assert left(called("c1"), returned("c1", "1"), returned("c1", "2")) == [
        called("c1"),
        returned("c1", "1"),
    ]


def test_equal_messages_are_no_duplicates() -> None:
    wires = [said("user", "yes"), said("user", "yes")]
    assert left(*wires) == wires


@pytest.mark.parametrize("after", [[], [said("user", "q")], [returned("c9")]])
def test_reasoning_that_led_to_nothing_goes(after: list[Wire]) -> None:
    assert thought() not in left(thought(), *after)


def test_reasoning_in_several_items_shares_its_follower() -> None:
    wires = [thought("rs_1"), thought("rs_2"), answered("a")]
    assert left(*wires) == wires
    assert left(thought("rs_1"), thought("rs_2")) == []


def test_reasoning_of_one_agent_does_not_lead_to_another_agents_message() -> None:
    items = (Reasoning(thought(), "A"), Message("assistant", "x", answered("x"), "B"))
    assert repaired_pairs(items).dropped == items[:1]
    assert followers_of(items) == [-1, -1]


def test_what_a_provider_ran_itself_is_whole_alone() -> None:
    search: Wire = {"type": "web_search_call", "id": "ws_1"}
    listed: Wire = {"type": "mcp_list_tools", "id": "l1", "tools": []}
    assert left(thought(), search, listed) == [thought(), search, listed]


def test_calls_of_kinds_not_known_yet_are_paired_by_their_ids() -> None:
    call: Wire = {"type": "future_call", "call_id": "f1"}
    output: Wire = {"type": "future_call_output", "call_id": "f1", "output": "x"}
    assert left(call, output) == [call, output]
    assert left(call) == left(output) == []


def test_a_handoffs_answer_is_an_output() -> None:
    call = Call("h1", "transfer_to_b", "{}", called("h1"), "A", "handoff")
    answer = HandoffResult("h1", returned("h1"), "A", "B")
    assert repaired_pairs((call, answer)).items == (call, answer)
    assert repaired_pairs((answer,)).dropped == (answer,)


def test_reasoning_goes_when_a_filter_took_its_follower_though_a_message_comes_next() -> None:
    origin = input_to_items([thought(), called("c1"), returned("c1"), answered("a")])
    filtered = (origin[0], origin[3])
    assert repaired_pairs(filtered).items == filtered
    assert repaired_pairs(filtered, origin) == ((origin[3],), (origin[0],))


def test_a_message_whose_reasoning_a_filter_took_loses_the_providers_id() -> None:
    origin = input_to_items([thought(), answered("a", "msg_9"), answered("b", "msg_10")])
    kept = repaired_pairs(origin[1:], origin).items
    assert "id" not in [*dict.fromkeys(k for k in kept[0].raw)]  # type: ignore[attr-defined]  # a dict
    assert kept[0].agent == origin[1].agent
    assert kept[1] is origin[2]
    assert origin[1].raw == answered("a", "msg_9")


def test_reasoning_that_lost_a_part_goes_whole() -> None:
    origin = input_to_items([thought("rs_1"), thought("rs_2"), answered("a", "msg_9")])
    kept, dropped = repaired_pairs(origin[1:], origin)
    assert dropped == origin[1:2]
    assert len(kept) == 1
    assert kept[0].raw == {key: value for key, value in answered("a").items() if key != "id"}


def test_the_same_object_twice_is_two_items() -> None:
    message = said("user", "yes")
    assert left(message, called("c"), returned("c"), message) == [
        message,
        called("c"),
        returned("c"),
        message,
    ]


def test_a_long_run_is_repaired_in_one_pass() -> None:
    turn = [thought(), called("c"), returned("c")]
    items = input_to_items([*turn * 3_000, *[thought()] * 3_000])
    assert len(repaired_pairs(items, items).items) == 9_000


def test_an_item_without_an_id_is_not_copied() -> None:
    item = item_from_wire(said("user", "q"))
    assert without_server_id(item) is item


@given(CONVERSATION)
def test_every_pair_is_whole_after_the_repair(wires: list[Wire]) -> None:
    items = repaired_pairs(input_to_items(wires)).items
    assert pairs_are_whole(items)


@given(CONVERSATION)
def test_a_second_repair_changes_nothing(wires: list[Wire]) -> None:
    once = repaired_pairs(input_to_items(wires)).items
    assert repaired_pairs(once) == (once, ())


@given(CONVERSATION)
def test_order_is_kept_nothing_is_invented_and_every_item_is_accounted_for(
    wires: list[Wire],
) -> None:
    items = input_to_items(wires)
    kept, dropped = repaired_pairs(items)
    positions = [next(i for i, item in enumerate(items) if item is each) for each in kept]
    assert positions == sorted(positions)
    assert Counter(map(id, (*kept, *dropped))) == Counter(map(id, items))


@given(CONVERSATION)
def test_nothing_is_dropped_that_can_stay(wires: list[Wire]) -> None:
    dropped = repaired_pairs(input_to_items(wires)).dropped
    assert all(isinstance(item, Reasoning | Call | Result) or call_id_of(item) for item in dropped)


@given(CONVERSATION, st.data())
def test_whatever_a_filter_takes_away_what_is_left_is_whole(
    wires: list[Wire],
    data: st.DataObject,
) -> None:
    origin = repaired_pairs(input_to_items(wires)).items
    mask = data.draw(st.lists(st.booleans(), min_size=len(origin), max_size=len(origin)))
    filtered = [item for item, keep in zip(origin, mask, strict=True) if keep]
    once = repaired_pairs(filtered, origin).items
    assert pairs_are_whole(once)
    assert repaired_pairs(once, origin).dropped == ()


def pairs_are_whole(items: tuple[Item, ...]) -> bool:
    """The rule, written down a second time: outputs count calls down, reasoning looks ahead."""
    open_calls: Counter[str] = Counter()
    for position, item in enumerate(items):
        if isinstance(item, Call) or (is_call(item) and call_id_of(item)):
            open_calls[call_id_of(item)] += 1
        elif is_output(item) and (call_id_of(item) or not isinstance(item, Opaque)):
            open_calls[call_id_of(item)] -= 1
            if open_calls[call_id_of(item)] < 0:
                return False
        elif isinstance(item, Reasoning):
            after = next((i for i in items[position:] if not isinstance(i, Reasoning)), None)
            if after is None or (is_output(after) and call_id_of(after)) or is_answer(after):
                return False
            if isinstance(after, Message) and after.role != "assistant":
                return False
    return not +open_calls


def is_answer(item: Item) -> bool:
    return isinstance(item, Result | HandoffResult)


def test_one_object_at_two_places_is_judged_by_what_comes_after_it() -> None:
    listed: dict[str, object] = {
        "type": "mcp_list_tools",
        "id": "l1",
        "server_label": "s",
        "tools": [],
    }
    origin = input_to_items([thought("rs_1"), listed, said("user", ""), thought("rs_1"), listed])
    first = repaired_pairs([origin[0], origin[1], origin[3]], origin).items
    assert list(first) == [origin[0], origin[1]]
    assert repaired_pairs(first, origin).dropped == ()


def test_copies_are_known_by_the_id_that_their_provider_gave() -> None:
    origin = input_to_items([thought("rs_1"), answered("a", "msg_9"), answered("b", "msg_10")])
    kept = repaired_pairs(copy.deepcopy(origin[1:]), origin).items
    assert [to_wire(item.raw).get("id") for item in kept] == [None, "msg_10"]
    assert repaired_pairs(copy.deepcopy(origin), origin).items == origin


def test_an_id_that_several_items_have_tells_nothing() -> None:
    origin = input_to_items([thought("rs_1"), answered("a", "msg"), answered("b", "msg")])
    kept = copy.deepcopy(origin[1:])
    assert repaired_pairs(kept, origin).items == kept


def test_reasoning_that_a_filter_moved_away_binds_nothing() -> None:
    origin = input_to_items([thought("rs_1"), answered("a", "msg_9"), answered("b", "msg_10")])
    for moved in ((origin[1], origin[0]), (origin[1], origin[0], origin[2])):
        kept = repaired_pairs(moved, origin).items
        assert [to_wire(item.raw).get("id") for item in kept] == [None, "msg_10"][: len(kept)]
