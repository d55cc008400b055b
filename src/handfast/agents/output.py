"""Typed final output: the schema that a model is asked to follow, and reading what it wrote."""

from __future__ import annotations

import json
import logging
import re
import types
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Final, Union, cast, get_args, get_origin

from pydantic import BaseModel, TypeAdapter, ValidationError, create_model
from pydantic.errors import PydanticUserError

from handfast.agents.json_types import is_object
from handfast.agents.strict_schema import (
    JsonSchema,
    ensure_strict_json_schema,
    has_untyped_part,
)
from handfast.agents.text import cut, storable
from handfast.agents.type_schema import QuietJsonSchema, first_line
from handfast.agents.validation import faults_of, json_bytes
from handfast.errors import ModelBehaviorError, UserError

logger = logging.getLogger("handfast")

MAX_QUOTED_CHARS: Final = 1_000
"""How much of an answer that does not fit its error quotes."""
MAX_CANDIDATES: Final = 50
"""At how many places of an answer a JSON value is looked for."""

_WRAPPER_KEY: Final = "response"
_FENCED: Final = re.compile(r"```[^\n`]*\n(.*?)```", re.DOTALL)
_OPENING: Final = re.compile(r"[{\[]")


class AgentOutputSchemaBase(ABC):
    """What an agent's final output looks like; write one to use a schema of your own."""

    @abstractmethod
    def is_plain_text(self) -> bool:
        """True when the output is text, with no schema."""

    @abstractmethod
    def name(self) -> str:
        """A name for the type, for traces and messages."""

    @abstractmethod
    def json_schema(self) -> Mapping[str, object]:
        """The JSON schema that the model is asked to follow.

        Raises:
            UserError: The output is plain text.
        """

    @abstractmethod
    def is_strict_json_schema(self) -> bool:
        """True when the provider shall hold the model to the schema."""

    @abstractmethod
    def validate_json(self, json_str: str) -> object:
        """The value in the model's text.

        Raises:
            ModelBehaviorError: The text holds no value of this type; the message says why.
        """


class AgentOutputSchema(AgentOutputSchemaBase):
    """The output schema of a Python type.

    `str` is plain text. A type whose schema is an object (a pydantic model, a dataclass, a
    `TypedDict`) is used as it is; any other is asked for as `{"response": ...}`, since providers
    want an object at the root.
    """

    def __init__(
        self,
        output_type: object,
        strict_json_schema: bool = True,  # noqa: FBT001, FBT002 - the SDK's signature
    ) -> None:
        """Build, or find again, the schema of a type.

        Args:
            output_type: Any type that pydantic can express; None is plain text.
            strict_json_schema: True asks the provider to hold the model to the schema.

        Raises:
            UserError: The type has no JSON schema, or none that is strict.
        """
        self.output_type = output_type
        self._strict = strict_json_schema
        self._compiled = (
            None if output_type is None or output_type is str else _compiled(output_type)
        )
        self._schema = self._asked_for(self._compiled) if self._compiled else None

    def is_plain_text(self) -> bool:
        """True when the output is text, with no schema."""
        return self._compiled is None

    @property
    def is_wrapped(self) -> bool:
        """True when the value is asked for as `{"response": ...}`."""
        return self._compiled is not None and self._compiled.wrapper is not None

    def is_strict_json_schema(self) -> bool:
        """True when the provider shall hold the model to the schema."""
        return self._strict

    def name(self) -> str:
        """The type as it would be written, such as `list[str]`."""
        return type_name(str if self.output_type is None else self.output_type)

    def json_schema(self) -> Mapping[str, object]:
        """The JSON schema that the model is asked to follow; shared, never changed in place.

        Raises:
            UserError: The output is plain text.
        """
        if self._schema is None:
            raise UserError("The output is plain text; there is no JSON schema for it.")
        return self._schema

    def validate_json(self, json_str: str) -> object:
        """The value in the model's text.

        The text should be JSON and nothing else. Models that no provider holds to a schema put it
        into a code fence or between sentences; it is taken from there when exactly one value fits.

        Args:
            json_str: The text of the model's answer.

        Raises:
            ModelBehaviorError: No value fits, or several different ones do. The message says why
                and quotes the text.
        """
        if self._compiled is None:
            return json_str
        try:
            return self._compiled.read(json_str)
        except ValidationError as error:
            found = _fitting(self._compiled, json_str)
            if len(found) == 1:
                return found[0]
            reason = faults_of(error) if not found else "several different values fit"
            raise ModelBehaviorError(
                f"The answer is no valid {self.name()}: {reason}\nThe model wrote: "
                f"{cut(storable(json_str), MAX_QUOTED_CHARS) or '(nothing)'}",
            ) from error

    def _asked_for(self, compiled: _CompiledType) -> JsonSchema:
        if not self._strict:
            return compiled.schema
        if compiled.strict_schema is None:
            raise UserError(
                f"The output type {self.name()} has no strict schema. {compiled.why_not_strict}",
            )
        return compiled.strict_schema


