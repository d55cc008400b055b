"""The arguments of one call: from the JSON text that a model wrote to a Python call.

What is wrong with them is said in words that let the model repair the call.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from pydantic import BaseModel, ValidationError

from handfast.agents.json_types import is_array, is_object
from handfast.errors import ModelBehaviorError

MAX_PROBLEMS: Final = 10
"""How many problems one answer names."""
MAX_VALUE_CHARS: Final = 100
"""How much of a wrong value is quoted."""

_NO_NUMBER: Final = re.compile("NaN|Infinity")


@dataclass(frozen=True, slots=True)
class CallShape:
    """How validated fields become the arguments of a Python call."""

    positional: tuple[str, ...] = ()
    """Fields passed by position, in order."""
    variadic: str | None = None
    """The field of `*args`."""
    keywords: tuple[tuple[str, str], ...] = ()
    """Parameter and field of what is passed by keyword."""
    free: str | None = None
    """The field of `**kwargs`."""
    taken: frozenset[str] = frozenset()
    """Names that `**kwargs` cannot use again."""


def call_arguments(
    shape: CallShape,
    fields: Mapping[str, object],
    tool_name: str,
) -> tuple[list[object], dict[str, object]]:
    """The positional and keyword arguments in validated fields.

    Args:
        shape: How fields become arguments.
        fields: The values, by field.
        tool_name: For the message.

    Raises:
        ModelBehaviorError: A free keyword has the name of a parameter.
    """
    positional = [fields[each] for each in shape.positional]
    if shape.variadic is not None:
        many = fields[shape.variadic]
        positional.extend(many if is_array(many) else ())
    keywords = {name: fields[each] for name, each in shape.keywords}
    if shape.free is not None:
        free = fields[shape.free]
        given: Mapping[str, object] = free if is_object(free) else {}
        twice = sorted(shape.taken & given.keys())
        if twice:
            raise ModelBehaviorError(
                f"Invalid JSON input for tool {tool_name}: {', '.join(map(repr, twice))} given "
                "twice, as a parameter of its own and among the free ones.",
                arguments_of=tool_name,
            )
        keywords.update(given)
    return positional, keywords


class ArgumentReader:
    """Validates the arguments of one function's calls."""

    __slots__ = ("_names", "_validator", "shape")

    def __init__(self, model: type[BaseModel], shape: CallShape, names: Sequence[str]) -> None:
        self._validator = model.__pydantic_validator__
        self.shape = shape
        self._names = tuple(names)

    def read(self, text: str, tool_name: str) -> tuple[list[object], dict[str, object]]:
        """The positional and keyword arguments in a JSON text; the empty text is `{}`.

        Args:
            text: What the model wrote.
            tool_name: For the message.

        Raises:
            ModelBehaviorError: The text is no JSON object, or does not fit the parameters.
        """
        try:
            fields: dict[str, object] = self._validator.validate_json(text or "{}").__dict__
        except ValidationError as error:
            if text.isspace():
                return self.read("", tool_name)
            explained = self._explain(error, text, tool_name)
            raise ModelBehaviorError(explained, arguments_of=tool_name) from error
        if _NO_NUMBER.search(text):
            _refuse_no_numbers(text, tool_name)
        return call_arguments(self.shape, fields, tool_name)

    def _explain(self, error: ValidationError, text: str, tool_name: str) -> str:
        problems = error.errors(include_url=False, include_context=False)
        first = problems[0]
        if first["type"] == "json_invalid":
            reason = first["msg"].removeprefix("Invalid JSON: ")
            return (
                f"Invalid JSON input for tool {tool_name}: {reason}. "
                "Call it again with one JSON object."
            )
        if first["type"] == "string_unicode" and not first["loc"]:
            return f"Invalid JSON input for tool {tool_name}: it holds half of a surrogate pair."
        if not first["loc"]:
            kind = _json_kind(first["input"])
            return (
                f"Invalid JSON input for tool {tool_name}: expected a JSON object, got {kind}. "
                "Call it again with one JSON object."
            )
        lines = [
            f"Invalid JSON input for tool {tool_name}: well-formed, but it does not fit the schema:"
        ]
        lines.extend(
            _line(each["loc"], each["msg"], each["type"], each["input"])
            for each in problems[:MAX_PROBLEMS]
        )
        if len(problems) > MAX_PROBLEMS:
            lines.append(f"- and {len(problems) - MAX_PROBLEMS} more")
        lines.extend(self._unknown_names(text))
        lines.append("Call it again with arguments that match its schema.")
        return "\n".join(lines)

    def _unknown_names(self, text: str) -> list[str]:
        """A line about names that the tool does not have: a slip there explains what is missing."""
        try:
            given: object = json.loads(text)
        except (ValueError, RecursionError):
            return []
        unknown = [each for each in given if each not in self._names] if is_object(given) else []
        if not unknown:
            return []
        named = ", ".join(_quoted(each) for each in unknown[:MAX_PROBLEMS])
        return [f"- no such parameter: {named}; there are: {', '.join(self._names) or 'none'}"]


def _refuse_no_numbers(text: str, tool_name: str) -> None:
    """Refuse what pydantic and Python read as a number and JSON has no word for."""

    def refuse(name: str) -> None:
        raise ModelBehaviorError(
            f"Invalid JSON input for tool {tool_name}: {name} is no JSON. Call it again with a "
            "number or null in its place.",
            arguments_of=tool_name,
        )

    with suppress(ValueError, RecursionError):  # what pydantic has read, Python may not be able to
        json.loads(text, parse_constant=refuse)


def _line(place: Sequence[int | str], message: str, kind: str, value: object) -> str:
    where = ".".join(str(each) for each in place)
    if kind in {"missing", "missing_argument"}:
        return f"- {where}: required, but not given"
    return f"- {where}: {message} (got {_quoted(value)})"


def _quoted(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= MAX_VALUE_CHARS else f"{text[:MAX_VALUE_CHARS]}…"


def _json_kind(value: object) -> str:
    kinds: Mapping[type, str] = {
        list: "an array",
        str: "a string",
        bool: "true or false",
        int: "a number",
        float: "a number",
        type(None): "null",
    }
    return kinds.get(type(value), type(value).__name__)
