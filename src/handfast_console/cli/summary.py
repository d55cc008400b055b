"""The few lines that an inspection ends with."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from handfast_console.cli.terminal import one_line
from handfast_inspect.findings.inspection_record import Inspection
from handfast_inspect.findings.store import count_by_severity
from handfast_inspect.report.summary import show_asset

WORST: Final = 5
"""Findings that are named; the report has all."""


def summary_of(inspection: Inspection, out: Path | None) -> str:
    """What was found, in lines.

    Args:
        inspection: The record.
        out: Where the report lies; None where none was written.
    """
    return "".join(f"{one_line(line)}\n" for line in _lines(inspection, out))


def _lines(inspection: Inspection, out: Path | None) -> Iterator[str]:
    counts = count_by_severity(inspection.findings)
    found = ", ".join(f"{count} {severity.value}" for severity, count in counts.items() if count)
    yield f"{inspection.target}: {found or 'nothing found'}"
    for finding in inspection.findings[:WORST]:
        where = show_asset(finding.asset)
        yield f"- {finding.severity.value}: {finding.title} ({finding.rule_id}) at {where}"
    if len(inspection.findings) > WORST:
        yield f"- and {len(inspection.findings) - WORST} more"
    for grade in inspection.grades:
        yield f"web grade of {grade.host}: {grade.grade} ({grade.score})"
    coverage = inspection.coverage
    yield (
        f"coverage: {coverage.percent:g} % ({coverage.rules_tested} of {coverage.rules} rules, "
        f"{coverage.not_tested} checks not tested, {coverage.errors} failed to run)"
    )
    if inspection.mode_reason:
        yield f"note: {inspection.mode_reason}"
    if out is not None:
        yield f"report: {out / 'report.html'}"
