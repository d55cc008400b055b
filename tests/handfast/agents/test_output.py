from __future__ import annotations

import dataclasses
import json
import logging
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, RootModel
from typing_extensions import TypedDict

from handfast.agents.output import (
    AgentOutputSchema,
    AgentOutputSchemaBase,
    output_schema_of,
    type_name,
)
from handfast.errors import ModelBehaviorError, UserError


class Spam(BaseModel):
    is_spam: bool
    why: str


class Tree(BaseModel):
    v: int
    children: list[Tree] = []


class Names(RootModel[list[str]]):
    pass


@dataclasses.dataclass
class Point:
    x: int
    y: int = 0


class Options(TypedDict):
    a: int


class Free(BaseModel):
    fields: dict[str, int]


class NoSchema:
    pass


def refusal(output_type: object, text: str) -> str:
    with pytest.raises(ModelBehaviorError) as raised:
        AgentOutputSchema(output_type, strict_json_schema=False).validate_json(text)
    return str(raised.value)


@pytest.mark.parametrize("output_type", [str, None])
def test_str_is_plain_text(output_type: object) -> None:
    schema = AgentOutputSchema(output_type)
    assert schema.is_plain_text()
    assert schema.name() == "str"
    assert schema.validate_json("any { text") == "any { text"
    with pytest.raises(UserError, match="plain text"):
        schema.json_schema()
    assert output_schema_of(output_type) is None


def test_a_model_is_asked_for_as_it_is() -> None:
    schema = AgentOutputSchema(Spam)
    assert not schema.is_plain_text()
    assert schema.is_strict_json_schema()
    assert schema.json_schema() == {
        "title": "Spam",
        "type": "object",
        "properties": {
            "is_spam": {"title": "Is Spam", "type": "boolean"},
            "why": {"title": "Why", "type": "string"},
        },
        "required": ["is_spam", "why"],
        "additionalProperties": False,
    }
    assert schema.validate_json('{"is_spam": true, "why": "x"}') == Spam(is_spam=True, why="x")


@pytest.mark.parametrize(
    ("output_type", "text", "value"),
    [
        (Point, '{"x": 1, "y": 2}', Point(1, 2)),
        (Options, '{"a": 1}', {"a": 1}),
        (
            Tree,
            '{"v": 1, "children": [{"v": 2, "children": []}]}',
            Tree(v=1, children=[Tree(v=2)]),
        ),
        (Annotated[Spam, "described"], '{"is_spam": 1, "why": ""}', Spam(is_spam=True, why="")),
    ],
)
def test_types_that_are_objects_need_no_wrapper(
    output_type: object,
    text: str,
    value: object,
) -> None:
    schema = AgentOutputSchema(output_type)
    assert "response" not in str(schema.json_schema())
    assert schema.json_schema()["type"] == "object"
    assert schema.validate_json(text) == value


@pytest.mark.parametrize(
    ("output_type", "text", "value"),
    [
        (int, "1", 1),
        (bool, "true", True),
        (list[str], '["a"]', ["a"]),
        (tuple[int, str], '[1, "a"]', (1, "a")),
        (Literal["a", "b"], '"b"', "b"),
        (int | None, "null", None),
        (Spam | Point, '{"x": 1}', Point(1)),
        (Spam | None, "null", None),
        (Names, '["a"]', Names(["a"])),
    ],
)
def test_other_types_are_asked_for_in_a_wrapper(
    output_type: object,
    text: str,
    value: object,
) -> None:
    schema = AgentOutputSchema(output_type)
    asked = schema.json_schema()
    assert asked["type"] == "object"
    assert asked["required"] == ["response"]
    assert asked["additionalProperties"] is False
    assert schema.validate_json(f'{{"response": {text}}}') == value
    # A model that is held to nothing may leave the wrapper out.
    assert schema.validate_json(text) == value


def test_free_keys_are_refused_in_strict_mode_with_advice() -> None:
    for output_type in (Free, dict[str, int]):
        with pytest.raises(UserError, match="strict_json_schema=False"):
            AgentOutputSchema(output_type)
        schema = AgentOutputSchema(output_type, strict_json_schema=False)
        assert not schema.is_strict_json_schema()
    loose = AgentOutputSchema(Free, strict_json_schema=False)
    assert loose.validate_json('{"fields": {"a": 1}}') == Free(fields={"a": 1})


def test_a_type_without_schema_is_refused() -> None:
    for output_type in (NoSchema, list[NoSchema]):
        with pytest.raises(UserError, match="NoSchema"):
            AgentOutputSchema(output_type)


@pytest.mark.parametrize("output_type", [dict[str, int], Any, list[Any]])
def test_an_agents_output_type_is_strict_where_it_can_be(
    output_type: object,
    caplog: pytest.LogCaptureFixture,
) -> None:
    strict = output_schema_of(Spam)
    assert strict is not None
    assert strict.is_strict_json_schema()
    assert output_schema_of(Spam) is strict
    with caplog.at_level(logging.WARNING, "handfast"):
        loose = output_schema_of(output_type)
    assert loose is not None
    assert not loose.is_strict_json_schema()
    assert output_schema_of(output_type) is loose
    assert len(caplog.records) == 1


