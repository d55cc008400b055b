"""Objects that can be called, as tools: only where their parameters can be trusted.

A plain `__call__` says what it takes. A partial, a wrapper or a descriptor may publish a signature
that is not the one it is called with, and a generic class leaves types open: a schema made of them
would promise a model something else than the code does. A wrapper function of the user's own, with
annotations, settles it.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Mapping
from functools import partial
from types import FunctionType
from typing import Final, ParamSpec, TypeVar, cast, get_args, get_origin

import typing_extensions

from handfast.errors import UserError

_ADVICE: Final = "Use an explicit wrapper function"
_OPEN_FORMS: Final = (TypeVar, ParamSpec, typing_extensions.TypeAliasType)
_SELF: Final[tuple[object, ...]] = (
    vars(typing)["Self"],
    vars(typing_extensions)["Self"],
)
_ABSENT: Final = object()


def is_callable_object(function: object) -> bool:
    """True for an object whose class has `__call__`: no function, method or class."""
    return not inspect.isroutine(function) and not inspect.isclass(function)


def call_of(function: Callable[..., object]) -> Callable[..., object]:
    """What is called: the `__call__` that an object has now, and any function itself.

    Args:
        function: A function, method, class or callable object.

    Raises:
        UserError: It is an object whose parameters cannot be trusted.
    """
    if not is_callable_object(function):
        return function
    if isinstance(function, partial):
        raise UserError(
            "Unsupported callable object: a functools.partial does not say which parameters are "
            f"left to a model. {_ADVICE}.",
        )
    if _publishes_a_signature(function):
        raise UserError(
            f"Unsupported callable wrapper: {type(function).__name__} publishes a signature that "
            f"need not be that of its __call__. {_ADVICE}.",
        )
    owner, method = _written_call(function)
    if getattr(owner, "__parameters__", ()) or getattr(owner, "__type_params__", ()):
        raise UserError(
            f"Unsupported generic callable object {owner.__name__}: its types are open. {_ADVICE} "
            "with concrete ones.",
        )
    return cast("Callable[..., object]", method.__get__(function, type(function)))


def check_types(function: Callable[..., object], types: Mapping[str, object]) -> None:
    """Refuse a callable object that is annotated with open types.

    Args:
        function: A function or callable object; functions may have them.
        types: The types of its parameters, by name.

    Raises:
        UserError: A type is a variable, an alias or `Self`.
    """
    if not is_callable_object(function):
        return
    for name, annotation in types.items():
        if _is_open(annotation):
            raise UserError(
                f"Unsupported generic or aliased type of parameter {name!r} of callable object "
                f"{type(function).__name__}. {_ADVICE} with concrete types.",
            )


def class_names(function: Callable[..., object]) -> dict[str, object]:
    """The names of the class that an object's `__call__` is written in, and of itself."""
    kind: type = type(function)
    for owner in kind.__mro__ if is_callable_object(function) else ():
        if "__call__" in vars(owner):
            return {**vars(owner), owner.__name__: owner}
    return {}


def _publishes_a_signature(function: object) -> bool:
    own = cast("Mapping[str, object]", getattr(function, "__dict__", {}))
    static = any(
        inspect.getattr_static(function, name, _ABSENT) is not _ABSENT
        for name in ("__wrapped__", "__signature__")
    )
    return static or not {"__annotations__", "__annotate__"}.isdisjoint(own)


def _written_call(function: object) -> tuple[type, FunctionType]:
    """The class that an object's `__call__` is written in, and that method."""
    for owner in type(function).__mro__:
        method: object = vars(owner).get("__call__", _ABSENT)
        if method is _ABSENT:
            continue
        published = hasattr(method, "__wrapped__") or hasattr(method, "__signature__")
        if isinstance(method, FunctionType) and not published:
            return owner, method
        break
    raise UserError(
        f"Unsupported callable object {type(function).__name__}: its __call__ is no plain method. "
        f"{_ADVICE} for decorated methods, built-in callables and descriptors.",
    )


def _is_open(annotation: object) -> bool:
    parts = (annotation, get_origin(annotation))
    if any(isinstance(each, _OPEN_FORMS) or each in _SELF for each in parts):
        return True
    return any(_is_open(each) for each in get_args(annotation))
