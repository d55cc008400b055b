"""Holding a run to the requests a second and the concurrency that its scope allows.

One `Pace` is shared by everything that a run does on the network, so that ten probes together are
as polite as one. Starts are spaced evenly instead of in bursts: a target sees a steady trickle.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

from handfast.errors import LimitExceeded, UserError


class Pace:
    """Lets requests start no faster, and run no more at once, than allowed.

    Args:
        per_second: Requests that may start in a second; fractions are allowed.
        concurrency: Requests that may be open at once.
        max_requests: Requests that the run may make in all.
        clock: Seconds that only grow; the event loop's by default.
        sleep: Waits for so many seconds.

    Attributes:
        started: Requests started so far.

    Raises:
        UserError: A limit is not positive.
    """

    def __init__(
        self,
        per_second: float,
        concurrency: int,
        max_requests: int = 10_000,
        *,
        clock: Callable[[], float] | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        if per_second <= 0 or concurrency < 1 or max_requests < 1:
            message = (
                "A pace needs per_second > 0, concurrency >= 1 and max_requests >= 1, not "
                f"{per_second}, {concurrency}, {max_requests}."
            )
            raise UserError(message)
        self.started = 0
        self._interval = 1.0 / per_second
        self._max_requests = max_requests
        self._open = asyncio.Semaphore(concurrency)
        self._next = 0.0
        self._clock = clock
        self._sleep = sleep

    @asynccontextmanager
    async def request(self) -> AsyncGenerator[None]:
        """Waits for a turn and holds a place until the block ends.

        Raises:
            LimitExceeded: The run has made all the requests it may.
        """
        async with self._open:
            if self.started >= self._max_requests:
                message = f"The run has made all of its {self._max_requests} requests."
                raise LimitExceeded(message)
            self.started += 1
            wait = self._claim_turn()
            if wait > 0:
                await self._sleep(wait)
            yield

    def _claim_turn(self) -> float:
        now = self._clock() if self._clock else asyncio.get_running_loop().time()
        turn = max(now, self._next)
        self._next = turn + self._interval
        return turn - now
