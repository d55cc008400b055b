"""No page points to a file that is not there, and no translation is left behind."""

from __future__ import annotations

import re

from docs.pages import PAGES, ROOT

LINK = re.compile(r"\]\((?!https?://|mailto:|#)(?P<target>[^)#\s]+)(?:#[^)]*)?\)")
HEADING = re.compile(r"^#+ ", re.MULTILINE)
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def test_every_link_between_pages_leads_somewhere() -> None:
    dead = [
        f"{page.relative_to(ROOT)}: {found['target']}"
        for page in PAGES
        for found in LINK.finditer(page.read_text(encoding="utf-8"))
        if not (page.parent / found["target"]).exists()
    ]
    assert dead == []


def test_a_translated_page_has_the_sections_and_the_code_of_its_original() -> None:
    for page in PAGES:
        if not page.name.endswith(".zh-CN.md"):
            continue
        original = page.with_name(page.name.replace(".zh-CN.md", ".md"))
        translated, text = (path.read_text(encoding="utf-8") for path in (page, original))
        assert len(HEADING.findall(translated)) == len(HEADING.findall(text)), page.name
        assert FENCED.findall(translated) == FENCED.findall(text), page.name


def test_every_decision_is_listed() -> None:
    folder = ROOT / "docs" / "decisions"
    index = (folder / "README.md").read_text(encoding="utf-8")
    assert [path.name for path in folder.glob("0*.md") if f"({path.name})" not in index] == []
