from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast.agents.text import cut, storable


@pytest.mark.parametrize(
    ("given_text", "kept"),
    [
        ("plain", "plain"),
        ("中文 🚀", "中文 🚀"),
        ("a\x00b", "a␀b"),
        ("\ud800", "\\ud800"),
        ("中\udcff\x00", "中\\udcff␀"),
    ],
)
def test_what_cannot_be_stored_is_made_visible(given_text: str, kept: str) -> None:
    assert storable(given_text) == kept


@given(st.text(st.characters(codec=None)))
def test_the_result_can_always_be_encoded(text: str) -> None:
    made = storable(text)
    made.encode("utf-8")
    assert "\x00" not in made
    assert storable(made) == made


def test_a_short_text_is_left_alone() -> None:
    assert cut("abc", 3) == "abc"


def test_a_long_text_says_how_much_is_missing() -> None:
    assert cut("x" * 12_345, 3) == "xxx\n[12,342 of 12,345 characters cut]"
