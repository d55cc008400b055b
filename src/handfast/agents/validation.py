"""Validating what a model wrote against a type, and saying what is wrong in words it can act on."""

from __future__ import annotations

from typing import cast

from pydantic import PydanticSchemaGenerationError, PydanticUserError, TypeAdapter, ValidationError

from handfast.errors import UserError

MAX_FAULTS = 5
"""How many faults a message names at most."""


def adapter_of(name: str, expected: object) -> TypeAdapter[object]:
    """The validator of a type.

    Args:
        name: What to call the type in a message.
        expected: Anything that pydantic can validate.

    Raises:
        UserError: It cannot.
    """
    try:
        return TypeAdapter(cast("type[object]", expected))
    except (PydanticSchemaGenerationError, PydanticUserError) as error:
        raise UserError(
            f"{name} {expected!r} is no type that can be validated: {error.message}",
        ) from error


def schema_of(name: str, adapter: TypeAdapter[object]) -> dict[str, object]:
    """The JSON schema of a type, as pydantic gives it, with its root written out.

    A type that contains itself has a root that only refers to a definition; providers want to see
    at the root what kind of value it is.

    Args:
        name: What to call the type in a message.
        adapter: Its validator.

    Raises:
        UserError: It has none.
    """
    try:
        schema = adapter.json_schema()
    except PydanticUserError as error:
        raise UserError(f"{name} has no JSON schema: {error.message}") from error
    definition = str(schema.get("$ref", "")).removeprefix("#/$defs/")
    if not definition:
        return schema
    return {**schema["$defs"][definition], "$defs": schema["$defs"]}


def json_bytes(text: str) -> bytes:
    """JSON text for a validator; a lone surrogate becomes bytes that it refuses, not a crash."""
    return text.encode("utf-8", "surrogatepass")


def faults_of(error: ValidationError) -> str:
    """What was wrong and where, without the values: they may be private."""
    faults = error.errors(include_url=False, include_context=False, include_input=False)
    return "; ".join(
        ": ".join(part for part in (".".join(map(str, fault["loc"])), fault["msg"]) if part)
        for fault in faults[:MAX_FAULTS]
    )
