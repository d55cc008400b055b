"""`RunState` to JSON and back, in the current schema version.

The form describes itself: each record is an object whose `_` names its type, so that a stored
state can be read by a person and refused by name. What the core never reads (`raw`, `value`,
`error`) is turned into JSON and back by the caller, who knows what it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from types import MappingProxyType
from typing import Final, TypeAlias, TypeGuard, cast

from handfast.core import items, state, usage
from handfast.core.log import Log
from handfast.core.schema_versions import CURRENT_SCHEMA_VERSION, VERSION_KEY, to_current
from handfast.core.state import RunState
from handfast.errors import UserError

Opaque: TypeAlias = Callable[[object], object]
"""Turns a value that the core does not read into JSON data, or JSON data into a value."""

_RECORDS: Final[Mapping[str, type]] = MappingProxyType(
    {
        record.__name__: record
        for record in (
            items.Message,
            items.Reasoning,
            items.Call,
            items.Result,
            items.HandoffResult,
            items.Opaque,
            usage.Spend,
            usage.Limits,
            state.Failure,
            state.Verdict,
            state.Offer,
            state.Rules,
            state.Answer,
            state.Unauthorized,
            state.Unapproved,
            state.Running,
            state.Paused,
            state.Held,
            state.Settled,
            state.Checking,
            state.Asking,
            state.Acting,
            state.Concluding,
            state.HandingOver,
            state.Filtering,
            state.Judging,
            state.Recovering,
            state.Done,
            state.Stopped,
            state.RunState,
        )
    },
)

_SCALARS: Final[Mapping[str, tuple[type, ...]]] = MappingProxyType(
    {
        "str": (str,),
        "int": (int,),
        "bool": (bool,),
        "str | None": (str, type(None)),
        "int | None": (int, type(None)),
    },
)


def encode_state(run: RunState, opaque: Opaque) -> dict[str, object]:
    """The state as JSON data.

    Args:
        run: The state.
        opaque: Turns each value that the core does not read into JSON data.
    """
    return {VERSION_KEY: CURRENT_SCHEMA_VERSION, "run": _encode(run, opaque)}


def decode_state(data: object, opaque: Opaque) -> RunState:
    """The state that `encode_state` wrote, of this or any earlier schema version.

    Args:
        data: Parsed JSON.
        opaque: Turns the JSON data of what the core does not read back into a value.

    Raises:
        UserError: The data is no stored state, or was written by a newer handfast.
    """
    run = _decode(to_current(data)["run"], opaque)
    if not isinstance(run, RunState):
        raise UserError("This is not a stored run: `run` does not hold a RunState.")
    return run


def _is_object(value: object) -> TypeGuard[dict[str, object]]:
    return isinstance(value, dict)


def _is_array(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, list)


def _is_log(value: object) -> TypeGuard[Log[object]]:
    return isinstance(value, Log)


def _is_tuple(value: object) -> TypeGuard[tuple[object, ...]]:
    return isinstance(value, tuple)


def _is_set(value: object) -> TypeGuard[frozenset[object]]:
    return isinstance(value, frozenset)


def _is_mapping(value: object) -> TypeGuard[Mapping[object, object]]:
    return isinstance(value, Mapping)


def _encode(value: object, opaque: Opaque) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        return _encode_record(value, opaque)
    if _is_log(value):
        return {"_": "log", "items": [_encode(item, opaque) for item in value]}
    if _is_tuple(value):
        return [_encode(item, opaque) for item in value]
    if _is_set(value):
        return {"_": "set", "items": sorted(str(item) for item in value)}
    if _is_mapping(value):
        return {"_": "map", "items": dict(value)}
    return value


def _encode_record(record: object, opaque: Opaque) -> dict[str, object]:
    name = type(record).__name__
    if _RECORDS.get(name) is not type(record):
        raise UserError(f"{name} is no part of a stored run.")
    encoded: dict[str, object] = {"_": name}
    for field in fields(record):  # type: ignore[arg-type]  # a dataclass: it is in the table
        value = getattr(record, field.name)
        encoded[field.name] = opaque(value) if field.type == "object" else _encode(value, opaque)
    if isinstance(record, RunState) and record.seen is record.items:
        encoded["seen"] = {"_": "same"}
    return encoded


def _decode(data: object, opaque: Opaque) -> object:
    if _is_array(data):
        return tuple(_decode(item, opaque) for item in data)
    if not _is_object(data):
        return data
    tag, content = data.get("_"), data.get("items")
    if tag == "log" and _is_array(content):
        return Log([_decode(item, opaque) for item in content])
    if tag == "set" and _is_array(content):
        return frozenset(content)
    if tag == "map" and _is_object(content):
        return dict(content)
    record = _RECORDS.get(tag) if isinstance(tag, str) else None
    if record is None:
        raise UserError(f"The stored run holds an unknown record: {tag!r}.")
    return _decode_record(record, data, opaque)


def _decode_record(record: type, data: Mapping[str, object], opaque: Opaque) -> object:
    values: dict[str, object] = {}
    for field in fields(record):
        if field.name not in data:
            continue
        given = data[field.name]
        if given == {"_": "same"} and record is RunState:
            values[field.name] = values.get("items")
        elif field.type == "object":
            values[field.name] = opaque(given)
        else:
            values[field.name] = _checked(record, field.name, field.type, _decode(given, opaque))
    try:
        return cast("Callable[..., object]", record)(**values)
    except TypeError as error:
        raise UserError(f"The stored run holds an incomplete {record.__name__}: {error}.") from None


def _checked(record: type, name: str, annotation: object, value: object) -> object:
    expected = _SCALARS.get(annotation) if isinstance(annotation, str) else None
    if expected is None:
        if isinstance(annotation, str) and annotation.startswith("Log[") != isinstance(value, Log):
            raise UserError(f"The stored run holds a malformed {record.__name__}.{name}.")
        return value
    if not isinstance(value, expected) or (bool not in expected and isinstance(value, bool)):
        raise UserError(
            f"The stored run holds a malformed {record.__name__}.{name}: {value!r} is no "
            f"{annotation}.",
        )
    return value
