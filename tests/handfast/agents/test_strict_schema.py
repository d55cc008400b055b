from __future__ import annotations

import copy
import json
import time
from collections.abc import Mapping

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field, TypeAdapter

from handfast.agents.json_types import is_array, is_object
from handfast.agents.strict_schema import (
    MAX_DEPTH,
    JsonSchema,
    ensure_strict_json_schema,
    has_untyped_part,
)
from handfast.errors import SchemaReferenceError, UserError


def properties_of(schema: JsonSchema) -> dict[str, JsonSchema]:
    found: dict[str, JsonSchema] = TypeAdapter(dict[str, dict[str, object]]).validate_python(
        schema["properties"],
    )
    return found


def test_an_empty_schema_takes_an_object_without_properties() -> None:
    assert ensure_strict_json_schema({}) == {
        "type": "object",
        "additionalProperties": False,
        "properties": {},
        "required": [],
    }


def test_a_root_object_without_properties_takes_none() -> None:
    assert ensure_strict_json_schema({"type": "object"}) == {
        "type": "object",
        "additionalProperties": False,
        "properties": {},
        "required": [],
    }


def test_every_object_is_closed_and_requires_all_its_properties() -> None:
    strict = ensure_strict_json_schema(
        {
            "type": "object",
            "properties": {
                "a": {"type": "string"},
                "b": {"type": "object", "properties": {"c": {"type": "integer"}}},
                "d": {
                    "type": "array",
                    "items": {"type": "object", "properties": {"e": {"type": "null"}}},
                },
            },
            "required": ["a"],
        },
    )
    assert strict["required"] == ["a", "b", "d"]
    assert strict["additionalProperties"] is False
    parts = properties_of(strict)
    assert parts["b"]["required"] == ["c"]
    assert parts["b"]["additionalProperties"] is False
    assert parts["d"]["items"] == {
        "type": "object",
        "properties": {"e": {"type": "null"}},
        "additionalProperties": False,
        "required": ["e"],
    }


def test_definitions_are_made_strict_too() -> None:
    strict = ensure_strict_json_schema(
        {
            "type": "object",
            "properties": {"a": {"$ref": "#/$defs/A"}, "b": {"$ref": "#/definitions/B"}},
            "$defs": {"A": {"type": "object", "properties": {"x": {"type": "string"}}}},
            "definitions": {"B": {"type": "object", "properties": {"y": {"type": "string"}}}},
        },
    )
    assert strict["$defs"] == {
        "A": {
            "type": "object",
            "properties": {"x": {"type": "string"}},
            "additionalProperties": False,
            "required": ["x"],
        },
    }
    assert properties_of(strict)["a"] == {"$ref": "#/$defs/A"}


def test_one_of_becomes_any_of() -> None:
    nothing: JsonSchema = {"type": "object", "properties": {}}
    strict = ensure_strict_json_schema(
        {
            "type": "object",
            "properties": {
                "a": {"anyOf": [{"type": "null"}], "oneOf": [nothing, {"type": "string"}]},
            },
        },
    )
    assert properties_of(strict)["a"] == {
        "anyOf": [
            {"type": "null"},
            {"type": "object", "properties": {}, "additionalProperties": False, "required": []},
            {"type": "string"},
        ],
    }


def test_an_all_of_with_one_part_is_that_part() -> None:
    strict = ensure_strict_json_schema(
        {
            "type": "object",
            "properties": {"a": {"allOf": [{"$ref": "#/$defs/A"}], "description": "the a"}},
            "$defs": {"A": {"type": "string", "description": "an A"}},
        },
    )
    assert properties_of(strict)["a"] == {"type": "string", "description": "the a"}


def test_an_all_of_with_one_reference_is_that_reference() -> None:
    strict = ensure_strict_json_schema(
        {
            "type": "object",
            "properties": {"a": {"allOf": [{"$ref": "#/$defs/A"}]}},
            "$defs": {"A": {"type": "string"}},
        },
    )
    assert properties_of(strict)["a"] == {"$ref": "#/$defs/A"}


def test_an_all_of_with_several_parts_keeps_them() -> None:
    part = {"type": "object", "properties": {"x": {"type": "string"}}}
    strict = ensure_strict_json_schema(
        {"type": "object", "properties": {"a": {"allOf": [part, {"description": "b"}]}}},
    )
    all_of = properties_of(strict)["a"]["allOf"]
    assert all_of == [
        {**part, "additionalProperties": False, "required": ["x"]},
        {"description": "b"},
    ]


