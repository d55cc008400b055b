from __future__ import annotations

import functools
import inspect
import operator
from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, get_type_hints

import pytest

from handfast.agents.callable_object import (
    call_of,
    check_types,
    class_names,
    is_callable_object,
)
from handfast.errors import UserError

T = TypeVar("T")


async def target(value: int) -> int:
    return value


class Plain:
    class Payload: ...

    def __call__(self, value: int) -> int:
        return value

    def method(self) -> None: ...


class Derived(Plain): ...


class OfPartial:
    __call__ = functools.partialmethod(target)


class OfStatic:
    __call__ = staticmethod(target)


class Decorated:
    @functools.wraps(target)
    async def __call__(self, *args: Any) -> int:
        return await target(*args)


class WithSignature:
    __signature__ = inspect.signature(target)

    def __call__(self, *args: Any) -> None: ...


class Updated:
    def __init__(self) -> None:
        functools.update_wrapper(self, target)

    def __call__(self, *args: Any) -> None: ...


class Annotated_:  # noqa: N801 - stands beside the form it is named after
    def __init__(self) -> None:
        self.__annotations__ = {"value": int}

    def __call__(self, value: int) -> None: ...


class Generic_(Generic[T]):  # noqa: N801 - stands beside the form it is named after
    def __call__(self, value: T) -> T:
        return value


class GenericChild(Generic_[int]): ...


class Open(Generic[T]):
    @classmethod
    def types(cls) -> list[object]:
        return list(get_type_hints(cls.method).values())[:3]

    def method(self, value: T, many: list[T], other: Self) -> None: ...


def test_functions_methods_and_classes_are_called_as_they_are() -> None:
    for function in (target, Plain().method, Plain, len, lambda: 1):
        assert not is_callable_object(function)
        assert call_of(function) == function
        assert class_names(function) == {}


def test_an_object_is_called_by_the_method_that_it_has_now(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    call = call_of(Derived())
    monkeypatch.setattr(Plain, "__call__", Plain.method)
    assert call(1) == 1


@pytest.mark.parametrize(
    "function",
    [
        functools.partial(target, 1),
        OfPartial(),
        OfStatic(),
        Decorated(),
        WithSignature(),
        Updated(),
        Annotated_(),
        operator.itemgetter(0),
        Generic_[int](),
        GenericChild(),
    ],
)
def test_parameters_that_cannot_be_trusted_need_a_wrapper(function: Callable[..., object]) -> None:
    with pytest.raises(UserError, match="explicit wrapper function"):
        call_of(function)


def test_open_types_are_refused_for_objects_alone() -> None:
    for annotation in Open[int].types():
        check_types(target, {"value": annotation})
        with pytest.raises(UserError, match="'value' of callable object Plain"):
            check_types(Plain(), {"value": annotation})
    check_types(Plain(), {"value": list[int], "other": int | None})


def test_the_names_of_the_class_that_has_the_call_are_known() -> None:
    names = class_names(Derived())
    assert names["Payload"] is Plain.Payload
    assert names["Plain"] is Plain
