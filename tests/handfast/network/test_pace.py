from __future__ import annotations

import asyncio
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast.boundary.scope import Rate, ScopeBudget
from handfast.errors import LimitExceeded, UserError
from handfast.network.pace import Pace
from loopback_tcp import loopback_scope

FAST = Rate(1e6, 1)


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
async def test_starts_at_a_host_are_never_closer_than_the_rate_allows(
    rate: float, count: int
) -> None:
    clock = Clock()
    pace = Pace(Rate(rate, 1), clock=clock, sleep=clock.sleep)
    starts: list[float] = []
    for _ in range(count):
        async with pace.request("site.test"):
            starts.append(clock.now)
    gaps = [later - earlier for earlier, later in itertools.pairwise(starts)]
    assert all(gap >= 1 / rate - 1e-9 for gap in gaps)
    assert pace.started == count


async def test_the_first_request_at_each_host_does_not_wait() -> None:
    clock = Clock()
    pace = Pace(Rate(1, 1), clock=clock, sleep=clock.sleep)
    for host in ("a.test", "b.test"):
        async with pace.request(host):
            assert clock.waits == []


async def test_an_idle_run_saves_up_no_burst() -> None:
    clock = Clock()
    pace = Pace(Rate(10, 1), clock=clock, sleep=clock.sleep)
    async with pace.request("site.test"):
        pass
    clock.now += 60
    for _ in range(2):
        async with pace.request("site.test"):
            pass
    assert clock.waits == [pytest.approx(0.1)]


async def test_no_more_run_at_once_than_allowed() -> None:
    pace = Pace(Rate(1e6, 2))
    running = 0
    most = 0
    release = asyncio.Event()

    async def one() -> None:
        nonlocal running, most
        async with pace.request("site.test"):
            running += 1
            most = max(most, running)
            if running == 2:
                release.set()
            await release.wait()
            running -= 1

    await asyncio.gather(*(one() for _ in range(6)))
    assert most == 2


async def test_a_failing_request_gives_its_place_back() -> None:
    pace = Pace(FAST)
    with pytest.raises(KeyError):
        async with pace.request("site.test"):
            raise KeyError
    async with pace.request("site.test"):
        pass
    assert pace.started == 2


async def test_the_run_ends_at_its_number_of_requests() -> None:
    pace = Pace(FAST, ScopeBudget(requests=1))
    async with pace.request("a.test"):
        pass
    with pytest.raises(LimitExceeded, match="all of its 1 requests"):
        async with pace.request("b.test"):
            pass


def test_the_run_ends_at_its_number_of_bytes() -> None:
    pace = Pace(FAST, ScopeBudget(bytes=100))
    pace.receive(100)
    with pytest.raises(LimitExceeded, match="all of its 100 bytes"):
        pace.receive(1)
    assert pace.received == 101


async def test_a_scope_says_what_the_pace_is() -> None:
    pace = Pace.of(loopback_scope(80, requests=1))
    async with pace.request("site.test"):
        pass
    with pytest.raises(LimitExceeded):
        async with pace.request("site.test"):
            pass


@pytest.mark.parametrize(
    ("rate", "budget"),
    [
        (Rate(0, 1), ScopeBudget()),
        (Rate(-1, 1), ScopeBudget()),
        (Rate(1, 0), ScopeBudget()),
        (Rate(1, 1), ScopeBudget(requests=0)),
        (Rate(1, 1), ScopeBudget(bytes=0)),
    ],
)
def test_a_pace_of_nothing_is_refused(rate: Rate, budget: ScopeBudget) -> None:
    with pytest.raises(UserError, match="A pace needs"):
        Pace(rate, budget)
