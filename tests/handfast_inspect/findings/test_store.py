from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast.errors import UserError
from handfast_inspect.facts.asset import Asset
from handfast_inspect.findings.finding import (
    CheckResult,
    Confidence,
    Finding,
    Severity,
    State,
)
from handfast_inspect.findings.store import (
    FindingStore,
    count_by_severity,
    measure_coverage,
    order_findings,
)

SITE = Asset("www.example.test", "192.0.2.1", 443)


def failure(
    rule: str = "http.csp",
    severity: Severity = Severity.LOW,
    location: str = "x",
    evidence: tuple[str, ...] = ("web:1",),
    asset: Asset = SITE,
) -> CheckResult:
    finding = Finding(rule, "Title", severity, asset, location, evidence, "Why.")
    return CheckResult(rule, State.FAIL, asset, evidence, "Why.", finding)


def other(state: State, rule: str = "http.csp", detail: str = "fine") -> CheckResult:
    return CheckResult(rule, state, SITE, (), detail)


def test_the_same_finding_is_kept_once_with_all_evidence_and_the_worst_severity() -> None:
    store = FindingStore([failure(), failure(severity=Severity.HIGH, evidence=("web:2",))])
    store.add([failure(asset=replace(SITE, ip="192.0.2.2"), evidence=("web:3",))])
    (finding,) = store.findings
    assert finding.severity is Severity.HIGH
    assert finding.evidence == ("web:1", "web:2", "web:3")
    (check,) = store.checks
    assert check.evidence == ("web:1", "web:2", "web:3")


def test_other_places_are_other_findings() -> None:
    assert len(FindingStore([failure(), failure(location="y"), failure("a")]).findings) == 3


def test_passes_and_gaps_are_kept_once_too() -> None:
    store = FindingStore([other(State.PASS), other(State.PASS), other(State.NOT_TESTED)])
    assert [check.state for check in store.checks] == [State.NOT_TESTED, State.PASS]
    assert store.findings == ()


def test_a_failure_without_a_finding_is_refused_and_so_is_the_reverse() -> None:
    with pytest.raises(UserError, match="exactly when its state is fail"):
        FindingStore([replace(failure(), finding=None)])
    with pytest.raises(UserError, match="exactly when its state is fail"):
        FindingStore([replace(failure(), state=State.PASS)])


def test_findings_come_worst_first_then_most_certain_then_by_rule() -> None:
    findings = [
        failure("b", Severity.LOW).finding,
        failure("c", Severity.HIGH).finding,
        failure("a", Severity.LOW).finding,
        failure("d", Severity.CRITICAL).finding,
    ]
    unsure = failure("e", Severity.HIGH).finding
    assert unsure is not None
    every = [*filter(None, findings), replace(unsure, confidence=Confidence.LOW)]
    assert [f.rule_id for f in order_findings(every)] == ["d", "c", "e", "a", "b"]


def test_counts_name_every_severity() -> None:
    counts = count_by_severity(filter(None, [failure(severity=Severity.HIGH).finding]))
    assert [(severity.value, count) for severity, count in counts.items()] == [
        ("critical", 0),
        ("high", 1),
        ("medium", 0),
        ("low", 0),
        ("info", 0),
    ]


def test_coverage_weighs_every_rule_alike_and_gaps_lower_it() -> None:
    checks = [
        failure("a"),
        other(State.PASS, "a"),
        other(State.PASS, "b"),
        other(State.NOT_TESTED, "b"),
        other(State.NOT_TESTED, "c"),
        other(State.ERROR, "d"),
    ]
    coverage = measure_coverage(checks)
    assert (coverage.passed, coverage.failed, coverage.not_tested, coverage.errors) == (2, 1, 2, 1)
    assert (coverage.rules, coverage.rules_tested) == (4, 2)
    assert coverage.percent == 37.5


def test_coverage_of_nothing_is_zero() -> None:
    assert measure_coverage([]).percent == 0.0


def test_a_dead_verifier_lowers_the_coverage() -> None:
    alive = measure_coverage([failure("a"), other(State.PASS, "b")])
    dead = measure_coverage([other(State.ERROR, "a"), other(State.PASS, "b")])
    assert dead.percent < alive.percent


CHECKS = st.lists(
    st.one_of(
        st.builds(
            failure,
            st.sampled_from(["a", "b"]),
            st.sampled_from(Severity),
            st.text(max_size=3),
            st.lists(st.text(max_size=3), max_size=2, unique=True).map(tuple),
        ),
        st.builds(
            other,
            st.sampled_from([State.PASS, State.NOT_TESTED, State.ERROR]),
            st.sampled_from(["a", "b"]),
            st.text(max_size=3),
        ),
    ),
    max_size=8,
)


@given(CHECKS)
def test_a_store_survives_storage_and_adding_twice_changes_nothing(
    checks: list[CheckResult],
) -> None:
    store = FindingStore(checks)
    assert FindingStore.from_json(store.to_json()).checks == store.checks
    before = store.to_json()
    store.add(store.checks)
    assert store.to_json() == before
    fingerprints = [finding.fingerprint for finding in store.findings]
    assert len(fingerprints) == len(set(fingerprints))


@given(CHECKS)
def test_the_order_of_adding_does_not_change_which_findings_there_are(
    checks: list[CheckResult],
) -> None:
    forward, backward = FindingStore(checks), FindingStore(reversed(checks))
    assert [(f.fingerprint, f.severity) for f in forward.findings] == [
        (f.fingerprint, f.severity) for f in backward.findings
    ]


@pytest.mark.parametrize("text", ["", "{", "{}", "[1]", '[{"rule_id": "a"}]'])
def test_a_text_that_is_no_store_is_refused(text: str) -> None:
    with pytest.raises(UserError):
        FindingStore.from_json(text)
