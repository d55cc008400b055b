"""JSON schemas of Python types, made by pydantic."""

from __future__ import annotations

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaWarningKind


class QuietJsonSchema(GenerateJsonSchema):
    """Leaves out a default that JSON cannot express, without a warning: it still applies."""

    ignored_warning_kinds: set[JsonSchemaWarningKind] = {  # noqa: RUF012 - pydantic's own attribute
        "skipped-choice",
        "non-serializable-default",
    }


def first_line(error: Exception) -> str:
    """The gist of an error that pydantic raised about a type."""
    return next(iter(str(error).splitlines()), type(error).__name__)