def test_a_default_of_null_goes_and_any_other_stays() -> None:
    strict = ensure_strict_json_schema(
        {
            "type": "object",
            "properties": {
                "a": {"type": "string", "default": None},
                "b": {"type": "string", "default": "x"},
            },
        },
    )
    assert properties_of(strict) == {
        "a": {"type": "string"},
        "b": {"type": "string", "default": "x"},
    }


def test_a_reference_next_to_a_description_is_written_out() -> None:
    strict = ensure_strict_json_schema(
        {
            "type": "object",
            "properties": {"a": {"$ref": "#/definitions/A", "description": "mine"}},
            "definitions": {"A": {"type": "string", "default": None, "description": "its own"}},
        },
    )
    assert properties_of(strict)["a"] == {"type": "string", "description": "mine"}


def test_what_providers_refuse_a_request_for_is_left_out() -> None:
    urls = {"type": "array", "items": {"type": "string", "format": "uri"}, "uniqueItems": True}
    strict = ensure_strict_json_schema(
        {
            "type": "object",
            "properties": {
                "urls": urls,
                "day": {"type": "string", "format": "date"},
                "format": {"type": "string", "format": ["odd"]},
            },
        },
    )
    assert properties_of(strict) == {
        "urls": {"type": "array", "items": {"type": "string"}},
        "day": {"type": "string", "format": "date"},
        "format": {"type": "string"},
    }


def test_a_reference_out_of_the_schema_is_an_error_of_its_value() -> None:
    with pytest.raises(SchemaReferenceError) as raised:
        ensure_strict_json_schema({"$ref": "other.json"})
    assert isinstance(raised.value, ValueError)


def test_what_says_nothing_about_values_may_stand_next_to_a_reference() -> None:
    strict = ensure_strict_json_schema(
        {
            "type": "object",
            "properties": {"a": {"$ref": "#/$defs/A", "$comment": "c", "examples": ["x"]}},
            "$defs": {"A": {"type": "string"}},
        },
    )
    assert properties_of(strict)["a"] == {"type": "string", "$comment": "c", "examples": ["x"]}


def test_a_chain_of_references_is_followed() -> None:
    strict = ensure_strict_json_schema(
        {
            "type": "object",
            "properties": {"a": {"$ref": "#/$defs/A", "title": "T"}},
            "$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"type": "integer"}},
        },
    )
    assert properties_of(strict)["a"] == {"type": "integer", "title": "T"}


def test_escapes_and_positions_in_a_reference_are_understood() -> None:
    strict = ensure_strict_json_schema(
        {
            "type": "object",
            "properties": {
                "a": {"$ref": "#/$defs/x~1y~0z", "title": "T"},
                "b": {"$ref": "#/properties/c/anyOf/1", "title": "U"},
                "c": {"anyOf": [{"type": "null"}, {"type": "integer"}]},
            },
            "$defs": {"x/y~z": {"type": "string"}},
        },
    )
    assert properties_of(strict)["a"] == {"type": "string", "title": "T"}
    assert properties_of(strict)["b"] == {"type": "integer", "title": "U"}


class Tree(BaseModel):
    v: int
    children: list[Tree] = Field(default=[], description="below")


class Forest(BaseModel):
    tree: Tree = Field(description="the first")
    more: list[Tree]


def test_a_recursive_reference_stays_one_and_keeps_its_description() -> None:
    strict = ensure_strict_json_schema(Forest.model_json_schema())
    assert properties_of(strict)["tree"] == {
        "anyOf": [{"$ref": "#/$defs/Tree"}],
        "description": "the first",
    }
    assert properties_of(strict)["more"]["items"] == {"$ref": "#/$defs/Tree"}
    leaf = Tree(v=2)
    forest = Forest(tree=Tree(v=1, children=[leaf]), more=[leaf])
    jsonschema.validate(forest.model_dump(), strict)


def test_a_recursive_reference_whose_default_is_null_loses_the_default() -> None:
    schema = Tree.model_json_schema()["$defs"]
    strict = ensure_strict_json_schema(
        {
            "type": "object",
            "properties": {"tree": {"$ref": "#/$defs/Tree", "default": None}},
            "$defs": schema,
        },
    )
    assert properties_of(strict)["tree"] == {"$ref": "#/$defs/Tree"}


def test_a_recursive_root_is_written_out_once() -> None:
    strict = ensure_strict_json_schema(Tree.model_json_schema())
    assert strict["type"] == "object"
    assert strict["required"] == ["v", "children"]
    assert properties_of(strict)["children"]["items"] == {"$ref": "#/$defs/Tree"}
    assert len(json.dumps(strict)) < 1_000
    jsonschema.validate(Tree(v=1, children=[Tree(v=2)]).model_dump(), strict)


