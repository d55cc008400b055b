from __future__ import annotations

from typing import Annotated, Any, Union, Unpack, get_args

import pytest
import typing_extensions
from typing_extensions import TypedDict

from handfast.agents.type_forms import allows_none, annotated, dict_of, list_of, optional
from handfast.errors import UserError


class Extra(TypedDict):
    a: int


def test_metadata_is_added_at_the_end() -> None:
    assert get_args(annotated(Annotated[int, "a"], "b")) == (int, "a", "b")


def test_an_optional_type_keeps_its_metadata_outside() -> None:
    assert optional(int) == int | None
    assert optional(Annotated[int, "a"]) == Annotated[int | None, "a"]


@pytest.mark.parametrize(
    ("annotation", "allowed"),
    [
        (int, False),
        (int | None, True),
        (Union[int, None], True),  # noqa: UP007 - the old form too
        (Annotated[int | None, "a"], True),
        (Annotated[int, "a"], False),
        (Any, True),
        (object, True),
        (None, True),
        (type(None), True),
        (list[None], False),
        (int | Annotated[None, "a"], True),
    ],
)
def test_a_type_that_has_none_is_told(annotation: object, *, allowed: bool) -> None:
    assert allows_none(annotation) is allowed


@pytest.mark.parametrize(
    "annotation",
    [
        int,
        Unpack[tuple[int, ...]],
        typing_extensions.Unpack[tuple[int, ...]],
    ],
)
def test_more_positional_arguments_are_a_list(annotation: object) -> None:
    assert list_of(annotation, "args") == list[int]


def test_an_annotation_of_many_is_that_of_each_value() -> None:
    assert list_of(tuple[int, ...], "args") == list[tuple[int, ...]]
    assert list_of(list[int], "args") == list[list[int]]
    assert dict_of(dict[str, int]) == dict[str, dict[str, int]]


@pytest.mark.parametrize(
    "annotation",
    [tuple[int, str], tuple[()], Unpack[tuple[int, str]]],
)
def test_a_fixed_number_of_positional_arguments_is_refused(annotation: object) -> None:
    with pytest.raises(UserError, match=r"\*args has a fixed length"):
        list_of(annotation, "args")


def test_free_keyword_arguments_are_a_dict() -> None:
    assert dict_of(int) == dict[str, int]
    assert dict_of(Unpack[Extra]) is Extra
    assert dict_of(typing_extensions.Unpack[Extra]) is Extra
