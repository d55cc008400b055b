"""Frozen records to plain JSON values and back, by their type annotations.

Works for dataclasses whose fields are str, int, float, bool, None, aware datetimes, enums,
literals, homogeneous or fixed tuples, other such dataclasses, and unions of these with None.
Facts, findings and inspections are stored through this one file.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import UTC, datetime
from enum import Enum
from functools import cache
from typing import Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from handfast.errors import UserError

T = TypeVar("T")


def to_plain(value: object) -> object:
    """Turn a record into JSON values.

    Args:
        value: A dataclass instance, a tuple or list of them, or a plain value.

    Returns:
        Dicts, lists, strings, numbers, booleans and None only; times as RFC 3339 in UTC.
    """
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    if isinstance(value, tuple | list):
        return [to_plain(item) for item in cast("tuple[object, ...]", value)]
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_plain(getattr(value, field.name)) for field in fields(value)}
    return value


def from_plain(kind: type[T], data: object, where: str = "$") -> T:
    """Build a record from what `to_plain` made of one.

    Args:
        kind: The dataclass (or plain type) to build.
        data: Values as `json.loads` returns them.
        where: Path of `data` in its document, for error messages.

    Returns:
        A record equal to the one that was stored.

    Raises:
        UserError: A value is missing, unknown or of the wrong type; the message names its path.
    """
    return cast("T", _read(kind, data, where))


def _read(kind: object, data: object, where: str) -> object:
    origin = get_origin(kind)
    scalar = kind
    if origin in {Union, types.UnionType}:
        return _read_union(get_args(kind), data, where)
    if origin is Literal:
        _demand(data in get_args(kind), where, f"one of {get_args(kind)}", data)
        return data
    if origin is tuple:
        return _read_tuple(get_args(kind), data, where)
    if kind is datetime:
        return _read_time(data, where)
    if is_dataclass(kind):
        return _read_record(cast("type", kind), data, where)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _read_enum(kind, data, where)
    return _read_scalar(scalar, data, where)


def _read_union(choices: tuple[object, ...], data: object, where: str) -> object:
    if data is None and type(None) in choices:
        return None
    (choice,) = (item for item in choices if item is not type(None))
    return _read(choice, data, where)


def _read_tuple(items: tuple[object, ...], data: object, where: str) -> tuple[object, ...]:
    _demand(isinstance(data, list), where, "a list", data)
    values = cast("list[object]", data)
    if len(items) == 2 and items[1] is Ellipsis:  # noqa: PLR2004 - tuple[X, ...] has two arguments
        return tuple(_read(items[0], value, f"{where}[{n}]") for n, value in enumerate(values))
    _demand(len(values) == len(items), where, f"a list of {len(items)}", data)
    return tuple(
        _read(item, value, f"{where}[{n}]")
        for n, (item, value) in enumerate(zip(items, values, strict=True))
    )


def _read_record(kind: type, data: object, where: str) -> object:
    _demand(isinstance(data, Mapping), where, "an object", data)
    given = cast("Mapping[str, object]", data)
    hints = _hints(kind)
    unknown = sorted(set(given) - set(hints))
    _demand(not unknown, where, f"no field {', '.join(unknown)}", given)
    for field in fields(kind):
        optional = field.default is not MISSING or field.default_factory is not MISSING
        _demand(field.name in given or optional, where, f"a field {field.name}", given)
    build = cast("Callable[..., object]", kind)
    return build(
        **{name: _read(hints[name], value, f"{where}.{name}") for name, value in given.items()}
    )


def _read_enum(kind: type[Enum], data: object, where: str) -> Enum:
    allowed = {member.value: member for member in kind}
    _demand(isinstance(data, str) and data in allowed, where, f"one of {list(allowed)}", data)
    return allowed[data]


def _read_time(data: object, where: str) -> datetime:
    _demand(isinstance(data, str), where, "a time", data)
    try:
        moment = datetime.fromisoformat(cast("str", data))
    except ValueError as error:
        raise UserError(f"{where}: expected an RFC 3339 time, got {data!r}") from error
    _demand(moment.tzinfo is not None, where, "a time with a zone", data)
    return moment.astimezone(UTC)


def _read_scalar(kind: object, data: object, where: str) -> object:
    fits = {
        str: isinstance(data, str),
        bool: isinstance(data, bool),
        int: isinstance(data, int) and not isinstance(data, bool),
        float: isinstance(data, int | float) and not isinstance(data, bool),
    }
    _demand(fits.get(cast("type", kind), False), where, f"a value of type {kind}", data)
    return data


@cache
def _hints(kind: type) -> dict[str, object]:
    return get_type_hints(kind)


def _demand(condition: bool, where: str, wanted: str, data: object) -> None:  # noqa: FBT001 - an assertion
    if not condition:
        raise UserError(f"{where}: expected {wanted}, got {repr(data)[:80]}")
