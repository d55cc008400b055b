"""What a model sends with a handoff."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from enum import Enum
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel
from typing_extensions import TypedDict

from handfast.agents.handoff_input import HandoffInput
from handfast.errors import ModelBehaviorError, UserError


class Note(BaseModel):
    reason: str
    tags: list[str] = []
    again: Note | None = None


@dataclass
class Place:
    city: str
    floor: int


class Choice(TypedDict):
    yes: bool


class Color(Enum):
    RED = "red"


def told(_context: object, _data: object) -> None:
    """A callback that takes an input."""


def reader(input_type: Any) -> HandoffInput:
    return HandoffInput(told, input_type, "transfer_to_b")


@pytest.mark.parametrize(
    ("input_type", "arguments", "expected"),
    [
        (Note, '{"reason": "r", "tags": [], "again": null}', Note(reason="r")),
        (Place, '{"city": "北京", "floor": 3}', Place("北京", 3)),
        (Choice, '{"yes": true}', {"yes": True}),
        (int, '{"input": 5}', 5),
        (int, "5", 5),
        (list[int], '{"input": [1, 2]}', [1, 2]),
        (Literal["a", "b"], '{"input": "b"}', "b"),
        (Color, '"red"', Color.RED),
        (str, '{"input": "x"}', "x"),
    ],
)
def test_any_type_that_can_be_validated_is_described_and_read(
    input_type: Any,
    arguments: str,
    expected: object,
) -> None:
    made = reader(input_type)
    assert made.schema["type"] == "object"
    assert made.schema["additionalProperties"] is False
    assert made.read(arguments) == (expected,)


@pytest.mark.parametrize(
    ("input_type", "arguments"),
    [
        (int, '"3"'),
        (int, '{"input": "3"}'),
        (Place, '{"city": "x", "floor": "3"}'),
        (Note, '{"reason": 5}'),
        (Note, "{"),
        (Note, ""),
        (Note, "[]"),
        (Note, "null"),
        (Note, "\ud800"),
        (Note, '{"reason": "\ud800"}'),
        (int, "{"),
        (int, '{"input": 1, "more": 2}'),
        (Note, "[" * 100_000),
        (list[int], "[" * 100_000),
    ],
)
def test_input_is_validated_strictly(input_type: Any, arguments: str) -> None:
    with pytest.raises(ModelBehaviorError, match="Invalid JSON when parsing the arguments of"):
        reader(input_type).read(arguments)


def test_a_message_tells_what_is_wrong_and_where_but_not_the_value() -> None:
    with pytest.raises(ModelBehaviorError) as caught:
        reader(Place).read('{"city": "Geheimstadt", "floor": "secret"}')
    assert "floor: Input should be a valid integer" in str(caught.value)
    assert "secret" not in str(caught.value)


def test_no_input_at_all_is_the_models_fault() -> None:
    with pytest.raises(ModelBehaviorError, match="expected non-null input, but got None"):
        reader(Note).read(None)
    with pytest.raises(ModelBehaviorError, match="expected JSON text, but got dict"):
        reader(Note).read({"reason": "r"})


def test_without_a_type_whatever_comes_is_ignored() -> None:
    made = HandoffInput(print, None, "t")
    assert made.read(None) == made.read("junk") == ()


@pytest.mark.parametrize("input_type", [dict, dict[str, int], Note | None, object()])
def test_a_type_that_has_no_strict_schema_is_refused(input_type: Any) -> None:
    with pytest.raises(UserError):
        reader(input_type)


def test_a_callable_that_does_not_tell_its_arguments_is_trusted() -> None:
    assert HandoffInput(dict, None, "t").read("") == ()


@given(st.text())
def test_no_text_crashes_the_reader(arguments: str) -> None:
    for input_type in (Note, int):
        with contextlib.suppress(ModelBehaviorError):
            reader(input_type).read(arguments)
