"""Runs without an event loop: a loop of the thread's own, kept from call to call."""

from __future__ import annotations

import asyncio
import threading
import weakref
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

_loops = threading.local()


def run_in_own_loop(run: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end from code that has no event loop.

    Calls in one thread share a loop, so that connections of model clients stay usable. Ctrl+C
    cancels what runs, waits for it, and is then raised.

    Raises:
        RuntimeError: This thread has a running loop.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        pass
    else:
        run.close()
        raise RuntimeError(
            "Runner.run_sync() cannot be called when an event loop is already running; "
            "use `await Runner.run(...)`.",
        )
    runner: asyncio.Runner | None = getattr(_loops, "runner", None)
    if runner is None or runner.get_loop().is_closed():
        runner = _loops.runner = asyncio.Runner()
        # Closed with its thread, which drops the thread-local value.
        weakref.finalize(runner, _close, runner.get_loop())
    return runner.run(run)


def _close(loop: asyncio.AbstractEventLoop) -> None:
    if not loop.is_running() and not loop.is_closed():
        loop.close()
