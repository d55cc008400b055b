from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handfast.errors import UserError
from handfast_inspect.facts.asset import Asset
from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.gap import GapFact
from handfast_inspect.findings.finding import Confidence, ProbeClass, Severity, State
from handfast_inspect.findings.store import FindingStore
from handfast_inspect.rules.catalog import CATALOG
from handfast_inspect.rules.judge import judge
from handfast_inspect.rules.rule import Verdict, failed
from made_facts import GOOD_HEADERS, NOW, SITE, certificate, response
from made_inspections import HOSTILE, sample_facts

ALL = tuple(ProbeClass)


def test_without_facts_every_rule_is_not_tested_and_says_what_it_needs() -> None:
    results = judge(Facts(), NOW, ALL)
    assert [result.rule_id for result in results] == [rule.id for rule in CATALOG]
    assert {result.state for result in results} == {State.NOT_TESTED}
    assert [result.detail for result in results] == [rule.needs for rule in CATALOG]


def test_classes_that_were_not_granted_are_not_judged_even_with_facts() -> None:
    results = judge(sample_facts(), NOW, (ProbeClass.PASSIVE,))
    tested = {r.rule_id for r in results if r.state is not State.NOT_TESTED}
    classes = {rule.id: rule.probe_class for rule in CATALOG}
    assert {classes[rule_id] for rule_id in tested} == {ProbeClass.PASSIVE}
    refused = [r for r in results if r.rule_id == "http.csp"]
    assert [r.detail for r in refused] == ["the scope does not grant probes of class R"]


def test_gaps_give_the_reason_and_the_state() -> None:
    gaps = (
        GapFact(SITE, (), ("tls.",), "port 443 timed out", kind="error"),
        GapFact(SITE, ("web:1",), ("http.csp",), "the page was too large"),
    )
    results = {r.rule_id: r for r in judge(Facts(gaps=gaps), NOW, ALL)}
    assert results["tls.cert.key"].state is State.ERROR
    assert results["tls.cert.key"].detail == "port 443 timed out"
    assert results["http.csp"].state is State.NOT_TESTED
    assert results["http.csp"].detail == "the page was too large"
    assert results["http.hsts"].detail != "the page was too large"


def test_a_rule_that_breaks_off_is_an_error_and_the_others_are_judged() -> None:
    def seen_then_broken(_facts: Facts, _now: datetime) -> Iterator[Verdict]:
        yield failed(certificate(), Severity.LOW, "certificate", "seen before it broke")
        raise KeyError("a header that nobody sends")

    broken = replace(CATALOG[0], check=seen_then_broken)
    results = judge(Facts(), NOW, ALL, (broken, CATALOG[1]))
    assert [(r.rule_id, r.state) for r in results] == [
        (broken.id, State.FAIL),
        (broken.id, State.ERROR),
        (CATALOG[1].id, State.NOT_TESTED),
    ]
    assert "KeyError" in results[1].detail
    assert "nobody sends" not in results[1].detail


def test_a_gap_does_not_hide_what_was_seen_elsewhere() -> None:
    gap = GapFact(Asset("b.test"), (), ("tls.cert.key",), "refused")
    facts = Facts(gaps=(gap,), certificates=(certificate(),))
    states = [r.state for r in judge(facts, NOW, ALL) if r.rule_id == "tls.cert.key"]
    assert states == [State.PASS, State.NOT_TESTED]


def test_a_gap_for_a_rule_does_not_cover_rules_whose_names_begin_alike() -> None:
    gap = GapFact(SITE, (), ("http.cookie.secure", "dns"), "no")
    details = {r.rule_id: r.detail for r in judge(Facts(gaps=(gap,)), NOW, ALL)}
    assert details["http.cookie.secure"] == "no"
    assert details["dns.spf"] != "no"


def test_findings_carry_what_rule_and_verdict_say() -> None:
    facts = Facts(responses=(response((*GOOD_HEADERS, ("Server", "nginx/1.18.0"))),))
    results = judge(facts, NOW, ALL)
    finding = next(r.finding for r in results if r.rule_id == "http.eol")
    assert finding is not None
    assert finding.title == "Software past its end of life"
    assert finding.evidence == ("web:0123456789abcdef",)
    assert finding.observed == "server: nginx/1.18.0"
    assert finding.confidence is Confidence.LOW
    assert "backports" in finding.confidence_reason
    assert finding.reproduce.startswith("curl")
    assert finding.cwe == 1104


def test_a_good_site_has_no_finding() -> None:
    facts = Facts(responses=(response(GOOD_HEADERS),), certificates=(certificate(),))
    assert [r.finding for r in judge(facts, NOW, ALL) if r.finding] == []


def test_a_time_without_a_zone_is_refused() -> None:
    with pytest.raises(UserError, match="zone"):
        judge(Facts(), datetime(2026, 1, 1), ALL)  # noqa: DTZ001 - the point of the test


@settings(max_examples=30)
@given(st.text(max_size=30))
def test_any_target_text_is_judged_without_a_crash_and_twice_alike(text: str) -> None:
    facts = sample_facts(lambda given: given + text)
    results = judge(facts, NOW, ALL)
    assert results == judge(facts, NOW, ALL)
    assert {result.rule_id for result in results} == {rule.id for rule in CATALOG}
    FindingStore(results)


def test_hostile_text_does_not_change_which_rules_speak() -> None:
    hostile = judge(sample_facts(lambda text: text + HOSTILE), NOW, ALL)
    assert len({r.rule_id for r in hostile}) == len(CATALOG)
