"""A function's parameters as a tool's: names, types, defaults, and which one is the context."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from types import SimpleNamespace
from typing import Annotated, Final, cast, get_args, get_origin
from weakref import WeakKeyDictionary

from handfast.agents.callable_object import check_types, class_names
from handfast.agents.context import RunContextWrapper
from handfast.errors import UserError

NO_VALUE: Final = inspect.Parameter.empty
"""Stands where a parameter has no annotation or no default."""

_UNRESOLVED: Final = (NameError, SyntaxError, TypeError, AttributeError)
"""What evaluating an annotation that is text may raise."""

_CONTEXT_NAMES: Final = ("RunContextWrapper", "ToolContext")


@dataclass(frozen=True, slots=True)
class Signature:
    """What a function takes."""

    parameters: tuple[inspect.Parameter, ...]
    """Without the context; annotations are types, not text."""
    takes_context: bool
    """True when the first argument is the `ToolContext`."""
    local_names: Callable[[], dict[str, object]]
    """The names that types within the annotations may refer to; to be asked at once or never."""
    context_name: str | None = None
    """What the function calls its context, where a keyword could give it a second time."""


def read_signature(function: Callable[..., object]) -> Signature:
    """Read what a function takes.

    Args:
        function: A function, method, `functools.partial` or callable object.

    Raises:
        UserError: It has no signature, the context is not its first parameter, or an annotation
            names a type that cannot be found.
    """
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError) as error:
        raise UserError(
            f"{function_name_of(function)} has no signature to make a schema of; wrap it in a "
            "function with annotated parameters.",
        ) from error
    names = _Names(written_function(function), class_names(function))
    takes_context = bool(parameters) and _is_given_context(parameters[0], names)
    resolved = [names.resolve(each, function) for each in parameters[takes_context:]]
    for each in resolved:
        if _is_context(each.annotation):
            raise UserError(
                f"The context must be the first parameter of {function_name_of(function)}, given "
                f"by position; {each.name!r} is not. Use an explicit wrapper function.",
            )
    check_types(function, {each.name: each.annotation for each in resolved})
    first = parameters[0] if takes_context else None
    by_name = first is not None and first.kind is not first.POSITIONAL_ONLY
    context_name = first.name if first is not None and by_name else None
    return Signature(tuple(resolved), takes_context, names.of_scopes, context_name)


def _is_given_context(parameter: inspect.Parameter, names: _Names) -> bool:
    """True for a parameter that is the context, and can be given by position."""
    by_position = parameter.kind in {
        parameter.POSITIONAL_ONLY,
        parameter.POSITIONAL_OR_KEYWORD,
    }
    return by_position and names.is_context(parameter)


_PLAIN: Final[WeakKeyDictionary[object, bool]] = WeakKeyDictionary()


def wants_run_context(function: Callable[..., object]) -> bool:
    """True for a function whose first parameter is annotated as the run's context alone.

    Found out once for each function, since it is asked at every call.
    """
    key: object = getattr(function, "__func__", function)
    try:
        known = _PLAIN.get(key)
        if known is None:
            known = _PLAIN[key] = _is_for_run_context(function)
    except TypeError:  # an object that cannot be hashed or weakly referenced
        return _is_for_run_context(function)
    return known


def _is_for_run_context(function: Callable[..., object]) -> bool:
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return False
    if not parameters:
        return False
    names = _Names(written_function(function))
    return names.class_of(parameters[0]) is RunContextWrapper


def written_function(function: object) -> object:
    """The function that somebody wrote, under partials, bound methods and decorators."""
    while True:
        if isinstance(function, partial):
            function = cast("partial[object]", function).func
        elif inspect.ismethod(function):
            function = function.__func__
        elif not inspect.isroutine(function) and not inspect.isclass(function):
            return inspect.unwrap(cast("Callable[..., object]", type(function).__call__))
        else:
            return inspect.unwrap(cast("Callable[..., object]", function))


def function_name_of(function: object) -> str:
    """The name of a function, or of the class of a callable object."""
    while isinstance(function, partial):
        function = cast("partial[object]", function).func
    name: object = getattr(function, "__name__", None)
    return name if isinstance(name, str) else type(function).__name__


class _Names:
    """Finds the types that annotations name."""

    def __init__(self, written: object, class_names: Mapping[str, object] | None = None) -> None:
        self._globals = cast("dict[str, object]", getattr(written, "__globals__", {}))
        self._scopes = _enclosing_scopes(str(getattr(written, "__qualname__", "")))
        self._locals: Mapping[str, object] = {**self.of_scopes(), **_closure(written)}
        self._class_names = class_names or {}

    def is_context(self, parameter: inspect.Parameter) -> bool:
        """True when a parameter is annotated as the context.

        The type of the user's context object is not needed, so it may be one that is imported for
        type checkers only.
        """
        try:
            return _is_context(self._type_of(parameter.annotation))
        except _UNRESOLVED:
            return _is_context(parameter.annotation) or _is_context_text(parameter.annotation)

    def class_of(self, parameter: inspect.Parameter) -> object:
        """The class that a parameter is annotated with; None where it cannot be told."""
        try:
            return _class_of(self._type_of(parameter.annotation))
        except _UNRESOLVED:
            return None

    def resolve(self, parameter: inspect.Parameter, function: object) -> inspect.Parameter:
        """The parameter with a type in place of an annotation that is text."""
        try:
            return parameter.replace(annotation=self._type_of(parameter.annotation))
        except _UNRESOLVED as error:
            raise UserError(
                f"The annotation {parameter.annotation!r} of parameter {parameter.name!r} of "
                f"{function_name_of(function)} cannot be resolved: {error}. Import or define the "
                "type where the function is defined, not only for type checkers.",
            ) from error

    def _type_of(self, annotation: object) -> object:
        if annotation is NO_VALUE:
            return NO_VALUE
        try:
            return self._evaluated(annotation, {})
        except NameError:
            # A name of the class itself. Tried last: its methods may be called `list` or `type`.
            return self._evaluated(annotation, self._class_names)

    def _evaluated(self, annotation: object, class_names: Mapping[str, object]) -> object:
        holder = SimpleNamespace(__annotations__={"it": annotation})
        found = typing.get_type_hints(
            holder,
            self._globals,
            {**class_names, **self._locals},
            include_extras=True,
        )
        return cast("object", found["it"])

    def of_scopes(self) -> dict[str, object]:
        """The names of the functions and classes around the function that are running now.

        A tool that is defined inside a function may be annotated with types defined there too, of
        which the function itself keeps no trace.
        """
        names: dict[str, object] = {}
        frame = inspect.currentframe() if self._scopes else None
        while frame is not None:
            if frame.f_globals is self._globals and frame.f_code.co_qualname in self._scopes:
                names = {**frame.f_locals, **names}
            frame = frame.f_back
        return names


def _enclosing_scopes(qualname: str) -> frozenset[str]:
    """`a`, `a.<locals>.B` for `a.<locals>.B.c`: the scopes that a definition stands in."""
    scopes: set[str] = set()
    while "." in qualname:
        qualname = qualname.rpartition(".")[0].removesuffix(".<locals>")
        scopes.add(qualname)
    return frozenset(scopes)


def _closure(written: object) -> Mapping[str, object]:
    """The variables of enclosing functions that a function uses."""
    cells: dict[str, object] = {}
    if inspect.isfunction(written):
        names = written.__code__.co_freevars
        for name, cell in zip(names, written.__closure__ or (), strict=True):
            with suppress(ValueError):  # a variable that has no value yet
                cells[name] = cell.cell_contents
    parameters: object = getattr(written, "__type_params__", ())
    generic = {each.__name__: each for each in cast("tuple[typing.TypeVar, ...]", parameters)}
    return {**generic, **cells}


def _is_context_text(annotation: object) -> bool:
    """True for an annotation that is text and begins with the name of a context class.

    Such a type may be imported for type checkers only, and is not needed here.
    """
    if not isinstance(annotation, str):
        return False
    name = annotation.strip("'\" ").partition("[")[0].rpartition(".")[2]
    return name in _CONTEXT_NAMES


def _is_context(annotation: object) -> bool:
    found = _class_of(annotation)
    return inspect.isclass(found) and issubclass(found, RunContextWrapper)


def _class_of(annotation: object) -> object:
    while get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    return get_origin(annotation) or annotation
