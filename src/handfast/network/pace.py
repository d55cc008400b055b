"""Holding a run to the requests a second, the concurrency and the sums that its scope allows.

One `Pace` is shared by everything that a run does on the network, so that ten probes together are
as polite as one. Starts at one host are spaced evenly instead of in bursts: a target sees a steady
trickle, however many probes have something to ask it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

from handfast.boundary.scope import Rate, Scope, ScopeBudget
from handfast.errors import LimitExceeded, UserError


class Pace:
    """Lets requests start no faster, and run no more at once, than allowed.

    Args:
        rate: Requests a second to one host, and open at once to all of them.
        budget: Requests and bytes of the whole run; its seconds are the runner's affair.
        clock: Seconds that only grow; the event loop's by default.
        sleep: Waits for so many seconds.

    Attributes:
        started: Requests started so far.
        received: Bytes received so far.

    Raises:
        UserError: A limit is not positive.
    """

    def __init__(
        self,
        rate: Rate | None = None,
        budget: ScopeBudget | None = None,
        *,
        clock: Callable[[], float] | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        rate = rate or Rate()
        self._budget = budget or ScopeBudget()
        if rate.requests_per_second <= 0 or rate.concurrency < 1:
            raise UserError(f"A pace needs a rate above zero and room for one request, not {rate}.")
        if self._budget.requests < 1 or self._budget.bytes < 1:
            raise UserError(f"A pace needs room for one request and one byte, not {self._budget}.")
        self.started = 0
        self.received = 0
        self._interval = 1.0 / rate.requests_per_second
        self._open = asyncio.Semaphore(rate.concurrency)
        self._next: dict[str, float] = {}
        self._clock = clock
        self._sleep = sleep

    @classmethod
    def of(cls, scope: Scope) -> Pace:
        """The pace that a scope allows."""
        return cls(scope.rate, scope.budget)

    @asynccontextmanager
    async def request(self, host: str) -> AsyncGenerator[None]:
        """Waits for a turn at a host and holds a place until the block ends.

        Args:
            host: Who is asked.

        Raises:
            LimitExceeded: The run has made all the requests it may.
        """
        async with self._open:
            if self.started >= self._budget.requests:
                message = f"The run has made all of its {self._budget.requests} requests."
                raise LimitExceeded(message)
            self.started += 1
            wait = self._claim_turn(host)
            if wait > 0:
                await self._sleep(wait)
            yield

    def receive(self, count: int) -> None:
        """Counts bytes that came in.

        Raises:
            LimitExceeded: The run has received all the bytes it may.
        """
        self.received += count
        if self.received > self._budget.bytes:
            raise LimitExceeded(f"The run has received all of its {self._budget.bytes} bytes.")

    def _claim_turn(self, host: str) -> float:
        now = self._clock() if self._clock else asyncio.get_running_loop().time()
        turn = max(now, self._next.get(host, now))
        self._next[host] = turn + self._interval
        return turn - now
