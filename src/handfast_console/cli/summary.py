"""The few lines that an inspection ends with."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from handfast_console.cli.terminal import one_line
from handfast_inspect.findings.inspection_record import Inspection
from handfast_inspect.findings.store import count_by_severity
from handfast_inspect.report.summary import show_asset
from handfast_inspect.report.wording import Lang, rule_title, wording

WORST: Final = 5
"""Findings that are named; the report has all."""


def summary_of(inspection: Inspection, out: Path | None, lang: Lang = "en") -> str:
    """What was found, in lines.

    Args:
        inspection: The record.
        out: Where the report lies; None where none was written.
        lang: The language of the lines.
    """
    return "".join(f"{one_line(line)}\n" for line in _lines(inspection, out, lang))


def _lines(inspection: Inspection, out: Path | None, lang: Lang) -> Iterator[str]:
    words = wording(lang)
    counts = count_by_severity(inspection.findings)
    found = ", ".join(f"{count} {words[level.value]}" for level, count in counts.items() if count)
    yield f"{inspection.target}: {found or words['no_findings']}"
    for finding in inspection.findings[:WORST]:
        title = rule_title(finding.rule_id, lang)
        where = show_asset(finding.asset)
        yield f"- {words[finding.severity.value]}: {title} ({finding.rule_id}) {where}"
    if len(inspection.findings) > WORST:
        yield f"- ... {len(inspection.findings) - WORST}"
    for grade in inspection.grades:
        yield f"{words['grade']}: {grade.grade} ({grade.score}) {grade.host}"
    coverage = inspection.coverage
    yield (
        f"{words['coverage']}: {coverage.percent:g} % ({coverage.rules_tested} {words['of']} "
        f"{coverage.rules} {words['rules_tested']}; {words['checks']}: "
        f"{coverage.not_tested} {words['not_tested']}, {coverage.errors} {words['errors']})"
    )
    if inspection.mode_reason:
        yield f"{words['reason']}: {inspection.mode_reason}"
    if out is not None:
        yield f"{words['report']}: {out / 'report.html'}"
