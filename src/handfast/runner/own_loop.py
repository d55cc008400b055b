"""Runs without an event loop: the thread's own loop, kept from call to call."""

from __future__ import annotations

import asyncio
import signal
import threading
import warnings
import weakref
from collections.abc import Callable, Coroutine, Generator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, Final, TypeVar

T = TypeVar("T")

CLOSING_TURNS: Final = 3
"""Turns of the loop in which generators that a run dropped are closed."""

_made = threading.local()


class _Guard:
    """Lives as long as its thread; when it goes, the loop that was made for the thread closes."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        weakref.finalize(self, _close, loop)


def run_in_own_loop(run: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end from code that has no event loop.

    The loop is the thread's own: the one that `asyncio.set_event_loop` was given, or one that is
    made and stays for later calls, so that connections of model clients and sessions stay usable.
    Ctrl+C cancels what runs, waits for it, and is then raised.

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
    loop = _loop_of_thread()
    task = loop.create_task(run)
    try:
        with _interrupt_cancels(loop, task):
            return loop.run_until_complete(task)
    finally:
        if not task.done():
            task.cancel()
            with suppress(asyncio.CancelledError):
                loop.run_until_complete(task)
        if not loop.is_closed():
            loop.run_until_complete(_close_what_was_dropped())


def _loop_of_thread() -> asyncio.AbstractEventLoop:
    loop = _loop_that_was_set()
    if loop is None or loop.is_closed():
        loop = asyncio.new_event_loop()
        asyncio.set_event_loop(loop)
        _made.guard = _Guard(loop)
    return loop


def _loop_that_was_set() -> asyncio.AbstractEventLoop | None:
    """The thread's loop. One that asyncio would make on being asked is left unmade.

    Nobody would close it; one that is made here closes with its thread.
    """
    policy_of: Callable[[], object] | None = getattr(asyncio, "get_event_loop_policy", None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # policies go with Python 3.16
        policy = policy_of() if policy_of is not None else None
        local: object = getattr(policy, "_local", None)
        if local is not None:
            found: object = getattr(local, "_loop", None)
            return found if isinstance(found, asyncio.AbstractEventLoop) else None
        try:
            return asyncio.get_event_loop()
        except RuntimeError:
            return None


@contextmanager
def _interrupt_cancels(
    loop: asyncio.AbstractEventLoop,
    task: asyncio.Task[Any],
) -> Generator[None]:
    """Let the first Ctrl+C cancel the task where it waits, and raise it once the task has ended."""
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    interrupts: list[int] = []
    previous = signal.signal(signal.SIGINT, _canceller(loop, task, interrupts))
    try:
        yield
    except asyncio.CancelledError:
        if interrupts:
            raise KeyboardInterrupt from None
        raise
    finally:
        signal.signal(signal.SIGINT, previous)


def _canceller(
    loop: asyncio.AbstractEventLoop,
    task: asyncio.Task[Any],
    interrupts: list[int],
) -> Callable[[int, FrameType | None], None]:
    def on_interrupt(number: int, _frame: FrameType | None) -> None:
        interrupts.append(number)
        if len(interrupts) > 1 or task.done():
            raise KeyboardInterrupt
        task.cancel()
        # A loop that sleeps does not look at its tasks before something wakes it.
        loop.call_soon_threadsafe(lambda: None)

    return on_interrupt


async def _close_what_was_dropped() -> None:
    # Asyncio closes a dropped generator in a task of its own, a turn after it was dropped.
    for _ in range(CLOSING_TURNS):
        await asyncio.sleep(0)


def _close(loop: asyncio.AbstractEventLoop) -> None:
    if not loop.is_running() and not loop.is_closed():
        loop.close()
