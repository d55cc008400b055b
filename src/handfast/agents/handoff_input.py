"""What a model sends with a handoff: described to it, read from it, given to `on_handoff`."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable

from pydantic import TypeAdapter, ValidationError

from handfast.agents.raw import is_json_object
from handfast.agents.strict_schema import ensure_strict_json_schema
from handfast.agents.validation import adapter_of, faults_of, json_bytes, schema_of
from handfast.errors import ModelBehaviorError, UserError

_KINDS = frozenset({"type", "enum", "const"})
_WRAPPED = "input"


class HandoffInput:
    """How a handoff's arguments are described to a model and read from it.

    A function's arguments are a JSON object. A type that is none (a number, a list, a choice)
    travels as the object's only member.

    Args:
        on_handoff: Gets the input; None for a handoff that tells nobody.
        input_type: The type of the input; None for none.
        tool_name: The handoff's function, for messages.

    Raises:
        UserError: The two do not fit together, or the type has no strict schema.
    """

    __slots__ = ("_adapter", "_tool_name", "_wrapped", "schema")

    def __init__(self, on_handoff: object, input_type: object, tool_name: str) -> None:
        self._adapter = adapter = _adapter(on_handoff, input_type)
        self._tool_name = tool_name
        schema = {} if adapter is None else schema_of("input_type", adapter)
        # A root without any of these (a union, a reference) is judged by the strict schema's rules.
        self._wrapped = not _KINDS.isdisjoint(schema) and schema.get("type") != "object"
        if self._wrapped:
            schema = _wrapping(schema)
        self.schema = ensure_strict_json_schema(schema)

    def read(self, arguments: object) -> tuple[object, ...]:
        """What `on_handoff` gets after the context: the input, or nothing.

        Raises:
            ModelBehaviorError: The model wrote something else.
        """
        if self._adapter is None:
            return ()
        if not isinstance(arguments, str):
            raise ModelBehaviorError(
                "Handoff function expected non-null input, but got None"
                if arguments is None
                else f"Handoff function expected JSON text, but got {type(arguments).__name__}",
            )
        text = json_bytes(self._unwrapped(arguments))
        try:
            return (self._adapter.validate_json(text, strict=True),)
        except ValidationError as error:
            raise ModelBehaviorError(
                f"Invalid JSON when parsing the arguments of {self._tool_name}: {faults_of(error)}",
            ) from error

    def read_one(self, arguments: str) -> object:
        """The input itself; None where there is no type.

        Raises:
            ModelBehaviorError: The model wrote something else.
        """
        given = self.read(arguments)
        return given[0] if given else None

    def _unwrapped(self, arguments: str) -> str:
        """The JSON text of the input itself; a model that left the wrapping out is understood."""
        if not self._wrapped:
            return arguments
        try:
            given: object = json.loads(arguments)
        except (ValueError, RecursionError):
            return arguments
        if is_json_object(given) and list(given) == [_WRAPPED]:
            return json.dumps(given[_WRAPPED])
        return arguments


def _wrapping(schema: dict[str, object]) -> dict[str, object]:
    definitions = schema.pop("$defs", None)
    wrapping: dict[str, object] = {"type": "object", "properties": {_WRAPPED: schema}}
    return wrapping if definitions is None else {**wrapping, "$defs": definitions}


def _adapter(on_handoff: object, input_type: object) -> TypeAdapter[object] | None:
    if on_handoff is None:
        if input_type is not None:
            raise UserError("You must provide on_handoff when input_type is provided")
        return None
    if not callable(on_handoff):
        raise UserError(f"on_handoff must be callable, not {type(on_handoff).__name__}.")
    if input_type is None:
        if not _takes(on_handoff, 1):
            raise UserError("on_handoff must take one argument: context")
        return None
    if not _takes(on_handoff, 2):
        raise UserError("on_handoff must take two arguments: context and input")
    return adapter_of("input_type", input_type)


def _takes(function: Callable[..., object], count: int) -> bool:
    """Whether the callable can be called with that many positional arguments."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # some built-in callables do not tell
        return True
    try:
        signature.bind(*range(count))
    except TypeError:
        return False
    return True
