from __future__ import annotations

from datetime import UTC, datetime

import pytest

from handfast_inspect.facts.asset import Asset
from handfast_inspect.facts.dns import WildcardFact
from handfast_inspect.facts.http import PreloadFact
from handfast_inspect.probes.notes import Notes, utc_now

ASSET = Asset("site.test")
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def test_facts_are_sorted_into_the_fields_of_their_types() -> None:
    notes = Notes("a.probe")
    wildcard = WildcardFact(ASSET, (), "site.test", matched=True)
    preload = PreloadFact(ASSET, (), preloaded=False, snapshot="2026-01-01")
    for fact in (wildcard, preload, wildcard):
        notes.fact(fact)
    facts = notes.result().facts
    assert facts.wildcards == (wildcard,)
    assert facts.preload == (preload,)
    assert facts.gaps == ()


def test_something_that_is_no_fact_is_a_bug_of_ours() -> None:
    with pytest.raises(KeyError):
        Notes("a.probe").fact("words")


def test_evidence_is_kept_once_and_cited_by_its_id() -> None:
    notes = Notes("a.probe", lambda: NOON)
    first = notes.prove(ASSET, "an answer", b"bytes", reproduce="dig site.test")
    again = notes.prove(ASSET, "an answer", b"bytes")
    other = notes.prove(ASSET, "an answer", b"secret", shown=b"[6 bytes]")
    evidence = notes.result(1.5).evidence
    assert first == again != other
    assert [(item.id,) for item in evidence] == [first, other]
    assert evidence[0].taken_at == NOON
    assert evidence[0].reproduce == "dig site.test"
    assert evidence[1].redacted
    assert notes.result(1.5).seconds == 1.5


def test_a_gap_says_what_was_not_seen_in_a_clause_of_bounded_length() -> None:
    notes = Notes("a.probe")
    notes.gap(ASSET, ("dns.caa",), "x" * 999, "error")
    (gap,) = notes.result().facts.gaps
    assert gap.covers == ("dns.caa",)
    assert gap.kind == "error"
    assert len(gap.reason) == 300


def test_the_time_is_aware() -> None:
    assert utc_now().tzinfo is UTC
