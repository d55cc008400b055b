from __future__ import annotations

import asyncio
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast.errors import LimitExceeded, UserError
from handfast.network.pace import Pace


class Clock:
    """Time that passes only when somebody waits."""

    def __init__(self) -> None:
        self.now = 100.0
        self.waits: list[float] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds


@given(st.floats(0.5, 1000), st.integers(1, 20))
async def test_starts_are_never_closer_than_the_rate_allows(rate: float, count: int) -> None:
    clock = Clock()
    pace = Pace(rate, 1, clock=clock, sleep=clock.sleep)
    starts: list[float] = []
    for _ in range(count):
        async with pace.request():
            starts.append(clock.now)
    gaps = [later - earlier for earlier, later in itertools.pairwise(starts)]
    assert all(gap >= 1 / rate - 1e-9 for gap in gaps)
    assert pace.started == count


async def test_the_first_request_does_not_wait() -> None:
    clock = Clock()
    async with Pace(1, 1, clock=clock, sleep=clock.sleep).request():
        assert clock.waits == []


async def test_an_idle_run_saves_up_no_burst() -> None:
    clock = Clock()
    pace = Pace(10, 1, clock=clock, sleep=clock.sleep)
    async with pace.request():
        pass
    clock.now += 60
    for _ in range(2):
        async with pace.request():
            pass
    assert clock.waits == [pytest.approx(0.1)]


async def test_no_more_run_at_once_than_allowed() -> None:
    pace = Pace(1e6, 2)
    running = 0
    most = 0
    release = asyncio.Event()

    async def one() -> None:
        nonlocal running, most
        async with pace.request():
            running += 1
            most = max(most, running)
            if running == 2:
                release.set()
            await release.wait()
            running -= 1

    await asyncio.gather(*(one() for _ in range(6)))
    assert most == 2


async def test_a_failing_request_gives_its_place_back() -> None:
    pace = Pace(1e6, 1)
    with pytest.raises(KeyError):
        async with pace.request():
            raise KeyError
    async with pace.request():
        pass
    assert pace.started == 2


async def test_the_run_ends_at_its_number_of_requests() -> None:
    pace = Pace(1e6, 1, max_requests=1)
    async with pace.request():
        pass
    with pytest.raises(LimitExceeded, match="all of its 1 requests"):
        async with pace.request():
            pass


@pytest.mark.parametrize(("rate", "at_once", "most"), [(0, 1, 1), (1, 0, 1), (1, 1, 0), (-1, 1, 1)])
def test_a_pace_of_nothing_is_refused(rate: float, at_once: int, most: int) -> None:
    with pytest.raises(UserError, match="pace needs"):
        Pace(rate, at_once, most)
