from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from pydantic import AfterValidator, BaseModel, Field, create_model

from handfast.agents.plain_arguments import is_plain, parse_object, reach_unchanged


class Place(BaseModel):
    city: str


def lower(value: str) -> str:
    return value.lower()


def changed(annotation: Any, value: object, default: Any = ...) -> bool:
    model = create_model("Args", value=(annotation, default))
    return not reach_unchanged(model, {"value": value})


@pytest.mark.parametrize(
    ("annotation", "value"),
    [
        (str, "a"),
        (int, 1),
        (float, 1.5),
        (bool, True),
        (str | None, None),
        (Any, {"a": [1]}),
        (list[int], [1, 2]),
        (list, ["a", 1]),
        (dict[str, list[str]], {"a": ["b"]}),
        (Literal["a", 1], 1),
        (Annotated[int, Field(ge=0, description="at least 0")], 3),
    ],
)
def test_json_values_that_a_type_takes_as_they_are_reach_the_function(
    annotation: object,
    value: object,
) -> None:
    assert not changed(annotation, value)


@pytest.mark.parametrize(
    ("annotation", "value"),
    [
        (int, "1"),
        (int, True),
        (float, 1),
        (bool, 1),
        (list[int], [1, "2"]),
        (dict[str, int], {"a": "1"}),
        (dict[int, str], {"1": "a"}),
        (Literal[1], True),
        (tuple[int, ...], [1]),
        (Place, {"city": "Oslo"}),
        (Annotated[str, AfterValidator(lower)], "a"),
        (int | Annotated[str, AfterValidator(lower)], 1),
        (Annotated[str, Field(pattern="^a+$")], "aaa"),
        (list[Annotated[str, AfterValidator(lower)]], ["a"]),
    ],
)
def test_values_that_validation_changes_or_runs_code_on_do_not(
    annotation: object,
    value: object,
) -> None:
    assert changed(annotation, value)


def test_what_is_left_out_or_added_is_a_change() -> None:
    model = create_model("Args", a=(int, 1), b=(int, 2))
    assert reach_unchanged(model, {"a": 1, "b": 2})
    assert not reach_unchanged(model, {"a": 1})
    assert not reach_unchanged(model, {"a": 1, "b": 2, "c": 3})


def test_a_field_goes_by_its_alias() -> None:
    model = create_model("Args", target=(str, Field(alias="endpoint")))
    assert reach_unchanged(model, {"endpoint": "safe"})
    assert not reach_unchanged(model, {"target": "safe"})


def test_a_default_that_code_makes_is_code() -> None:
    assert changed(Annotated[str, Field(default_factory=str)], "a")
    assert is_plain(Annotated[str, "words"])


@pytest.mark.parametrize(
    "text",
    ["", "[]", "null", "{", '{"a": NaN}', '{"a": -Infinity}', '{"a": 1, "a": 2}', "[" * 100_000],
)
def test_text_that_readers_could_take_differently_is_no_object(text: str) -> None:
    assert parse_object(text) is None


def test_an_object_is_parsed() -> None:
    assert parse_object('{"a": {"b": [1]}}') == {"a": {"b": [1]}}
