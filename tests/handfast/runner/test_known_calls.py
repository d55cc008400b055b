from __future__ import annotations

import pytest

from handfast.core.items import Call, Item, Message, Reasoning
from handfast.errors import ModelBehaviorError
from handfast.runner.known_calls import KnownCalls


def call(call_id: str = "c1", arguments: str = "{}", item: str = "fc_a", name: str = "t") -> Call:
    raw = {"type": "function_call", "call_id": call_id, "name": name, "id": item}
    return Call(call_id, name, arguments, raw)


THOUGHT = Reasoning({"type": "reasoning", "id": "rs"})
WORDS = Message("assistant", "hi", {})


def test_a_call_keeps_its_id_when_that_is_free_and_gets_its_own_when_not() -> None:
    known = KnownCalls()
    known.take_up([Call("old", "t", "{}", {})], [Call("made", "t", "{}", {})])
    assert known.claim_id("c1", 1, 0) == "c1"
    assert known.claim_id("c1", 1, 1) == "call_1_1"
    assert known.claim_id("", 1, 2) == "call_1_2"
    assert known.claim_id("old", 2, 0) == "call_2_0"
    assert known.claim_id("made", 2, 2) == "call_2_2"
    assert known.claim_id("call_1_1", 2, 1) == "call_2_1"
    assert known.claim_id("", 1, 1) == "call_1_1_1"


def test_an_item_that_comes_again_is_left_out_with_the_reasoning_bound_to_it() -> None:
    known = KnownCalls()
    first = call(arguments='{"a": 1, "b": 2}')
    assert known.without_repeats([THOUGHT, first], 1) == [THOUGHT, first]
    again = call(arguments='{"b":2,"a":1}')
    other = call("c2", item="fc_b")
    assert known.without_repeats([WORDS, THOUGHT, again, other], 2) == [WORDS, other]


def test_an_item_that_stands_twice_in_an_answer_is_one_call() -> None:
    both: list[Item] = [call(), call()]
    assert KnownCalls().without_repeats(both, 1) == both[:1]


def test_items_of_a_stored_run_are_known() -> None:
    known = KnownCalls()
    known.take_up([], [call()])
    assert known.without_repeats([call()], 3) == []


def test_items_of_an_earlier_run_may_come_again() -> None:
    known = KnownCalls()
    known.take_up([call()], [])
    assert known.without_repeats([call()], 1) == [call()]


@pytest.mark.parametrize("other", [call(arguments='{"a":1}'), call(name="u")])
def test_an_item_that_changed_is_refused(other: Call) -> None:
    known = KnownCalls()
    known.without_repeats([call()], 1)
    with pytest.raises(ModelBehaviorError, match=r"completed tool call.*unique call ID"):
        known.without_repeats([other], 2)
    with pytest.raises(ModelBehaviorError, match="in one response"):
        KnownCalls().without_repeats([call(), other], 1)


@pytest.mark.parametrize("item", ["", "c1", "fc_c1"])
def test_an_item_without_an_id_of_its_own_never_counts_as_a_repeat(item: str) -> None:
    given = call(item=item)
    known = KnownCalls()
    known.without_repeats([given], 1)
    assert known.without_repeats([given], 2) == [given]


def test_a_counter_that_begins_anew_in_each_response_repeats_nothing() -> None:
    known = KnownCalls()
    known.without_repeats([call(item="fc_a")], 1)
    later = call(arguments='{"a":1}', item="fc_b")
    assert known.without_repeats([later], 2) == [later]


def test_arguments_that_are_no_json_are_compared_as_they_stand() -> None:
    known = KnownCalls()
    known.without_repeats([call(arguments="{")], 1)
    assert known.without_repeats([call(arguments="{")], 2) == []