def output_schema_of(output_type: object) -> AgentOutputSchemaBase | None:
    """The schema of an agent's `output_type`; None for plain text.

    Where the type has no strict schema, or is partly untyped, the plain one is used, with a notice
    in the log.

    Args:
        output_type: None, a type, or an `AgentOutputSchemaBase`, which is returned as it is.

    Raises:
        UserError: The type has no JSON schema.
    """
    if output_type is None or output_type is str:
        return None
    if isinstance(output_type, AgentOutputSchemaBase):
        return output_type
    try:
        return _cached_schema(output_type)
    except TypeError:  # a type that cannot be hashed, such as one annotated with a list
        return _schema_of(output_type)


def type_name(output_type: object) -> str:
    """A type as it would be written: `Report`, `list[str]`, `int | None`."""
    origin, parts = get_origin(output_type), get_args(output_type)
    if origin is Annotated:
        return type_name(parts[0])
    if origin in {Union, types.UnionType}:
        return " | ".join(type_name(each) for each in parts)
    if output_type is types.NoneType:
        return "None"
    if origin is not None and parts:
        return f"{type_name(origin)}[{', '.join(type_name(each) for each in parts)}]"
    name: object = getattr(output_type, "__name__", None)
    return name if isinstance(name, str) else repr(output_type)


# ---- building -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _CompiledType:
    """What is built once for a type."""

    adapter: TypeAdapter[object]
    wrapper: type[BaseModel] | None
    """Reads `{"response": ...}`; None for a type that needs no wrapper."""
    schema: JsonSchema
    strict_schema: JsonSchema | None
    why_not_strict: str

    def read(self, text: str) -> object:
        """The value of a JSON text.

        Raises:
            ValidationError: It does not fit.
        """
        if self.wrapper is None:
            return self.read_bare(text)
        fields: Mapping[str, object] = self.wrapper.model_validate_json(json_bytes(text)).__dict__
        return fields[_WRAPPER_KEY]

    def read_bare(self, text: str) -> object:
        """The value of a JSON text that has no wrapper.

        Raises:
            ValidationError: It does not fit.
        """
        return self.adapter.validate_json(json_bytes(text))


def _compiled(output_type: object) -> _CompiledType:
    try:
        return _cached(output_type)
    except TypeError:  # a type that cannot be hashed, such as one annotated with a list
        return _compile(output_type)


def _compile(output_type: object) -> _CompiledType:
    try:
        adapter: TypeAdapter[object] = TypeAdapter(cast("type[object]", output_type))
        wrapper = None
        schema = adapter.json_schema(schema_generator=QuietJsonSchema)
        if not _is_object_schema(schema):
            make = cast("Callable[..., type[BaseModel]]", create_model)
            wrapper = make("Output", **{_WRAPPER_KEY: (output_type, ...)})
            schema = wrapper.model_json_schema(schema_generator=QuietJsonSchema)
    except (PydanticUserError, NameError) as error:
        raise UserError(
            f"The output type {type_name(output_type)} has no JSON schema: {first_line(error)}",
        ) from error
    strict, why_not = None, ""
    try:
        strict = ensure_strict_json_schema(schema)
    except UserError as error:
        why_not = str(error)
    return _CompiledType(adapter, wrapper, schema, strict, why_not)


_cached = lru_cache(maxsize=512)(_compile)


def _schema_of(output_type: object) -> AgentOutputSchema:
    compiled = _compiled(output_type)
    untyped = has_untyped_part(compiled.schema)
    strict = compiled.strict_schema is not None and not untyped
    if not strict:
        logger.warning(
            "Output %s goes out without a strict schema: %s",
            type_name(output_type),
            compiled.why_not_strict or "part of it has no type.",
        )
    return AgentOutputSchema(output_type, strict_json_schema=strict)


_cached_schema = lru_cache(maxsize=512)(_schema_of)


def _is_object_schema(schema: Mapping[str, object]) -> bool:
    reference, definitions = schema.get("$ref"), schema.get("$defs")
    if isinstance(reference, str) and is_object(definitions):
        target = definitions.get(reference.rpartition("/")[2])
        return is_object(target) and target.get("type") == "object"
    return schema.get("type") == "object"


# ---- reading ------------------------------------------------------------------------------------


def _fitting(compiled: _CompiledType, text: str) -> list[object]:
    """The different values that fit, from code fences or, where none fits there, from the text."""
    for candidates in (_fenced(text), _embedded(text)):
        found: list[object] = []
        for value in _values(compiled, candidates):
            if value not in found:
                found.append(value)
        if found:
            return found
    return []


def _values(compiled: _CompiledType, candidates: Iterable[str]) -> Iterator[object]:
    """The values of the texts that fit, with or without an expected wrapper."""
    readers = (compiled.read, compiled.read_bare) if compiled.wrapper else (compiled.read_bare,)
    for text in candidates:
        for read in readers:
            with suppress(ValidationError):
                yield read(text)
                break


def _fenced(text: str) -> Iterator[str]:
    yield text
    for _, match in zip(range(MAX_CANDIDATES), _FENCED.finditer(text), strict=False):
        yield match[1]


def _embedded(text: str) -> Iterator[str]:
    """The JSON objects and arrays in a text, outermost ones only."""
    decoder = json.JSONDecoder()
    place = 0
    for _ in range(MAX_CANDIDATES):
        opening = _OPENING.search(text, place)
        if opening is None:
            return
        start = opening.start()
        try:
            _, place = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            place = start + 1
        else:
            yield text[start:place]
