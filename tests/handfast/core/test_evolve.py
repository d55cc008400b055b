from __future__ import annotations

from dataclasses import FrozenInstanceError, dataclass, fields, replace
from typing import Any

import pytest

from handfast.core.evolve import evolve
from handfast.core.items import Message
from handfast.core.loop import start
from handfast.core.state import RunState


@dataclass(frozen=True)
class Point:
    x: int
    y: int = 0


def test_some_fields_change_and_the_value_stays() -> None:
    point = Point(1, 2)
    assert evolve(point, y=3) == Point(1, 3)
    assert point == Point(1, 2)
    with pytest.raises(FrozenInstanceError):
        evolve(point, y=3).x = 1  # type: ignore[misc]


def test_a_field_that_is_not_there_is_refused() -> None:
    wrong: Any = {"z": 1}
    with pytest.raises(TypeError, match="Point has no field 'z'"):
        evolve(Point(1), **wrong)


def test_it_does_to_a_run_what_replace_does() -> None:
    state, _ = start("a", [Message("user", "hi", {})])
    assert evolve(state) == state
    for each in fields(RunState):
        change: Any = {each.name: "changed"}
        assert evolve(state, **change) == replace(state, **change)
