"""Run every rule over the facts: verdicts to check results and findings."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime

from handfast.errors import UserError
from handfast_inspect.facts.asset import Asset
from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.gap import GapFact
from handfast_inspect.findings.finding import (
    CheckResult,
    Confidence,
    Finding,
    ProbeClass,
    Severity,
    State,
)
from handfast_inspect.rules.catalog import CATALOG
from handfast_inspect.rules.rule import Rule, Verdict

_NOWHERE = Asset(host="")


def judge(
    facts: Facts,
    now: datetime,
    granted_classes: Collection[ProbeClass],
    rules: tuple[Rule, ...] = CATALOG,
) -> tuple[CheckResult, ...]:
    """Apply every rule.

    Args:
        facts: Everything that was seen.
        now: The moment of judgement, with a zone; expiry is measured against it.
        granted_classes: Probe classes that the scope allows; rules of other classes are answered
            with `not_tested` whatever the facts say.
        rules: The rule set; the whole catalog by default.

    Returns:
        At least one result for each rule, in the order of the rules.

    Raises:
        UserError: `now` has no zone.
    """
    if now.tzinfo is None:
        raise UserError("judge(now=...) needs a time with a zone, such as datetime.now(UTC)")
    return tuple(result for rule in rules for result in _apply(rule, facts, now, granted_classes))


def _apply(
    rule: Rule, facts: Facts, now: datetime, granted: Collection[ProbeClass]
) -> Iterator[CheckResult]:
    if rule.probe_class not in granted:
        reason = f"the scope does not grant probes of class {rule.probe_class.value}"
        yield CheckResult(rule.id, State.NOT_TESTED, _NOWHERE, (), reason)
        return
    answered = False
    for result in _checked(rule, facts, now):
        answered = True
        yield result
    for gap in facts.gaps:
        if any(_covers(pattern, rule.id) for pattern in gap.covers):
            answered = True
            yield _gap_result(rule, gap)
    if not answered:
        yield CheckResult(rule.id, State.NOT_TESTED, _NOWHERE, (), rule.needs)


def _checked(rule: Rule, facts: Facts, now: datetime) -> Iterator[CheckResult]:
    """What the rule says; a rule that breaks off is an error of that check and of no other."""
    try:
        for verdict in rule.check(facts, now):
            yield _result(rule, verdict)
    except Exception as error:  # noqa: BLE001 - a defect in one rule must not cost the report
        reason = f"the rule itself failed ({type(error).__name__}); please report this"
        yield CheckResult(rule.id, State.ERROR, _NOWHERE, (), reason)


def _covers(pattern: str, rule_id: str) -> bool:
    return rule_id.startswith(pattern) if pattern.endswith(".") else rule_id == pattern


def _gap_result(rule: Rule, gap: GapFact) -> CheckResult:
    state = State.ERROR if gap.kind == "error" else State.NOT_TESTED
    return CheckResult(rule.id, state, gap.asset, gap.evidence, gap.reason)


def _result(rule: Rule, verdict: Verdict) -> CheckResult:
    severity = verdict.severity
    return CheckResult(
        rule_id=rule.id,
        state=verdict.state,
        asset=verdict.asset,
        evidence=verdict.evidence,
        detail=verdict.detail,
        finding=None if severity is None else _finding(rule, verdict, severity),
    )


def _finding(rule: Rule, verdict: Verdict, severity: Severity) -> Finding:
    doubt = verdict.doubt
    return Finding(
        rule_id=rule.id,
        title=rule.title,
        severity=severity,
        asset=verdict.asset,
        location=verdict.location,
        evidence=verdict.evidence,
        explanation=verdict.detail,
        observed=verdict.observed,
        impact=rule.impact,
        remediation=rule.remediation,
        config=rule.config if verdict.config is None else verdict.config,
        reproduce=rule.reproduce(verdict.asset),
        references=rule.references,
        cwe=rule.cwe,
        cve=verdict.cve,
        confidence=doubt.confidence if doubt else Confidence.HIGH,
        confidence_reason=doubt.reason if doubt else "",
        effort=rule.effort,
        would_change=rule.would_change,
    )
