from __future__ import annotations

from handfast_inspect.facts.asset import Asset
from handfast_inspect.facts.gap import GapFact
from handfast_inspect.findings.finding import Severity, State
from handfast_inspect.rules.rule import failed, passed, untested
from made_facts import ZONE

FACT = GapFact(ZONE, ("dns:1",), (), "")


def test_a_verdict_takes_asset_and_evidence_from_its_fact() -> None:
    for verdict in (
        passed(FACT, "fine"),
        failed(FACT, Severity.LOW, "here", "bad"),
        untested(FACT, "unknown"),
    ):
        assert (verdict.asset, verdict.evidence) == (ZONE, ("dns:1",))


def test_a_verdict_may_name_another_asset() -> None:
    other = Asset("other.test")
    assert passed(FACT, "fine", asset=other).asset == other
    assert failed(FACT, Severity.LOW, "here", "bad", asset=other).asset == other
    assert untested(FACT, "unknown", asset=other).asset == other


def test_only_failures_have_a_severity() -> None:
    assert failed(FACT, Severity.HIGH, "here", "bad").severity is Severity.HIGH
    assert passed(FACT, "fine").severity is None
    assert untested(FACT, "unknown").state is State.NOT_TESTED