def test_described_references_within_described_references_do_not_multiply() -> None:
    levels = 60
    definitions: dict[str, object] = {
        f"L{n}": {
            "type": "object",
            "properties": {
                side: {"$ref": f"#/$defs/L{n + 1}", "description": side} for side in "ab"
            },
        }
        for n in range(levels)
    }
    definitions[f"L{levels}"] = {"type": "string"}
    schema = {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/L0", "description": "top"}},
        "$defs": definitions,
    }
    started = time.process_time()
    strict = ensure_strict_json_schema(schema)
    assert time.process_time() - started < 1
    assert len(json.dumps(strict)) < 10 * len(json.dumps(schema))


def test_the_input_is_not_changed_and_shares_nothing_with_the_result() -> None:
    schema = Forest.model_json_schema()
    before = copy.deepcopy(schema)
    strict = ensure_strict_json_schema(schema)
    assert schema == before
    shared = {id(part) for part in _containers(schema)} & {id(part) for part in _containers(strict)}
    assert not shared


@pytest.mark.parametrize(
    ("schema", "says"),
    [
        ({"type": "object", "additionalProperties": True}, "additionalProperties"),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, "strict_mode=False"),
        ({"type": "object", "properties": {"a": {"type": "object"}}}, "properties.a"),
        (
            {"type": "object", "properties": {"a": {"type": ["object", "null"]}}},
            "no properties",
        ),
        ({"type": "object", "patternProperties": {"^a": {}}}, "patternProperties"),
        ({"anyOf": [{"type": "string"}]}, "anyOf"),
        ({"oneOf": [{"type": "string"}]}, "anyOf"),
        ({"type": ["object", "null"], "properties": {}}, "null"),
        ({"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/A"}}}, "is circular"),
        (
            {
                "type": "object",
                "properties": {"a": {"$ref": "#/$defs/A"}},
                "$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}},
            },
            "is circular",
        ),
        ({"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}}, "leads nowhere"),
        ({"type": "object", "properties": {"a": {"$ref": "other.json#/A"}}}, "begin '#/'"),
        ({"type": "object", "properties": {"a": {"$ref": 7}}}, "begin '#/'"),
        ({"type": "object", "properties": ["a"]}, "must be an object"),
        ({"type": "object", "properties": {"a": True}}, "expected an object"),
        ({"type": "object", "properties": {"a": {"anyOf": {}}}}, "must be a list"),
        (
            {
                "type": "object",
                "properties": {"a": {"$ref": "#/$defs/A", "type": "string"}},
                "$defs": {"A": {"type": "integer"}},
            },
            "an incompatible sibling: type",
        ),
        (
            {
                "type": "object",
                "properties": {"a": {"$ref": "#/$defs/A", "additionalProperties": False}},
                "$defs": {
                    "A": {"type": "object", "properties": {"b": {"type": "string"}}},
                },
            },
            "an incompatible sibling: additionalProperties",
        ),
        (
            {
                "type": "object",
                "properties": {
                    "a": {
                        "$id": "https://example.test/a",
                        "type": "object",
                        "properties": {"b": {"$ref": "#/$defs/A"}},
                    },
                },
                "$defs": {"A": {"type": "string"}},
            },
            "nested `$id` resource",
        ),
        (
            {
                "type": "object",
                "properties": {"a": {"allOf": [{"type": "string"}], "type": "integer"}},
            },
            "singleton `allOf`",
        ),
        (
            {
                "type": "object",
                "properties": {"a": {"$ref": "#/$defs/A", "maxProperties": 3}},
                "$defs": {
                    "A": {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}},
                },
            },
            "maxProperties",
        ),
    ],
)
def test_what_cannot_be_strict_is_refused_with_the_reason(schema: JsonSchema, says: str) -> None:
    with pytest.raises(UserError) as raised:
        ensure_strict_json_schema(schema)
    assert says in str(raised.value)


def test_a_schema_nested_without_end_is_refused() -> None:
    schema: JsonSchema = {"type": "string"}
    for _ in range(MAX_DEPTH * 20):
        schema = {"type": "object", "properties": {"a": schema}}
    with pytest.raises(UserError, match="over 100 levels"):
        ensure_strict_json_schema(schema)


def test_values_nested_without_end_are_refused_too() -> None:
    value: object = 1
    for _ in range(MAX_DEPTH * 20):
        value = [value]
    with pytest.raises(UserError, match="over 100 levels"):
        ensure_strict_json_schema(
            {"type": "object", "properties": {"a": {"type": "array", "default": value}}},
        )


