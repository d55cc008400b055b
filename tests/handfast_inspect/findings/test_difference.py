from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from handfast_inspect.facts.asset import Asset
from handfast_inspect.findings.difference import Difference, compare_inspections
from handfast_inspect.findings.finding import CheckResult, Finding, Severity, State
from made_inspections import sample_inspection

SITE = Asset("www.example.test", None, 443)


def failure(rule: str, location: str = "x") -> CheckResult:
    finding = Finding(rule, "Title", Severity.LOW, SITE, location, (), "Why.")
    return CheckResult(rule, State.FAIL, SITE, (), "Why.", finding)


def check(rule: str, state: State, asset: Asset = SITE) -> CheckResult:
    return CheckResult(rule, state, asset, (), "said")


def difference(before: Iterable[CheckResult], after: Iterable[CheckResult]) -> Difference:
    base = sample_inspection()
    return compare_inspections(
        replace(base, checks=tuple(before)), replace(base, checks=tuple(after))
    )


def rules(findings: tuple[Finding, ...]) -> list[str]:
    return [finding.rule_id for finding in findings]


def test_findings_are_new_unchanged_or_fixed() -> None:
    found = difference(
        [failure("old"), failure("kept")],
        [failure("kept"), failure("new"), check("old", State.PASS)],
    )
    assert rules(found.new) == ["new"]
    assert rules(found.unchanged) == ["kept"]
    assert rules(found.fixed) == ["old"]
    assert found.unknown == ()


def test_a_finding_that_could_not_be_tested_again_is_not_fixed() -> None:
    for again in (
        [],
        [check("old", State.NOT_TESTED)],
        [check("old", State.ERROR)],
        [check("old", State.PASS, Asset("other.test"))],
        [check("old", State.PASS), check("old", State.NOT_TESTED)],
    ):
        found = difference([failure("old")], again)
        assert rules(found.unknown) == ["old"]
        assert found.fixed == ()


def test_another_fault_in_the_same_place_is_new_and_the_old_one_fixed() -> None:
    found = difference([failure("a", "missing")], [failure("a", "short")])
    assert rules(found.new) == ["a"]
    assert rules(found.fixed) == ["a"]


def test_an_inspection_does_not_differ_from_itself() -> None:
    inspection = sample_inspection()
    found = compare_inspections(inspection, inspection)
    assert (found.new, found.fixed, found.unknown) == ((), (), ())
    assert found.unchanged == inspection.findings
