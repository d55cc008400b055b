"""Arguments that are nearly JSON, and ids that are missing or doubled."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast.models.call_repair import (
    CUT_BEFORE_ARGUMENTS,
    CallIds,
    arguments_text,
    is_object_text,
    sendable_arguments,
)


@pytest.mark.parametrize(
    ("given_", "read"),
    [
        (None, "{}"),
        ("", "{}"),
        ({"a": 1}, '{"a":1}'),
        ([1], "[1]"),
        ('{"a": 1}', '{"a": 1}'),
        (' {"a": 1}\n', ' {"a": 1}\n'),
        ('{"a": 1}\n```', '{"a": 1}'),
        ('{"a": 1}</tool_call>', '{"a": 1}'),
        ('{"a": 1}{"a": 1}', '{"a": 1}'),
        ('{}{"a": 1}', '{"a": 1}'),
        ('"{\\"a\\": 1}"', '{"a": 1}'),
    ],
)
def test_what_can_be_read_in_one_way_is_repaired(given_: object, read: str) -> None:
    assert arguments_text(given_) == read


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1',
        "{'a': 1}",
        "null",
        "[1, 2]",
        "42",
        "hello",
        '{"a": 1}{"a": 2}',
        '{"a": 1}{"a"',
        '"just text"',
        "[" * 5000,
    ],
)
def test_what_cannot_stays_as_the_model_wrote_it(text: str) -> None:
    assert arguments_text(text) == text


def test_a_cut_call_never_becomes_a_whole_one() -> None:
    assert arguments_text("", cut=True) == CUT_BEFORE_ARGUMENTS
    assert arguments_text(None, cut=True) == CUT_BEFORE_ARGUMENTS
    assert arguments_text('{}{"a": 1}', cut=True) == '{}{"a": 1}'
    assert not is_object_text(CUT_BEFORE_ARGUMENTS)


@given(st.dictionaries(st.text(), st.integers() | st.text()), st.integers(0, 400))
def test_no_beginning_of_an_object_is_taken_for_another(value: dict[str, object], at: int) -> None:
    text = json.dumps(value)
    part = text[:at]
    if part and part != text:
        assert not is_object_text(arguments_text(part, cut=True))
        assert not is_object_text(arguments_text(part))


def test_bad_arguments_are_sent_inside_an_object() -> None:
    assert sendable_arguments('{"a":1}') == '{"a":1}'
    assert json.loads(sendable_arguments('{"a": NaN}')) == {"invalid_arguments": '{"a": NaN}'}
    assert json.loads(sendable_arguments("{oops")) == {"invalid_arguments": "{oops"}


def test_ids_of_the_server_are_kept() -> None:
    ids = CallIds("seed")
    assert [ids.of("a", "f"), ids.of("b", "f")] == ["a", "b"]


@pytest.mark.parametrize("given_", [None, "", 5])
def test_a_missing_id_is_made_up(given_: object) -> None:
    assert CallIds("seed").of(given_, "f").startswith("call_")


def test_no_two_calls_of_an_answer_have_the_same_id() -> None:
    ids = CallIds("seed")
    made = [ids.of(call_id, "f") for call_id in ["", "", "x", "f", "f", "x"]]
    assert len(set(made)) == 6
    assert made[2] == "x"


def test_a_replayed_answer_gets_the_same_ids_and_another_answer_others() -> None:
    assert CallIds("seed").of("", "f") == CallIds("seed").of("", "f")
    assert CallIds("seed").of("", "f") != CallIds("other").of("", "f")
