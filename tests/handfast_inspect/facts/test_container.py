from __future__ import annotations

from dataclasses import fields

from hypothesis import given, settings
from hypothesis import strategies as st

from handfast_inspect.facts.asset import Asset
from handfast_inspect.facts.container import Facts, merge_facts
from handfast_inspect.facts.dns import WildcardFact
from handfast_inspect.facts.gap import GapFact
from handfast_inspect.plain_json import from_plain, to_plain

ZONE = Asset("example.test")
WILDCARD = WildcardFact(ZONE, ("dns:1",), "example.test", matched=False)
GAP = GapFact(ZONE, (), ("tls.",), "no answer")


def test_merged_facts_keep_the_order_and_hold_each_fact_once() -> None:
    first = Facts(wildcards=(WILDCARD,), gaps=(GAP,))
    second = Facts(wildcards=(WILDCARD, WildcardFact(ZONE, ("dns:2",), "b.test", matched=True)))
    merged = merge_facts(first, second)
    assert [fact.zone for fact in merged.wildcards] == ["example.test", "b.test"]
    assert merged.gaps == (GAP,)


def test_merging_nothing_gives_no_facts() -> None:
    assert merge_facts() == Facts()


def test_every_field_is_an_empty_tuple_at_first() -> None:
    assert all(getattr(Facts(), field.name) == () for field in fields(Facts))


WILDCARDS = st.builds(
    WildcardFact, st.just(ZONE), st.just(("dns:1",)), st.sampled_from("abc"), st.booleans()
)
FACTS = st.builds(Facts, wildcards=st.lists(WILDCARDS, unique=True, max_size=4).map(tuple))


@settings(max_examples=30)
@given(FACTS, FACTS, FACTS)
def test_merging_is_associative_and_repeats_change_nothing(a: Facts, b: Facts, c: Facts) -> None:
    assert merge_facts(merge_facts(a, b), c) == merge_facts(a, merge_facts(b, c))
    assert merge_facts(a, b, b, a) == merge_facts(a, b)


@settings(max_examples=20)
@given(FACTS)
def test_facts_survive_storage(facts: Facts) -> None:
    assert from_plain(Facts, to_plain(facts)) == facts