def test_an_all_of_nested_without_end_is_refused() -> None:
    kept: list[JsonSchema] = [{"type": "string"}]
    for _ in range(200_000):
        kept.append({"allOf": [kept[-1]]})
    with pytest.raises(UserError, match="too large"):
        ensure_strict_json_schema({"type": "object", "properties": {"a": kept[-1]}})
    # Outermost first: freeing it in one go would recurse as deep.
    while kept:
        kept.pop().clear()


def test_a_schema_of_absurd_size_is_refused() -> None:
    schema: JsonSchema = {
        "type": "object",
        "properties": {f"p{n}": {"type": "string"} for n in range(100_001)},
    }
    with pytest.raises(UserError, match="too large"):
        ensure_strict_json_schema(schema)


def test_a_part_without_a_type_is_found_wherever_it_is() -> None:
    typed = {"type": "object", "properties": {"a": {"$ref": "#/x"}, "b": {"enum": [1]}}}
    assert not has_untyped_part(typed)
    assert not has_untyped_part({**typed, "default": {"properties": {"a": None}}})
    parts: list[object] = [{"title": "A"}, True, {"items": {}}, {"type": "array", "items": {}}]
    for part in parts:
        assert has_untyped_part({"properties": {"a": part}})
        assert has_untyped_part({"$defs": {"A": {"type": "object", "properties": {"a": part}}}})
        assert has_untyped_part({"anyOf": [{"type": "object", "properties": {"a": part}}]})


scalars = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
names = st.sampled_from(["a", "b", "$ref", "type", "items"]) | st.text(max_size=4)


def schemas(parts: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    keyword = st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(["object", "array", "string", "null", ["object", "null"]]),
            "properties": st.dictionaries(names, parts, max_size=3),
            "items": parts,
            "anyOf": st.lists(parts, max_size=3),
            "oneOf": st.lists(parts, max_size=2),
            "allOf": st.lists(parts, max_size=2),
            "$defs": st.dictionaries(st.sampled_from("AB"), parts, max_size=2),
            "$ref": st.sampled_from(["#/$defs/A", "#/$defs/B", "#", "#/properties/a", ""]),
            "additionalProperties": st.booleans() | parts,
            "description": st.text(max_size=3),
            "default": scalars,
            "enum": st.lists(scalars, max_size=2),
        },
    )
    return keyword | scalars


any_schema = st.recursive(scalars, schemas, max_leaves=20).filter(lambda s: isinstance(s, dict))


@settings(max_examples=300)
@given(any_schema)
def test_any_schema_is_made_strict_or_refused_and_is_never_changed(schema: JsonSchema) -> None:
    before = copy.deepcopy(schema)
    try:
        strict = ensure_strict_json_schema(schema)
    except UserError:
        strict = None
    assert schema == before
    if strict is not None:
        assert ensure_strict_json_schema(strict) == strict
        for part in _containers(strict):
            if is_object(part) and part.get("type") == "object" and "properties" in part:
                assert part["additionalProperties"] is False


fields = st.dictionaries(
    st.sampled_from("abcd"),
    st.sampled_from(
        [
            {"type": "string"},
            {"type": "integer"},
            {"anyOf": [{"type": "null"}, {"type": "string"}]},
            {"$ref": "#/$defs/A", "description": "one"},
            {"type": "array", "items": {"$ref": "#/$defs/A"}},
        ],
    ),
    max_size=4,
)


@given(fields, st.data())
def test_what_a_strict_schema_takes_the_original_takes_too(
    properties: dict[str, JsonSchema],
    data: st.DataObject,
) -> None:
    schema: JsonSchema = {
        "type": "object",
        "properties": properties,
        "$defs": {"A": {"type": "object", "properties": {"x": {"type": "integer"}}}},
    }
    values = {
        "string": st.text(max_size=3),
        "integer": st.integers(),
        "array": st.lists(st.fixed_dictionaries({"x": st.integers()}), max_size=2),
    }
    value: dict[str, object] = {
        name: data.draw(
            st.fixed_dictionaries({"x": st.integers()})
            if "$ref" in part
            else values.get(str(part.get("type")), st.none()),
        )
        for name, part in properties.items()
    }
    jsonschema.validate(value, ensure_strict_json_schema(schema))
    jsonschema.validate(value, schema)


def _containers(value: object) -> list[Mapping[str, object] | list[object]]:
    found: list[Mapping[str, object] | list[object]] = []
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if is_object(part):
            found.append(part)
            # What `additionalProperties` holds in a type without properties has no effect.
            waiting.extend(each for key, each in part.items() if key != "additionalProperties")
        elif is_array(part):
            found.append(part)
            waiting.extend(part)
    return found
