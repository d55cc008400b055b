"""What changed between two inspections, by fingerprint."""

from __future__ import annotations

from dataclasses import dataclass

from handfast_inspect.findings.finding import CheckResult, Finding, State
from handfast_inspect.findings.inspection_record import Inspection


@dataclass(frozen=True, slots=True)
class Difference:
    """Findings sorted by what became of them; each tuple worst first."""

    new: tuple[Finding, ...]
    """In the later inspection only."""
    fixed: tuple[Finding, ...]
    """In the earlier one only, and the rule was tested again, completely, on that host."""
    unchanged: tuple[Finding, ...]
    """In both, as the later one has it."""
    unknown: tuple[Finding, ...]
    """In the earlier one only, but the rule could not be tested again: not fixed, not found."""


def compare_inspections(before: Inspection, after: Inspection) -> Difference:
    """Compare two inspections of the same target.

    Args:
        before: The earlier one.
        after: The later one.

    Returns:
        New, fixed and unchanged findings, and those of which nothing is known any more.
    """
    earlier = {finding.fingerprint for finding in before.findings}
    later = {finding.fingerprint for finding in after.findings}
    tested = {_place(check) for check in after.checks if check.state in _CONCLUSIVE}
    open_questions = {_place(check) for check in after.checks if check.state not in _CONCLUSIVE}
    certain = tested - open_questions
    gone = [finding for finding in before.findings if finding.fingerprint not in later]
    return Difference(
        new=tuple(f for f in after.findings if f.fingerprint not in earlier),
        fixed=tuple(f for f in gone if (f.rule_id, f.asset.host) in certain),
        unchanged=tuple(f for f in after.findings if f.fingerprint in earlier),
        unknown=tuple(f for f in gone if (f.rule_id, f.asset.host) not in certain),
    )


_CONCLUSIVE = {State.PASS, State.FAIL}


def _place(check: CheckResult) -> tuple[str, str]:
    return (check.rule_id, check.asset.host)
