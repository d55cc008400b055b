"""Waiting for several things at once, of which the first to fail ends the others."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Coroutine, Sequence
from typing import Any, Final, TypeVar

T = TypeVar("T")

logger = logging.getLogger("handfast")

GRACE: Final = 2.0
"""For how many seconds a task that was cancelled is waited for."""


async def gather_all(waits: Sequence[Coroutine[Any, Any, T]]) -> list[T]:
    """The results in order; the first exception as it is, once the others have been ended.

    Args:
        waits: Coroutines; a single one is awaited in place.
    """
    if len(waits) == 1:
        return [await waits[0]]
    tasks = [asyncio.ensure_future(each) for each in waits]
    try:
        # Unlike `gather`, this is over at once when whoever waits is cancelled.
        for done in asyncio.as_completed(tasks):
            await done
        return [task.result() for task in tasks]
    finally:
        await end_tasks(tasks)


async def end_tasks(tasks: Collection[asyncio.Future[Any]]) -> None:
    """Cancel what still runs, and wait until it has ended.

    A task that goes on all the same is left alone, with a warning: it may not hold up the run.

    Args:
        tasks: The tasks; of those that fail, asyncio says nothing more.
    """
    for task in tasks:
        task.add_done_callback(_take_note)
    running = [task for task in tasks if not task.done()]
    for task in running:
        task.cancel()
    if not running:
        return
    _, deaf = await asyncio.wait(running, timeout=GRACE)
    if deaf:
        logger.warning(
            "%d tasks went on %s seconds after they were cancelled and are left alone.",
            len(deaf),
            GRACE,
        )


def _take_note(task: asyncio.Future[Any]) -> None:
    # Asyncio warns of a failure that nobody has looked at.
    if not task.cancelled():
        task.exception()
