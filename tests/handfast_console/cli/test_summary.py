from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from handfast_console.cli.summary import WORST, summary_of
from made_inspections import HOSTILE, hostile_inspection, sample_inspection


def test_the_summary_names_the_worst_and_counts_the_rest() -> None:
    inspection = sample_inspection()
    lines = summary_of(inspection, Path("out")).splitlines()
    assert lines[0].startswith(f"{inspection.target}: ")
    worst = inspection.findings[0]
    assert lines[1].startswith(f"- {worst.severity.value}: {worst.title} ({worst.rule_id}) at ")
    rest = len(inspection.findings) - WORST
    assert f"- and {rest} more" in lines
    assert any(line.startswith("coverage: ") for line in lines)
    assert lines[-1] == "report: out/report.html"


def test_without_findings_it_says_so() -> None:
    text = summary_of(replace(sample_inspection(), checks=(), grades=()), None)
    assert "nothing found" in text
    assert "report:" not in text
    assert "more" not in text


def test_a_reason_is_a_note() -> None:
    inspection = replace(sample_inspection(), mode_reason="no key")
    assert "note: no key\n" in summary_of(inspection, None)


def test_hostile_text_stays_on_its_line() -> None:
    inspection = replace(hostile_inspection(), mode_reason=HOSTILE)
    text = summary_of(inspection, Path(f"out{HOSTILE[:20]}"))
    assert all(character == "\n" or character.isprintable() for character in text)
    assert text.count("note: ") == 1
