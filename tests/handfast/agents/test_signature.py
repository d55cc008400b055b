from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Self

import pytest
from pydantic import BaseModel

from handfast.agents.context import RunContextWrapper, ToolContext
from handfast.agents.signature import NO_VALUE, function_name_of, read_signature, written_function
from handfast.errors import UserError

if TYPE_CHECKING:
    from handfast.agents.usage import Usage as OnlyForCheckers


class Point(BaseModel):
    x: int


def plain(a: int, b: Point | None = None, *, c: Any, d=1) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001 - what is tested
    del a, b, c, d


def annotations_of(function: Callable[..., object]) -> dict[str, object]:
    return {each.name: each.annotation for each in read_signature(function).parameters}


def test_annotations_that_are_text_become_types() -> None:
    assert annotations_of(plain) == {"a": int, "b": Point | None, "c": Any, "d": NO_VALUE}


def test_the_context_is_left_out_when_it_comes_first() -> None:
    def bare(ctx: RunContextWrapper, a: int) -> None: ...
    def typed(ctx: RunContextWrapper[Point], a: int) -> None: ...
    def of_call(ctx: ToolContext[Point], a: int) -> None: ...
    def described(ctx: Annotated[ToolContext, "the context"], a: int) -> None: ...
    def only_for_checkers(ctx: RunContextWrapper[OnlyForCheckers], a: int) -> None: ...

    for function in (bare, typed, of_call, described, only_for_checkers):
        signature = read_signature(function)
        assert signature.takes_context
        assert [each.name for each in signature.parameters] == ["a"]
    assert not read_signature(plain).takes_context


def test_the_users_context_may_be_named_in_text_within_the_annotation() -> None:
    def function(ctx: object, a: int) -> None: ...

    function.__annotations__["ctx"] = RunContextWrapper["OnlyForCheckers"]
    assert read_signature(function).takes_context
    function.__annotations__["ctx"] = list["OnlyForCheckers"]
    with pytest.raises(UserError, match="'ctx'"):
        read_signature(function)


def test_a_function_written_in_c_has_a_signature_too() -> None:
    signature = read_signature(abs)
    assert [each.name for each in signature.parameters] == ["x"]
    assert not signature.takes_context


def test_the_context_elsewhere_is_refused() -> None:
    def second(a: int, ctx: RunContextWrapper) -> None: ...
    def twice(ctx: ToolContext, again: ToolContext) -> None: ...
    def named(*, ctx: ToolContext) -> None: ...
    def many(*ctx: ToolContext) -> None: ...

    for function in (second, named, many):
        with pytest.raises(UserError, match=f"first parameter of {function.__name__}, given by"):
            read_signature(function)
    with pytest.raises(UserError, match="'again' is not"):
        read_signature(twice)


def test_a_type_of_the_same_name_is_not_the_context() -> None:
    class ToolContext(BaseModel):
        a: int

    def function(ctx: ToolContext) -> None: ...

    assert not read_signature(function).takes_context
    assert annotations_of(function) == {"ctx": ToolContext}


def test_types_of_running_functions_are_found() -> None:
    class Local(BaseModel):
        a: int

    def make() -> Callable[..., object]:
        class Inner(BaseModel):
            b: int

        def function(a: Local, b: list[Inner]) -> None: ...

        assert annotations_of(function) == {"a": Local, "b": list[Inner]}
        return function

    make()


def test_types_that_the_function_closes_over_are_found_later() -> None:
    def make() -> Callable[..., object]:
        class Inner(BaseModel):
            b: int

        def function(a: Inner) -> Inner:
            return Inner(b=a.b)

        return function

    assert read_signature(make()).parameters[0].annotation.__name__ == "Inner"


def test_a_variable_that_is_not_set_yet_is_no_error() -> None:
    def function(a: int) -> object:
        return a + later

    assert annotations_of(function) == {"a": int}
    later = 1
    assert function(1) == 2


def test_a_type_that_cannot_be_found_is_named() -> None:
    def missing(a: int, b: list[OnlyForCheckers]) -> None: ...

    with pytest.raises(UserError, match=r"OnlyForCheckers.*'b' of missing.*cannot be resolved"):
        read_signature(missing)


def test_text_that_is_no_type_is_named() -> None:
    for text in ("no type at all", "inspect.Nothing", "int[str]"):

        def function(a: object) -> None: ...

        function.__annotations__["a"] = text
        with pytest.raises(UserError, match="'a'"):
            read_signature(function)


def test_names_of_the_class_are_found_for_an_object() -> None:
    class Handler:
        class Payload: ...

        def __call__(self, payload: Payload, many: list[int]) -> None: ...

        def list(self) -> None: ...

    class Derived(Handler): ...

    assert annotations_of(Derived()) == {"payload": Handler.Payload, "many": list[int]}


def test_open_types_of_an_object_are_refused() -> None:
    class Handler:
        def __call__(self, other: Self) -> None: ...

    with pytest.raises(UserError, match="with concrete types"):
        read_signature(Handler())


class Callable_:  # noqa: N801 - stands beside the type it is named after
    def __call__(self, a: Point) -> None: ...

    def method(self, a: Point) -> None: ...

    @classmethod
    def of_class(cls, a: Point) -> None: ...

    @staticmethod
    def static(a: Point) -> None: ...


def decorated(function: Callable[..., object]) -> Callable[..., object]:
    @functools.wraps(function)
    def wrapper(*args: object, **kwargs: object) -> object:
        return function(*args, **kwargs)

    return wrapper


@decorated
@decorated
def wrapped(a: Point) -> None: ...


@pytest.mark.parametrize(
    "function",
    [
        Callable_(),
        Callable_().method,
        Callable_.of_class,
        Callable_.static,
        wrapped,
        functools.partial(wrapped),
        functools.partial(functools.partial(Callable_().method)),
    ],
)
def test_anything_that_can_be_called_has_a_signature(function: Callable[..., object]) -> None:
    assert annotations_of(function) == {"a": Point}


def test_what_a_partial_has_filled_in_is_left_out_or_a_default() -> None:
    def function(a: int, b: int, c: int = 3) -> None: ...

    assert list(annotations_of(functools.partial(function, 1))) == ["b", "c"]
    by_name = read_signature(functools.partial(function, b=2)).parameters
    assert [(each.name, each.default) for each in by_name] == [("a", NO_VALUE), ("b", 2), ("c", 3)]
    assert by_name[2].kind is inspect.Parameter.KEYWORD_ONLY


def test_a_function_without_a_signature_is_refused() -> None:
    with pytest.raises(UserError, match="no signature"):
        read_signature(type)


def test_names_and_functions_are_found_under_their_wrappers() -> None:
    assert function_name_of(plain) == "plain"
    assert function_name_of(wrapped) == "wrapped"
    assert function_name_of(functools.partial(functools.partial(plain))) == "plain"
    assert function_name_of(Callable_()) == "Callable_"
    assert function_name_of(Callable_().method) == "method"
    assert written_function(functools.partial(wrapped)) is wrapped.__wrapped__.__wrapped__  # type: ignore[attr-defined]
    assert written_function(Callable_()) is Callable_.__call__