class Own(AgentOutputSchemaBase):
    def is_plain_text(self) -> bool:
        return False

    def name(self) -> str:
        return "own"

    def json_schema(self) -> Mapping[str, object]:
        return {"type": "object"}

    def is_strict_json_schema(self) -> bool:
        return False

    def validate_json(self, json_str: str) -> object:
        return json.loads(json_str)


def test_a_schema_of_ones_own_is_taken_as_it_is() -> None:
    own = Own()
    assert output_schema_of(own) is own


def test_a_type_that_cannot_be_hashed_works_too() -> None:
    unhashable = Annotated[int, ["metadata"]]
    assert AgentOutputSchema(unhashable).validate_json("1") == 1
    schema = output_schema_of(unhashable)
    assert schema is not None
    assert schema.is_strict_json_schema()


@pytest.mark.parametrize(
    "text",
    [
        '{"is_spam": true, "why": "x"}',
        ' \n{"is_spam": true, "why": "x"}\n',
        'Here it is:\n```json\n{"is_spam": true, "why": "x"}\n```',
        '```\n{"is_spam": true, "why": "x"}\n```',
        '```json\r\n{"is_spam": true, "why": "x"}\r\n```\r\nand\r\n```python\r\nprint(1)\r\n```',
        '```json\n{"is_spam": true, "why": "x"}',
        'I think {"is_spam": true, "why": "x"} is right.',
        'Not {this} and not [that], but {"is_spam": true, "why": "x"}.',
        'First {"other": 1}, then {"is_spam": true, "why": "x"}.',
        '```json\n{"is_spam": true, "why": "x"}\n``` which is {"is_spam": true, "why": "x"}',
        'Draft {"is_spam": false, "why": "y"}\n```json\n{"is_spam": true, "why": "x"}\n```',
    ],
)
def test_the_one_value_that_fits_is_found(text: str) -> None:
    assert AgentOutputSchema(Spam).validate_json(text) == Spam(is_spam=True, why="x")


def test_the_same_value_said_twice_is_one_value() -> None:
    text = 'It is {"is_spam": true, "why": "x"}, I say: {"why": "x", "is_spam": true}.'
    assert AgentOutputSchema(Spam).validate_json(text) == Spam(is_spam=True, why="x")


def test_several_different_values_are_not_chosen_from() -> None:
    said = refusal(Spam, 'Either {"is_spam": true, "why": "x"} or {"is_spam": false, "why": "y"}')
    assert "several different values fit" in said


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "The model wrote: (nothing)"),
        ("I cannot tell.", "The model wrote: I cannot tell."),
        ('{"is_spam": true, "why": ', "EOF while parsing"),
        ('{"is_spam": "maybe", "why": "x"}', "is_spam: Input should be a valid boolean"),
        ('{"is_spam": true}', "why: Field required"),
        ("[]", "should be an object"),
        ("\ud800", "\\ud800"),
    ],
)
def test_an_answer_that_does_not_fit_says_why_and_is_quoted(text: str, says: str) -> None:
    said = refusal(Spam, text)
    assert "no valid Spam" in said
    assert says in said
    said.encode("utf-8")


def test_a_long_answer_is_quoted_in_part_and_searched_in_bounded_time() -> None:
    for text in ("x" * 100_000, "[" * 200_000, '{"a":' * 100_000, "```\n" * 100_000):
        assert len(refusal(Spam, text)) < 1_500


@pytest.mark.parametrize(
    ("output_type", "name"),
    [
        (Spam, "Spam"),
        (int, "int"),
        (None, "None"),
        (list[str], "list[str]"),
        (dict[str, list[Spam]], "dict[str, list[Spam]]"),
        (int | None, "int | None"),
        (Literal["a", 1], "Literal['a', 1]"),
        (Annotated[int, "a"], "int"),
        (NoSchema(), None),
    ],
)
def test_types_are_named_as_they_are_written(output_type: object, name: str | None) -> None:
    assert type_name(output_type) == (name or repr(output_type))


def test_the_name_of_a_schema_is_that_of_its_type() -> None:
    assert AgentOutputSchema(list[Spam]).name() == "list[Spam]"


@given(st.builds(Spam, is_spam=st.booleans(), why=st.text()), st.sampled_from(["", "```json\n"]))
def test_what_was_written_as_json_is_read_as_it_was(value: Spam, fence: str) -> None:
    closing = "\n```" if fence else ""
    text = f"{fence}{value.model_dump_json()}{closing}"
    assert AgentOutputSchema(Spam).validate_json(text) == value


@given(st.text(st.characters(codec=None)) | st.text('{}[]"`a:1,\n', max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        value = AgentOutputSchema(list[int]).validate_json(text)
    except ModelBehaviorError as error:
        str(error).encode("utf-8")
    else:
        assert isinstance(value, list)
