from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast_inspect.report.markdown_text import cell_code, code, code_block, plain, prose
from handfast_inspect.report.visible import visible


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("plain", "plain"),
        ("a|b", "a\\|b"),
        ("`x`", "\\`x\\`"),
        ("[x](http://a)", "\\[x\\](http\\://a)"),
        ("![x](y)", "\\!\\[x\\](y)"),
        ("<img>", "\\<img\\>"),
        ("&lt;", "\\&lt;"),
        ("# title", "\\# title"),
        ("- item", "\\- item"),
        ("+ item", "\\+ item"),
        ("1. item", "1\\. item"),
        ("1) item", "1\\) item"),
        ("===", "\\==="),
        ("*a* _b_ ~c~", "\\*a\\* \\_b\\_ \\~c\\~"),
        ("www.a.test", "www\\.a.test"),
        ("HTTPS://a.test", "HTTPS\\://a.test"),
        ("two\nlines", "two\\\\nlines"),
        ("$x$", "\\$x\\$"),
        ("中文：证书", "中文：证书"),
    ],
)
def test_text_is_never_markup(text: str, escaped: str) -> None:
    assert plain(text) == escaped


UNESCAPED = re.compile(r"(?<!\\)(?:\\\\)*[`*_{}\[\]<>#|~!&$@^]")


@given(st.text())
def test_no_special_character_stays_without_a_backslash(text: str) -> None:
    shown = plain(text)
    assert "\n" not in shown
    assert not UNESCAPED.search(shown)
    assert not re.match(r"\s*([-+=]|[0-9]+[.)])", shown)
    assert not re.search(r"(?i)\b(https?|ftp|mailto|xmpp):|\bwww\.", shown)


@given(st.text())
def test_taking_the_backslashes_away_gives_the_visible_text(text: str) -> None:
    assert re.sub(r"\\([^A-Za-z0-9\s])", r"\1", plain(text)) == visible(text, one_line=True)


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("x", "`x`"),
        ("a`b", "``a`b``"),
        ("`", "`` ` ``"),
        ("``a", "``` ``a ```"),
        ("", "` `"),
        (" a ", "`  a  `"),
        ("a|b", "`a|b`"),
        ("a\nb", "`a\\nb`"),
    ],
)
def test_code_spans_cannot_be_closed_from_inside(text: str, span: str) -> None:
    assert code(text) == span


def test_pipes_in_cells_are_escaped_even_in_code() -> None:
    assert cell_code("a|b") == "`a\\|b`"


@given(st.text(alphabet="`a |\\\n"))
def test_a_fence_is_longer_than_every_run_inside(text: str) -> None:
    span = code(text)
    runs = [len(run) for run in re.findall(r"`+", span)]
    assert runs[0] == runs[-1]
    assert len(runs) == 2 or runs[0] > max(runs[1:-1])
    assert "\n" not in span


@given(st.text(alphabet="`~a\n"))
def test_a_block_cannot_be_closed_from_inside(text: str) -> None:
    lines = code_block(text).split("\n")
    fence = lines[-1]
    assert lines[0] == f"{fence}text"
    assert not any(line.strip().startswith(fence) for line in lines[1:-1])


def test_blocks_can_be_indented() -> None:
    assert code_block("a\nb", "  ") == "  ```text\n  a\n  b\n  ```"


def test_prose_keeps_lists_and_paragraphs_only() -> None:
    text = "# Not a title\n\n* item <b>\n2) two\n> quote\n    code"
    assert prose(text) == "\\# Not a title\n\n- item \\<b\\>\n2) two\n\\> quote\n    code"
