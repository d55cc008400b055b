"""JSON from strangers."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast.models.json_text import (
    all_well_formed,
    compact_json,
    is_well_formed,
    object_in,
    objects_in,
    read_json,
    text_in,
    well_formed,
)


@pytest.mark.parametrize("text", ["", "{", b"\xff\xfe{", "[" * 100_000, "nul"])
def test_what_is_no_json_is_a_value_error(text: str | bytes) -> None:
    with pytest.raises(ValueError, match=r"JSON|Expecting|decode|nested"):
        read_json(text)


def test_letters_stay_themselves() -> None:
    assert compact_json({"名": ["é", 1]}) == '{"名":["é",1]}'


def test_fields_of_the_wrong_kind_count_as_absent() -> None:
    source: dict[str, object] = {"o": [], "a": [1, {"x": 2}, "s"], "t": 5, "n": None}
    assert object_in(source, "o") == {}
    assert objects_in(source, "a") == [{"x": 2}]
    assert objects_in(source, "o") == objects_in(source, "t") == objects_in(source, "n") == []
    assert text_in(source, "t") == text_in(source, "missing") == ""


def test_halves_of_a_pair_that_meet_become_one_letter() -> None:
    assert well_formed("a\ud83d\ude00b") == "a😀b"


def test_a_lone_half_is_replaced() -> None:
    assert well_formed("a\ud83d") == "a\ufffd"
    assert not is_well_formed("\ude00")
    assert is_well_formed("é")


@given(st.text(alphabet=st.characters(categories=["Cs", "L", "So"])))
def test_every_text_becomes_sendable_and_sound_text_stays(text: str) -> None:
    fixed = well_formed(text)
    fixed.encode()
    assert well_formed(fixed) == fixed
    if is_well_formed(text):
        assert fixed == text


def test_every_text_in_a_value_is_reached() -> None:
    value: object = json.loads('{"\\ud83d": ["\\ude00", {"a": "\\ud83d\\ude00"}, 1, null]}')
    compact_json(all_well_formed(value)).encode()
