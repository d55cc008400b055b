"""Waiting for several things at once, of which the first to fail ends the others."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from typing import Any, TypeVar

T = TypeVar("T")


async def gather_all(waits: Sequence[Coroutine[Any, Any, T]]) -> list[T]:
    """The results in order; the first exception as it is, once the others have been cancelled.

    Args:
        waits: Coroutines; a single one is awaited in place.
    """
    if len(waits) == 1:
        return [await waits[0]]
    tasks = [asyncio.ensure_future(each) for each in waits]
    try:
        return await asyncio.gather(*tasks)
    except BaseException:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise
