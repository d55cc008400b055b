from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handfast_inspect.findings.difference import compare_inspections
from handfast_inspect.report.html import render_html
from handfast_inspect.report.visible import is_hidden
from handfast_inspect.report.wording import Lang
from made_inspections import HOSTILE, hostile_inspection, sample_inspection


class Shape(HTMLParser):
    """The elements and attributes of a page, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: Counter[str] = Counter()
        self.attributes: set[tuple[str, str]] = set()
        self.links: list[str] = []
        self.text: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements[tag] += 1
        self.attributes |= {(tag, name) for name, _ in attrs}
        self.links += [value or "" for name, value in attrs if name == "href"]

    def handle_data(self, data: str) -> None:
        self.text.append(data)


PLAIN = Shape(render_html(sample_inspection()))


def test_the_report_has_every_part() -> None:
    text = " ".join(" ".join(PLAIN.text).split())
    for part in (
        "Security inspection",
        "example.test",
        "Coverage",
        "Most important",
        "Findings",
        "Not tested",
        "Web grades",
        "Scope and authorisation",
        "Ada Example, CISO",
        "SEC-1234",
        "Evidence",
        "SHA-256 over all evidence records",
        "Reproduce",
        "curl -sS -i --max-filesize 1000000 https://www.example.test/.env",
    ):
        assert part in text


def test_there_is_nothing_to_load_and_nothing_to_run() -> None:
    for page in (sample_inspection(), hostile_inspection()):
        shape = Shape(render_html(page))
        assert not {"script", "img", "link", "iframe", "object", "form", "base", "svg", "video"} & (
            shape.elements.keys()
        )
        assert not any(
            name.startswith("on") or name in {"src", "srcset"} for _, name in shape.attributes
        )
        assert all(link.startswith(("#", "https://")) for link in shape.links)


def test_styles_load_nothing() -> None:
    page = render_html(sample_inspection())
    css = page[page.index("<style>") : page.index("</style>")]
    assert "url(" not in css
    assert "@import" not in css
    assert "default-src 'none'" in page


def test_every_link_into_the_page_has_its_place() -> None:
    page = render_html(sample_inspection())
    ids = set(re.findall(r' id="([^"]+)"', page))
    inside = {link[1:].replace("%3A", ":") for link in PLAIN.links if link.startswith("#")}
    assert inside
    assert inside <= ids


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_hostile_text_adds_no_element_and_no_attribute(lang: Lang) -> None:
    page = render_html(hostile_inspection(), lang)
    shape = Shape(page)
    plain = Shape(render_html(sample_inspection(), lang))
    assert shape.elements.keys() <= plain.elements.keys()
    assert shape.attributes <= plain.attributes
    assert "<script>alert(1)" in "".join(shape.text)
    assert not any(is_hidden(c) for c in page if c not in "\n\t")


@settings(max_examples=25)
@given(st.text(max_size=40) | st.sampled_from([HOSTILE, "</style>", "{{ 7 * 7 }}", "{% raw %}"]))
def test_any_text_stays_text(text: str) -> None:
    page = render_html(sample_inspection(lambda given: given + text))
    shape = Shape(page)
    assert shape.elements.keys() <= PLAIN.elements.keys()
    assert shape.attributes <= PLAIN.attributes
    assert not any(is_hidden(c) for c in page if c not in "\n\t")


def test_template_syntax_in_facts_is_not_evaluated() -> None:
    page = render_html(sample_inspection(lambda text: text + "{{ 7 * 7 }}"))
    assert "{{ 7 * 7 }}" in page
    assert "example.test49" not in page


def test_a_stored_report_cannot_bring_a_script_link() -> None:
    inspection = sample_inspection()
    check = next(c for c in inspection.checks if c.finding)
    assert check.finding is not None
    bad = replace(check.finding, references=("javascript:alert(1)", 'https://a.test/"onclick="x'))
    page = render_html(replace(inspection, checks=(replace(check, finding=bad),)))
    assert all(link.startswith(("#", "https://")) for link in Shape(page).links)
    assert ("a", "onclick") not in Shape(page).attributes


def test_headings_and_titles_come_in_chinese() -> None:
    page = render_html(sample_inspection(), "zh")
    assert '<html lang="zh-Hans">' in page
    for part in (
        "安全检查报告",
        "覆盖率",
        "含有机密的文件可公开访问",
        "未检查的项目",
        "授权与范围",
    ):
        assert part in page


def test_changes_since_an_earlier_inspection_are_shown() -> None:
    after = sample_inspection()
    before = replace(after, checks=after.checks[:10])
    page = render_html(after, difference=compare_inspections(before, after))
    assert "Since the last inspection" in page
    assert "Since the last inspection" not in render_html(after)


def test_a_degraded_run_says_so() -> None:
    page = render_html(replace(sample_inspection(), mode_reason="the model gave no answer"))
    assert "the model gave no answer" in page


def test_an_inspection_without_results_has_a_report() -> None:
    empty = replace(
        sample_inspection(), checks=(), grades=(), sections=(), evidence=(), approvals=()
    )
    assert "No findings." in render_html(empty)
