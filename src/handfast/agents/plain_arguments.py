"""Whether arguments reach a function as they stand in the JSON text.

A `needs_approval` function judges the text's values. Where validation would change them, add to
them, or run the program's own code, it would judge something else than what the tool is given, and
a person has to look instead.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

from annotated_types import Ge, Gt, Le, Len, Lt, MaxLen, MinLen, MultipleOf
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from handfast.agents.json_types import is_array, is_object

_LIMITS: Final = (Ge, Gt, Le, Lt, Len, MinLen, MaxLen, MultipleOf, str)
"""What an annotation may add without changing a value or running foreign code."""

_TOP: Final[frozenset[object]] = frozenset({Any, object})
_ANYTHING: Final[frozenset[object]] = frozenset({Any, object, list, dict})
_SCALARS: Final[frozenset[object]] = frozenset({str, int, float, bool, NoneType})


def reach_unchanged(model: type[BaseModel], arguments: Mapping[str, object]) -> bool:
    """True when validation by the model hands on exactly these values, every one of them given.

    Args:
        model: Validates the arguments.
        arguments: The values, parsed from JSON.
    """
    fields = {_key(name, info): info for name, info in model.model_fields.items()}
    if fields.keys() != arguments.keys():
        return False
    return all(_unchanged(info, arguments[key]) for key, info in fields.items() if key is not None)


def _key(name: str, info: FieldInfo) -> str | None:
    """What the JSON object calls a field; None where it may go by several names."""
    alias = info.validation_alias or info.alias
    if alias is None:
        return name
    return alias if isinstance(alias, str) else None


def _unchanged(info: FieldInfo, value: object) -> bool:
    limited = all(isinstance(each, _LIMITS) for each in info.metadata)
    factory = info.default_factory is not None
    return limited and not factory and is_plain(info.annotation) and _same(info.annotation, value)


def is_plain(annotation: object) -> bool:
    """True for types whose values are JSON values, and stay what they are."""
    origin, inner = get_origin(annotation), get_args(annotation)
    if annotation in _ANYTHING or annotation in _SCALARS or origin is Literal:
        return True
    if origin is Annotated:
        limits = all(isinstance(each, _LIMITS) for each in inner[1:])
        return limits and is_plain(inner[0])
    if origin in (Union, UnionType, list):
        return all(is_plain(each) for each in inner)
    return origin is dict and inner[0] is str and is_plain(inner[1])


def _same(annotation: object, value: object) -> bool:
    origin, inner = get_origin(annotation), get_args(annotation)
    if annotation in _TOP:
        return True
    if origin is Annotated:
        return _same(inner[0], value)
    if origin in (Union, UnionType):
        return any(_same(each, value) for each in inner)
    if origin is Literal:
        return any(type(each) is type(value) and each == value for each in inner)
    if annotation in _SCALARS:
        return isinstance(annotation, type) and type(value) is annotation
    return _same_content(origin or annotation, inner, value)


def _same_content(kind: object, inner: tuple[Any, ...], value: object) -> bool:
    if kind is list:
        return is_array(value) and all(_same(inner[0] if inner else Any, each) for each in value)
    return is_object(value) and all(
        _same(inner[1] if inner else Any, each) for each in value.values()
    )


def parse_object(text: str) -> dict[str, object] | None:
    """The JSON object in a text; None where there is none that everybody would read alike."""
    try:
        parsed: object = json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return None
    return dict(parsed) if is_object(parsed) else None


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Refuse an object that names a key twice: readers differ in which of them counts."""
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a key stands twice")
    return made


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no JSON")
