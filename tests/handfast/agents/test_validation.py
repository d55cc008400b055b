"""Validating what a model wrote."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError

from handfast.agents.validation import MAX_FAULTS, adapter_of, faults_of, json_bytes, schema_of
from handfast.errors import UserError


class Branch(BaseModel):
    name: str
    branches: list[Branch] = []


class Opaque:
    """Nothing that pydantic knows."""


def test_a_type_that_cannot_be_validated_is_refused_by_name() -> None:
    with pytest.raises(UserError, match=r"input_type .*Opaque.* is no type that can be validated"):
        adapter_of("input_type", Opaque)


def test_a_type_without_a_schema_is_refused_by_name() -> None:
    with pytest.raises(UserError, match="parameters has no JSON schema"):
        schema_of("parameters", TypeAdapter(Callable[[int], int]))


def test_a_type_that_contains_itself_has_its_root_written_out() -> None:
    schema = schema_of("x", adapter_of("x", Branch))
    assert schema["type"] == "object"
    assert "$ref" not in schema
    assert "$defs" in schema


def test_a_plain_types_schema_is_pydantics() -> None:
    assert schema_of("x", adapter_of("x", int)) == {"type": "integer"}


def test_faults_are_named_with_their_place_and_without_their_value() -> None:
    with pytest.raises(ValidationError) as caught:
        adapter_of("x", Branch).validate_json(
            '{"name": 5, "branches": [{"name": "secret", "branches": 7}]}'
        )
    told = faults_of(caught.value)
    assert "name: Input should be a valid string" in told
    assert "branches.0.branches: Input should be a valid array" in told
    assert "secret" not in told


def test_a_message_names_only_the_first_faults() -> None:
    with pytest.raises(ValidationError) as caught:
        adapter_of("x", list[int]).validate_python(["x"] * 100)
    assert faults_of(caught.value).count(";") == MAX_FAULTS - 1


def test_a_lone_surrogate_is_refused_and_does_not_crash() -> None:
    with pytest.raises(ValidationError):
        adapter_of("x", str).validate_json(json_bytes('"\ud800"'))
