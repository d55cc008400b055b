from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from handfast_console.cli.summary import WORST, summary_of
from handfast_inspect.report.wording import rule_title
from made_inspections import HOSTILE, hostile_inspection, sample_inspection


def test_the_summary_names_the_worst_and_counts_the_rest() -> None:
    inspection = sample_inspection()
    lines = summary_of(inspection, Path("out")).splitlines()
    assert lines[0].startswith(f"{inspection.target}: ")
    worst = inspection.findings[0]
    assert lines[1].startswith(f"- {worst.severity.value}: {worst.title} ({worst.rule_id}) ")
    assert f"- ... {len(inspection.findings) - WORST}" in lines
    assert any(line.startswith("Coverage: ") for line in lines)
    assert lines[-1] == "Security inspection: out/report.html"


def test_without_findings_it_says_so() -> None:
    text = summary_of(replace(sample_inspection(), checks=(), grades=()), None)
    assert "No findings." in text
    assert "report.html" not in text
    assert "..." not in text


def test_a_reason_is_a_note() -> None:
    inspection = replace(sample_inspection(), mode_reason="no key")
    assert "Reason: no key\n" in summary_of(inspection, None)


def test_hostile_text_stays_on_its_line() -> None:
    inspection = replace(hostile_inspection(), mode_reason=HOSTILE)
    text = summary_of(inspection, Path(f"out{HOSTILE[:20]}"))
    assert all(character == "\n" or character.isprintable() for character in text)
    assert text.count("Reason: ") == 1


def test_the_summary_can_be_chinese() -> None:
    text = summary_of(sample_inspection(), Path("out"), "zh")
    assert "安全检查报告: out/report.html\n" in text
    assert "覆盖率: " in text
    assert rule_title(sample_inspection().findings[0].rule_id, "zh") in text
