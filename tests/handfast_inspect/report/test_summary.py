from __future__ import annotations

from dataclasses import replace

import pytest

from handfast_inspect.facts.asset import Asset
from handfast_inspect.findings.finding import CheckResult, Severity, State
from handfast_inspect.report.summary import most_important, show_asset, summarize
from made_inspections import sample_inspection


def test_the_first_page_has_counts_the_worst_five_and_coverage() -> None:
    inspection = sample_inspection()
    summary = summarize(inspection)
    assert [severity for severity, _ in summary.counts] == list(reversed(Severity))
    assert sum(count for _, count in summary.counts) == len(inspection.findings)
    assert summary.top == most_important(inspection.findings)
    assert summary.top[0] == inspection.findings[0]
    assert summary.coverage == inspection.coverage


def test_the_most_important_are_five_different_problems() -> None:
    findings = sample_inspection().findings
    worst = findings[0]
    many = tuple(replace(worst, location=str(number)) for number in range(9)) + findings
    top = most_important(many)
    assert len(top) == len({finding.rule_id for finding in top}) == 5
    assert top[0] == many[0]


def test_notes_are_never_among_the_most_important() -> None:
    inspection = sample_inspection()
    notes = tuple(
        check
        for check in inspection.checks
        if check.finding is None or check.finding.severity is Severity.INFO
    )
    assert summarize(replace(inspection, checks=notes)).top == ()


def test_gaps_with_one_reason_are_one_row() -> None:
    site, other = Asset("a.test"), Asset("")
    checks = (
        CheckResult("a", State.NOT_TESTED, site, (), "no answer"),
        CheckResult("b", State.NOT_TESTED, site, (), "no answer"),
        CheckResult("c", State.ERROR, other, (), "no answer"),
        CheckResult("d", State.PASS, site, (), "fine"),
    )
    summary = summarize(replace(sample_inspection(), checks=checks))
    assert [(gap.state, gap.rules, gap.assets) for gap in summary.gaps] == [
        (State.NOT_TESTED, ("a", "b"), ("a.test",)),
        (State.ERROR, ("c",), ()),
    ]
    assert [check.rule_id for check in summary.passed] == ["d"]


@pytest.mark.parametrize(
    ("asset", "shown"),
    [
        (Asset("a.test"), "a.test"),
        (Asset("a.test", "192.0.2.1", 443), "a.test:443 (192.0.2.1)"),
        (Asset("192.0.2.1", "192.0.2.1", 22), "192.0.2.1:22"),
        (Asset("2001:db8::1", None, 22), "[2001:db8::1]:22"),
        (Asset("a.test", "192.0.2.1", 443, "https://a.test/x"), "https://a.test/x"),
        (Asset(""), ""),
    ],
)
def test_assets_in_one_line(asset: Asset, shown: str) -> None:
    assert show_asset(asset) == shown
