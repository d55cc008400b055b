from __future__ import annotations

import asyncio
from contextvars import ContextVar

import pytest

from handfast.tracing.mark import Mark

CURRENT: ContextVar[str | None] = ContextVar("current", default=None)


def test_a_mark_makes_a_value_current_and_takes_that_back() -> None:
    outer, inner = Mark(CURRENT), Mark(CURRENT)
    outer.set("outer")
    inner.set("inner")
    inner.set("again")
    assert CURRENT.get() == "inner"
    inner.reset()
    inner.reset()
    assert CURRENT.get() == "outer"
    outer.reset()
    assert CURRENT.get() is None


async def test_another_context_can_only_let_go_where_that_is_accepted() -> None:
    mark = Mark(CURRENT)
    mark.set("here")

    async def elsewhere(*, tolerant: bool) -> None:
        mark.reset(tolerant=tolerant)

    with pytest.raises(ValueError, match="different Context"):
        await asyncio.create_task(elsewhere(tolerant=False))
    await asyncio.create_task(elsewhere(tolerant=True))
