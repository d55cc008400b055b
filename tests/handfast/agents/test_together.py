from __future__ import annotations

import asyncio

import pytest

from handfast.agents.together import gather_all


async def value(number: int) -> int:
    await asyncio.sleep(0)
    return number


async def test_results_come_in_the_order_of_what_was_waited_for() -> None:
    assert await gather_all([value(1), value(2), value(3)]) == [1, 2, 3]
    assert await gather_all([value(1)]) == [1]
    assert await gather_all([value(n) for n in range(0)]) == []


async def test_the_first_failure_is_raised_when_the_others_are_gone() -> None:
    gone = asyncio.Event()

    async def waits() -> int:
        try:
            await asyncio.Event().wait()
        finally:
            gone.set()
        return 0

    async def fails() -> int:
        await asyncio.sleep(0)
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await gather_all([waits(), fails()])
    assert gone.is_set()


async def test_who_waits_can_be_cancelled_and_takes_all_along() -> None:
    started, ended = 0, 0
    both = asyncio.Event()

    async def waits() -> None:
        nonlocal started, ended
        started += 1
        if started == 2:
            both.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended += 1

    task = asyncio.create_task(gather_all([waits(), waits()]))
    await both.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ended == 2
