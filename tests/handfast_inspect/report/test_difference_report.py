from __future__ import annotations

from dataclasses import replace

from handfast_inspect.findings.difference import Difference, compare_inspections
from handfast_inspect.report.difference_report import render_difference
from handfast_inspect.report.visible import is_hidden
from made_inspections import hostile_inspection, sample_inspection

NOTHING = Difference((), (), (), ())


def test_the_groups_are_counted_and_listed() -> None:
    after = sample_inspection()
    finding = after.findings[0]
    text = render_difference(replace(NOTHING, new=(finding,), unchanged=after.findings[1:]))
    assert "## New (1)" in text
    assert "- **critical** A file with secrets is public, `https://www.example.test/.env`" in text
    assert f"## Unchanged ({len(after.findings) - 1})" in text
    assert "## Fixed (0)" in text
    assert "## Not tested again (0)" in text
    assert after.findings[1].explanation not in text


def test_the_words_come_in_chinese() -> None:
    assert "# 与上次检查相比" in render_difference(NOTHING, "zh")


def test_hostile_text_is_harmless() -> None:
    empty = replace(sample_inspection(), checks=())
    text = render_difference(compare_inspections(empty, hostile_inspection()))
    assert not any(is_hidden(character) for character in text if character != "\n")
    assert "\n## Owned" not in text
    assert "![" not in text.replace("\\!\\[", "")
