"""`EventQueue`: a streamed run's events, on their way to a reader."""

from __future__ import annotations

import asyncio
from typing import Final

from handfast.runner.stream_events import StreamEvent

PATIENCE: Final = 30.0
"""For how many seconds a run waits between two turns for a reader that has not asked for more."""


class EventQueue:
    """Takes every event at once, and tells the run when a reader is done with a turn's.

    A run that nobody reads waits for nobody.
    """

    def __init__(self) -> None:
        self._queue: asyncio.Queue[StreamEvent | None] = asyncio.Queue()
        self._readers = 0
        self._caught_up = asyncio.Event()

    @property
    def empty(self) -> bool:
        """True when nothing waits to be read."""
        return self._queue.empty()

    def put(self, event: StreamEvent | None) -> None:
        """Add an event; None for the end."""
        self._caught_up.clear()
        self._queue.put_nowait(event)

    def clear(self) -> None:
        """Drop what was not read."""
        while not self._queue.empty():
            self._queue.get_nowait()

    def enter(self) -> None:
        """Note that a reader begins."""
        self._readers += 1

    def leave(self) -> None:
        """Note that a reader is gone."""
        self._readers -= 1
        if self._readers == 0:
            self._caught_up.set()

    async def get(self) -> StreamEvent | None:
        """The next event; None for the end. Who asks for it is done with those before it."""
        if self._queue.empty():
            self._caught_up.set()
        return await self._queue.get()

    async def caught_up(self) -> None:
        """Wait until a reader is done with every event so far."""
        await asyncio.sleep(0)
        if self._readers == 0:
            return
        try:
            async with asyncio.timeout(PATIENCE):
                await self._caught_up.wait()
        except TimeoutError:
            return
