"""Types built from types at run time: what a parameter's kind makes of its annotation."""

from __future__ import annotations

import types
import typing
from typing import Annotated, Protocol, cast, get_args, get_origin

import typing_extensions

from handfast.errors import UserError


class _Form(Protocol):
    """Anything that takes types in brackets."""

    def __getitem__(self, key: object, /) -> object: ...


_ANNOTATED = cast("_Form", Annotated)
_OPTIONAL = cast("_Form", typing.Optional)
_LIST = cast("_Form", list)
_DICT = cast("_Form", dict)
_UNIONS = (typing.Union, types.UnionType)
_WITH_NONE = (object, typing.Any, None, types.NoneType)
_UNPACK = (typing.Unpack, typing_extensions.Unpack)


def annotated(annotation: object, *metadata: object) -> object:
    """`Annotated[annotation, *metadata]`."""
    return _ANNOTATED[annotation, *metadata]


def optional(annotation: object) -> object:
    """The type or None; metadata stays on the outside, where pydantic reads it."""
    if get_origin(annotation) is Annotated:
        inner, *metadata = get_args(annotation)
        return annotated(_OPTIONAL[inner], *metadata)
    return _OPTIONAL[annotation]


def allows_none(annotation: object) -> bool:
    """True when None is a value of the type, as far as can be told without building it."""
    if get_origin(annotation) is Annotated:
        return allows_none(get_args(annotation)[0])
    if any(annotation is each for each in _WITH_NONE):
        return True
    is_union = get_origin(annotation) in _UNIONS
    return is_union and any(allows_none(each) for each in get_args(annotation))


def list_of(annotation: object, name: str) -> object:
    """The list that `*args` becomes: of `int` for `*args: int` and `*args: *tuple[int, ...]`.

    The annotation is that of each value (PEP 484), so a tuple of its own is one value.

    Raises:
        UserError: The annotation fixes the number of values.
    """
    unpacked = get_origin(annotation) in _UNPACK
    inner = get_args(annotation)[0] if unpacked else annotation
    bare = get_args(inner)[0] if get_origin(inner) is Annotated else inner
    if get_origin(bare) is tuple:
        element, *rest = get_args(bare) or (None,)
        if rest != [Ellipsis]:
            raise UserError(
                f"*{name} has a fixed length ({bare!r}), which a list in a schema has not; use "
                "tuple[T, ...] or list[T] instead, or one parameter for each value.",
            )
        return _LIST[element if unpacked else inner]
    return _LIST[inner]


def dict_of(annotation: object) -> object:
    """The object that `**kwargs` becomes: closed when it is the `Unpack` of a `TypedDict`.

    The annotation is that of each value (PEP 484), so a dict of its own is one value.
    """
    if get_origin(annotation) in _UNPACK:
        return get_args(annotation)[0]
    return _DICT[str, annotation]
