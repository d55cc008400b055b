"""What every report says first: counts, the top findings, gaps by reason."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from handfast_inspect.facts.asset import Asset
from handfast_inspect.findings.finding import CheckResult, Finding, Severity, State
from handfast_inspect.findings.inspection_record import Inspection
from handfast_inspect.findings.store import Coverage, count_by_severity

TOP = 5
"""How many findings a manager reads."""


@dataclass(frozen=True, slots=True)
class Gap:
    """Checks without an answer that share a reason."""

    reason: str
    state: State
    rules: tuple[str, ...]
    assets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """The first page."""

    counts: tuple[tuple[Severity, int], ...]
    """Critical first, zeros included."""
    top: tuple[Finding, ...]
    coverage: Coverage
    gaps: tuple[Gap, ...]
    passed: tuple[CheckResult, ...]


def summarize(inspection: Inspection) -> Summary:
    """Make the first page of a report.

    Args:
        inspection: The record.

    Returns:
        Counts, the most important findings, coverage, gaps and passed checks.
    """
    findings = inspection.findings
    return Summary(
        counts=tuple(count_by_severity(findings).items()),
        top=most_important(findings),
        coverage=inspection.coverage,
        gaps=_gaps(inspection),
        passed=tuple(check for check in inspection.checks if check.state is State.PASS),
    )


def most_important(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The worst findings, one for each rule, so that five are five different problems.

    Args:
        findings: Worst first.

    Returns:
        At most `TOP` of them; notes are never important.
    """
    first: dict[str, Finding] = {}
    for finding in findings:
        if finding.severity > Severity.INFO:
            first.setdefault(finding.rule_id, finding)
    return tuple(first.values())[:TOP]


def show_asset(asset: Asset) -> str:
    """An asset in one line: the URL where there is one, else host, address and port.

    Args:
        asset: Any asset.

    Returns:
        Text, not escaped; empty for an asset without a name.
    """
    if asset.url:
        return asset.url
    host = f"[{asset.host}]" if ":" in asset.host else asset.host
    port = f":{asset.port}" if asset.port else ""
    address = f" ({asset.ip})" if asset.ip and asset.ip != asset.host else ""
    return f"{host}{port}{address}"


def _gaps(inspection: Inspection) -> tuple[Gap, ...]:
    groups: dict[tuple[str, State], list[CheckResult]] = defaultdict(list)
    for check in inspection.checks:
        if check.state in {State.NOT_TESTED, State.ERROR}:
            groups[check.detail, check.state].append(check)
    return tuple(
        Gap(
            reason=reason,
            state=state,
            rules=tuple(dict.fromkeys(check.rule_id for check in group)),
            assets=tuple(dict.fromkeys(filter(None, (show_asset(c.asset) for c in group)))),
        )
        for (reason, state), group in groups.items()
    )
