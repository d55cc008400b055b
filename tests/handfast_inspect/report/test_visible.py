from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast_inspect.report.visible import escaped, is_hidden, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text", "plain text"),
        ("中文 é ñ 日本語", "中文 é ñ 日本語"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("a\x00b", "a\\0b"),
        ("a\rb", "a\\rb"),
        ("\x07\x08\x7f\x9b", "\\x07\\x08\\x7f\\x9b"),
        ("\u202eevil", "\\u202eevil"),
        ("\u2066x\u2069", "\\u2066x\\u2069"),
        ("a\u200bb\u200d\ufeff", "a\\u200bb\\u200d\\ufeff"),
        ("\U000e0041", "\\U000e0041"),
        ("\u2028\u2029", "\\u2028\\u2029"),
        ("\u3164\u115f", "\\u3164\\u115f"),
        ("\ufe0f", "\\ufe0f"),
        ("\ud800", "\\ud800"),
        ("\ue000", "\\ue000"),
        ("soft\u00adhyphen", "soft\\xadhyphen"),
        ("line\nbreak\ttab", "line\nbreak\ttab"),
    ],
)
def test_hidden_characters_are_shown(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_one_line_shows_breaks_and_tabs_as_well() -> None:
    assert visible("a\nb\tc", one_line=True) == "a\\nb\\tc"


@given(st.text(st.characters(codec=None)))
def test_nothing_hidden_comes_through(text: str) -> None:
    assert not any(is_hidden(character) for character in visible(text, one_line=True))
    assert not any(is_hidden(c) for c in visible(text) if c not in "\n\t")
    visible(text).encode("utf-8")


@given(st.text(st.characters(codec=None)))
def test_showing_twice_changes_nothing(text: str) -> None:
    assert visible(visible(text)) == visible(text)


@given(st.text(st.characters(categories=["L", "N", "P", "S"])))
def test_what_can_be_seen_stays_as_it_is(text: str) -> None:
    seen = "".join(c for c in text if not is_hidden(c))
    assert visible(seen) == seen


def test_escapes_are_those_of_python() -> None:
    for character in ("\x1b", "\u202e", "\U000e0041"):
        assert escaped(character).encode().decode("unicode_escape") == character
    assert unicodedata.category("\u202e") == "Cf"
