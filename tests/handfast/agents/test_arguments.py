from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field

from handfast.agents.arguments import ArgumentReader, CallShape
from handfast.errors import ModelBehaviorError


class Fields(BaseModel):
    p0: int = Field(alias="count")
    p1: str = Field(default="x", alias="name")
    p2: list[int] = Field(default_factory=list[int], alias="more")
    p3: bool = Field(default=False, alias="loud")


class FreeFields(BaseModel):
    model_config = ConfigDict(extra="forbid")

    p0: int = Field(alias="count")
    p1: dict[str, int] = Field(default_factory=dict[str, int], alias="free")


NO_INTEGER = "unable to parse string as an integer"
NAMES = ["count", "name", "more", "loud"]
READER = ArgumentReader(Fields, CallShape(("p0", "p1"), "p2", (("loud", "p3"),)), NAMES)
FREE = ArgumentReader(
    FreeFields,
    CallShape(("p0",), None, (), "p1", frozenset({"count", "free"})),
    ["count", "free"],
)


def refusal(text: str, reader: ArgumentReader = READER) -> str:
    with pytest.raises(ModelBehaviorError) as raised:
        reader.read(text, "add")
    assert type(raised.value) is ModelBehaviorError
    assert raised.value.arguments_of == "add"
    return str(raised.value)


def test_values_go_where_the_function_wants_them() -> None:
    args, kwargs = READER.read('{"more": [3, 4], "count": 1, "loud": true}', "add")
    assert args == [1, "x", 3, 4]
    assert kwargs == {"loud": True}


def test_free_keywords_join_the_others() -> None:
    assert FREE.read('{"count": 1, "free": {"a": 2}}', "add") == ([1], {"a": 2})


def test_a_free_keyword_that_is_a_parameter_is_refused() -> None:
    assert "'count' given twice" in refusal('{"count": 1, "free": {"count": 2, "b": 3}}', FREE)


def test_a_free_keyword_in_the_wrong_place_is_refused() -> None:
    said = refusal('{"count": 1, "a": 2}', FREE)
    assert "- a: Extra inputs are not permitted (got 2)" in said
    assert 'no such parameter: "a"; there are: count, free' in said


def test_no_text_is_an_empty_object() -> None:
    class Nothing(BaseModel):
        pass

    reader = ArgumentReader(Nothing, CallShape(), [])
    assert reader.read("", "add") == ([], {})
    assert reader.read(" \n", "add") == ([], {})
    assert reader.read('{"extra": 1}', "add") == ([], {})
    assert "count: required, but not given" in refusal("")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"count": 1, "name": ', "Invalid JSON input for tool add: EOF while parsing"),
        ("{'count': 1}", "Invalid JSON input for tool add: key must be a string"),
        ("[1]", "expected a JSON object, got an array"),
        ("null", "expected a JSON object, got null"),
        ('"count"', "expected a JSON object, got a string"),
        ("true", "expected a JSON object, got true or false"),
        ("1", "expected a JSON object, got a number"),
        ("1.5", "expected a JSON object, got a number"),
        ('"\ud800"', "half of a surrogate pair"),
        ('{"name": "\\ud800"}', "Invalid JSON input"),
        ("[" * 100_000, "Invalid JSON input"),
        ('{"count": ' + "9" * 10_000 + "}", "Invalid JSON input"),
    ],
)
def test_text_that_is_no_json_object_is_explained(text: str, says: str) -> None:
    said = refusal(text)
    assert says in said
    assert len(said) < 500


@pytest.mark.parametrize("name", ["NaN", "Infinity", "-Infinity"])
def test_numbers_that_json_has_not_are_refused(name: str) -> None:
    class Scored(BaseModel):
        score: float
        note: str = ""

    reader = ArgumentReader(Scored, CallShape(("score", "note")), ["score", "note"])
    assert f"{name} is no JSON" in refusal(f'{{"score": {name}}}', reader)
    assert reader.read(f'{{"score": 1, "note": "{name}"}}', "add") == ([1.0, name], {})


def test_each_wrong_value_is_named_with_its_place() -> None:
    said = refusal('{"count": "many", "more": [1, null], "loud": {"a": "中"}}')
    assert said.splitlines() == [
        "Invalid JSON input for tool add: well-formed, but it does not fit the schema:",
        f'- count: Input should be a valid integer, {NO_INTEGER} (got "many")',
        "- more.1: Input should be a valid integer (got null)",
        '- loud: Input should be a valid boolean (got {"a": "中"})',
        "Call it again with arguments that match its schema.",
    ]


def test_a_slip_in_a_name_is_pointed_at() -> None:
    said = refusal('{"cuont": 1}')
    assert "- count: required, but not given" in said
    assert '- no such parameter: "cuont"; there are: count, name, more, loud' in said


def test_what_the_message_quotes_is_bounded() -> None:
    said = refusal(
        '{"count": "' + "x" * 5_000 + '", "more": ' + str(["a"] * 500).replace("'", '"') + "}"
    )
    assert "- and 491 more" in said
    assert len(said) < 3_000


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@given(st.text() | st.text(st.characters(codec=None)) | values.map(repr))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        args, kwargs = READER.read(text, "add")
    except ModelBehaviorError as error:
        str(error).encode("utf-8")
    else:
        assert isinstance(args[0], int)
        assert set(kwargs) == {"loud"}
