"""The finding store: each finding once, in order, with counts and coverage.

Filled while an inspection runs; whatever ends the run, what was added is kept. The store changes
only in `FindingStore.add`.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from handfast.errors import UserError
from handfast_inspect.facts.asset import Asset
from handfast_inspect.findings.finding import CheckResult, Confidence, Finding, Severity, State
from handfast_inspect.plain_json import from_plain, to_plain

_CONFIDENCE_ORDER = (Confidence.HIGH, Confidence.MEDIUM, Confidence.LOW)


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of the rule set was really tested."""

    passed: int
    """Check results, as are the next three."""
    failed: int
    not_tested: int
    errors: int
    rules: int
    """Rules with at least one result."""
    rules_tested: int
    """Rules with at least one result that is a pass or a fail."""
    percent: float
    """0 to 100: every rule weighs the same, with the share of its checks that had an answer."""


class FindingStore:
    """Keeps check results and findings, each once.

    Results for the same rule, asset and location are one finding: the highest severity wins, and
    the evidence of all of them is kept.
    """

    def __init__(self, checks: Iterable[CheckResult] = ()) -> None:
        self._checks: dict[tuple[object, ...], CheckResult] = {}
        self.add(checks)

    def add(self, checks: Iterable[CheckResult]) -> None:
        """Add check results; those that are known already are merged.

        Args:
            checks: Results, in any order.

        Raises:
            UserError: A result is `fail` without a finding, or has a finding without being `fail`.
        """
        for check in checks:
            if (check.state is State.FAIL) is not (check.finding is not None):
                raise UserError(
                    f"{check.rule_id}: a check result carries a finding exactly when its state is "
                    f"fail; this one is {check.state.value}"
                )
            key = _key(check)
            known = self._checks.get(key)
            self._checks[key] = check if known is None else _merged(known, check)

    @property
    def checks(self) -> tuple[CheckResult, ...]:
        """Every check result, ordered by rule, asset and location."""
        return tuple(sorted(self._checks.values(), key=_check_order))

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Every finding, worst first, then the most certain, then by rule and asset."""
        return order_findings(
            check.finding for check in self._checks.values() if check.finding is not None
        )

    def to_json(self) -> str:
        """The whole store as canonical JSON: same content, same text."""
        return json.dumps(to_plain(self.checks), sort_keys=True, indent=1)

    @classmethod
    def from_json(cls, text: str) -> FindingStore:
        """Read what `to_json` wrote.

        Args:
            text: A JSON document.

        Returns:
            A store with the same checks and findings.

        Raises:
            UserError: The text is not such a document; the message names the place.
        """
        try:
            data: object = json.loads(text)
        except ValueError as error:
            raise UserError(f"a finding store is JSON; this text is not: {error}") from error
        return cls(from_plain(_StoredChecks, {"checks": data}).checks)


@dataclass(frozen=True, slots=True)
class _StoredChecks:
    checks: tuple[CheckResult, ...] = field(default=())


def order_findings(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Sort findings as a reader wants them.

    Args:
        findings: In any order.

    Returns:
        Worst first, then the most certain, then by rule, asset and location.
    """
    return tuple(
        sorted(
            findings,
            key=lambda item: (
                -item.severity.rank,
                _CONFIDENCE_ORDER.index(item.confidence),
                item.rule_id,
                _asset_order(item.asset),
                item.location,
            ),
        )
    )


def count_by_severity(findings: Iterable[Finding]) -> dict[Severity, int]:
    """Count findings.

    Args:
        findings: In any order.

    Returns:
        A count for every severity, critical first, zeros included.
    """
    counts = dict.fromkeys(reversed(Severity), 0)
    for finding in findings:
        counts[finding.severity] += 1
    return counts


def measure_coverage(checks: Iterable[CheckResult]) -> Coverage:
    """Say how much was tested.

    Args:
        checks: Every result of an inspection.

    Returns:
        Counts by state and the coverage in percent; 0 without any check.
    """
    states: dict[str, list[State]] = defaultdict(list)
    for check in checks:
        states[check.rule_id].append(check.state)
    every = [state for group in states.values() for state in group]
    shares = [
        sum(state in {State.PASS, State.FAIL} for state in group) / len(group)
        for group in states.values()
    ]
    return Coverage(
        passed=every.count(State.PASS),
        failed=every.count(State.FAIL),
        not_tested=every.count(State.NOT_TESTED),
        errors=every.count(State.ERROR),
        rules=len(states),
        rules_tested=sum(share > 0 for share in shares),
        percent=round(100 * sum(shares) / len(shares), 1) if shares else 0.0,
    )


def _key(check: CheckResult) -> tuple[object, ...]:
    if check.finding is not None:
        return (check.rule_id, check.finding.fingerprint)
    return (check.rule_id, check.state, _asset_order(check.asset), check.detail)


def _merged(known: CheckResult, new: CheckResult) -> CheckResult:
    evidence = tuple(dict.fromkeys(known.evidence + new.evidence))
    if known.finding is None or new.finding is None:
        return replace(known, evidence=evidence)
    worst = max(known, new, key=_severity_of)
    joined = tuple(dict.fromkeys(known.finding.evidence + new.finding.evidence))
    finding = worst.finding and replace(worst.finding, evidence=joined)
    return replace(worst, evidence=evidence, finding=finding)


def _severity_of(check: CheckResult) -> int:
    return -1 if check.finding is None else check.finding.severity.rank


def _asset_order(asset: Asset) -> tuple[str, int, str, str]:
    return (asset.host, asset.port or 0, asset.url or "", asset.ip or "")


def _check_order(check: CheckResult) -> tuple[object, ...]:
    location = check.finding.location if check.finding else ""
    return (check.rule_id, _asset_order(check.asset), check.state.value, location, check.detail)
