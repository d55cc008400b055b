from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handfast_inspect.report.markdown import render_markdown
from handfast_inspect.report.visible import is_hidden
from handfast_inspect.report.wording import Lang
from made_inspections import hostile_inspection, sample_inspection

BLOCK = re.compile(r"^(`{3,})text\n.*?\n\1$", re.DOTALL | re.MULTILINE)
SPAN = re.compile(r"(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)")
REFERENCE = re.compile(r"<https://[A-Za-z0-9./_#-]+>")


def outside_code(text: str) -> str:
    """What a renderer reads as Markdown: everything but code and our own links."""
    return REFERENCE.sub("", SPAN.sub("", BLOCK.sub("", text)))


def test_the_report_has_every_part() -> None:
    text = render_markdown(sample_inspection())
    for heading in (
        "# Security inspection: example.test",
        "## Summary",
        "## Findings",
        "## Not tested",
        "## Web grades",
        "## Scope and authorisation",
        "## Evidence",
    ):
        assert f"\n{heading}\n" in f"\n{text}"
    assert "Coverage: **" in text
    assert "Ada Example, CISO" in text
    assert "### CRITICAL: A file with secrets is public" in text
    assert "curl -sS -i --max-filesize 1000000 https://www.example.test/.env" in text
    assert sample_inspection().evidence_digest in text


def test_headings_and_titles_come_in_chinese() -> None:
    text = render_markdown(sample_inspection(), "zh")
    assert "# 安全检查报告: example.test" in text
    assert "### 严重: 含有机密的文件可公开访问" in text
    assert "## 未检查的项目" in text


def test_a_degraded_run_says_so_first() -> None:
    text = render_markdown(replace(sample_inspection(), mode_reason="the model gave no answer"))
    assert text.index("the model gave no answer") < text.index("## Summary")


def test_an_inspection_without_results_has_a_report() -> None:
    empty = replace(
        sample_inspection(), checks=(), grades=(), sections=(), evidence=(), approvals=()
    )
    text = render_markdown(empty)
    assert "No findings." in text
    assert "## Not tested" not in text


def test_findings_without_identifiers_and_links_leave_these_lines_out() -> None:
    inspection = sample_inspection()
    check = next(c for c in inspection.checks if c.finding)
    assert check.finding is not None
    bare = replace(check.finding, cwe=None, cve=("CVE-2026-1",), references=(), config="")
    text = render_markdown(replace(inspection, checks=(replace(check, finding=bare),)))
    assert "- CVE-2026-1" in text
    assert "CWE-" not in text
    assert "**References**" not in text
    bare = replace(bare, cve=(), references=("javascript:alert(1)",))
    text = render_markdown(replace(inspection, checks=(replace(check, finding=bare),)))
    assert "CVE-" not in text
    assert "javascript" not in text


def assert_harmless(text: str) -> None:
    assert not any(is_hidden(character) for character in text if character not in "\n\t")
    rest = outside_code(text)
    assert not re.search(r"(?<!\\)[<]", rest)
    assert not re.search(r"(?<!\\)\!(?<!\\)\[", rest)
    assert not re.search(r"(?<!\\)\]\(", rest)
    assert not re.search(r"(?i)\b(https?|ftp|mailto):", rest)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_hostile_text_is_never_markup(lang: Lang) -> None:
    text = render_markdown(hostile_inspection(), lang)
    assert_harmless(text)
    assert "\n## Owned" not in BLOCK.sub("", text)
    ours = render_markdown(sample_inspection(), lang)
    assert (
        re.findall(r"^## .*", BLOCK.sub("", text), re.MULTILINE)[:1]
        == re.findall(r"^## .*", BLOCK.sub("", ours), re.MULTILINE)[:1]
    )


def test_tables_keep_their_columns_under_hostile_text() -> None:
    text = BLOCK.sub("", render_markdown(hostile_inspection()))
    header = "| Reason | Rule | Asset |"
    rows = text[text.index(header) :].split("\n\n")[0].split("\n")
    assert len(rows) > 2
    for row in rows:
        assert len(re.findall(r"(?<!\\)\|", row)) == 4


@settings(max_examples=25)
@given(st.text(max_size=40))
def test_any_text_is_harmless(text: str) -> None:
    assert_harmless(render_markdown(sample_inspection(lambda given: given + text)))
