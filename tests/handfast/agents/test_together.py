from __future__ import annotations

import asyncio
import gc
import logging

import pytest

from handfast.agents.together import end_tasks, gather_all


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


class Deaf:
    """Waits, and goes on when it is cancelled, until it is released."""

    def __init__(self) -> None:
        self.began, self.released = asyncio.Event(), asyncio.Event()
        self.cancels = 0

    async def wait(self) -> int:
        self.began.set()
        while not self.released.is_set():
            try:
                await self.released.wait()
            except asyncio.CancelledError:
                self.cancels += 1
        return 0


async def test_one_that_does_not_hear_its_end_holds_nobody_up(
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr("handfast.agents.together.GRACE", 0.01)
    deaf = Deaf()

    async def fails() -> int:
        await deaf.began.wait()
        raise ValueError("no")

    with caplog.at_level(logging.WARNING), pytest.raises(ValueError, match="no"):
        await gather_all([deaf.wait(), fails()])
    assert "1 tasks went on" in caplog.text
    deaf.released.set()


async def test_who_waits_for_one_that_does_not_hear_can_be_cancelled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("handfast.agents.together.GRACE", 0.01)
    deaf = Deaf()
    waiting = asyncio.create_task(gather_all([deaf.wait(), value(1)]))
    await deaf.began.wait()
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert deaf.cancels == 1
    deaf.released.set()


async def test_what_fails_beside_a_failure_is_no_news_for_asyncio(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def fails() -> int:
        raise ValueError("no")

    with caplog.at_level(logging.ERROR), pytest.raises(ValueError, match="no"):
        await gather_all([fails(), fails()])
    gc.collect()
    assert not caplog.records


async def test_tasks_that_have_ended_are_left_as_they_are() -> None:
    done = asyncio.ensure_future(value(3))
    await done
    await end_tasks([done])
    await end_tasks([])
    assert done.result() == 3
