"""Runs blocking functions off the event loop, in as many threads as there are calls.

The threads that asyncio lends number cores plus four; a turn with fifty calls that each wait for a
disk or a service would run them in rows of six. These threads grow with demand up to a bound, are
reused, and go after a few seconds without work.

When the main thread ends, idle threads are told to go, and the interpreter waits for calls that
are still running, so that none is cut in the middle of a write. It waits `EXIT_SECONDS` and no
longer: a call that never returns, as one that its tool's timeout gave up, holds no process.
"""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import logging
import os
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

logger = logging.getLogger("handfast")

MAX_THREADS: Final = 256
"""The most calls that run at once; further ones wait for a free thread."""

IDLE_SECONDS: Final = 5.0
"""How long a thread waits for the next call before it goes."""

EXIT_SECONDS: Final = 10.0
"""How long the interpreter waits at its end for calls that are still running."""


@dataclass(frozen=True, slots=True)
class _Call:
    """A call on its way to a thread, and where its outcome goes."""

    run: Callable[[], object]
    outcome: asyncio.Future[object]
    loop: asyncio.AbstractEventLoop


class ToolThreads:
    """A set of threads that grows and shrinks."""

    def __init__(
        self,
        max_threads: int = MAX_THREADS,
        idle_seconds: float = IDLE_SECONDS,
        exit_seconds: float = EXIT_SECONDS,
    ) -> None:
        self._max_threads = max_threads
        self._idle_seconds = idle_seconds
        self._exit_seconds = exit_seconds
        self._calls: queue.SimpleQueue[_Call | None] = queue.SimpleQueue()
        # Notified when a thread has gone.
        self._lock = threading.Condition(threading.Lock())
        # A waiting thread is idle or already claimed by a call that is on its way to the queue.
        self._idle = 0
        self._threads = 0
        # Calls in the queue that no thread was free for.
        self._overdue = 0
        self._watched = False
        self._closed = False

    @property
    def size(self) -> int:
        """How many threads there are now."""
        return self._threads

    async def run(
        self,
        function: Callable[..., object],
        /,
        *args: object,
        **kwargs: object,
    ) -> object:
        """Call a function in a thread, with the caller's context variables.

        When the caller is cancelled the wait ends at once. A call that has not begun never will;
        one that has goes on to its end, and its outcome is dropped.

        Returns:
            What the function returned.

        Raises:
            RuntimeError: The system gives no thread.
        """
        loop = asyncio.get_running_loop()
        outcome: asyncio.Future[object] = loop.create_future()
        context = contextvars.copy_context()
        self._submit(_Call(partial(context.run, function, *args, **kwargs), outcome, loop))
        return await outcome

    def close(self) -> None:
        """Let idle threads go now, and busy ones after their call."""
        with self._lock:
            self._closed = True
            idle = self._idle
        for _ in range(idle):
            self._calls.put(None)

    def _submit(self, call: _Call) -> None:
        with self._lock:
            grow = not self._idle and self._threads < self._max_threads
            watch = grow and not self._watched
            self._watched = self._watched or watch
            if grow:
                self._threads += 1
            elif self._idle:
                self._idle -= 1
            else:
                self._overdue += 1
        if grow:
            self._start(call, watch=watch)
        else:
            self._calls.put(call)

    def _start(self, call: _Call, *, watch: bool) -> None:
        try:
            if watch:
                threading.Thread(target=self._close_with_main_thread, name="handfast-tools").start()
            # A daemon, or the interpreter would wait for it without end; the watcher waits instead.
            threading.Thread(
                target=self._work,
                args=(call,),
                name="handfast-tool",
                daemon=True,
            ).start()
        except RuntimeError:
            with self._lock:
                self._gone()
                self._watched = self._watched and not watch
            raise

    def _close_with_main_thread(self) -> None:
        threading.main_thread().join()
        self.close()
        with self._lock:
            ended = self._lock.wait_for(lambda: self._threads == 0, self._exit_seconds)
        if not ended:
            logger.warning(
                "%d calls of sync tools had not returned %g seconds after the program's end, and "
                "were given up.",
                self._threads,
                self._exit_seconds,
            )

    def _gone(self) -> None:
        self._threads -= 1
        self._lock.notify_all()

    def _work(self, call: _Call | None) -> None:
        while call is not None:
            _perform(call)
            # Kept while waiting, it would keep the caller's arguments and context alive.
            del call
            call = self._next_call()

    def _next_call(self) -> _Call | None:
        """The next call; None when this thread shall end."""
        with self._lock:
            if self._overdue:
                self._overdue -= 1
            elif self._closed:
                self._gone()
                return None
            else:
                self._idle += 1
        while True:
            try:
                call = self._calls.get(timeout=self._idle_seconds)
            except queue.Empty:
                call = None
            if call is not None:
                return call
            with self._lock:
                # With no thread idle this one is claimed: its call is about to arrive.
                if self._idle:
                    self._idle -= 1
                    self._gone()
                    return None


def _perform(call: _Call) -> None:
    if call.outcome.cancelled():
        return
    value: object = None
    failure: BaseException | None = None
    try:
        value = call.run()
    except StopIteration as error:
        failure = RuntimeError("The function raised StopIteration.")
        failure.__cause__ = error
    except BaseException as error:  # noqa: BLE001 - a thread's edge: the caller gets it, whatever it is
        failure = error
    try:
        call.loop.call_soon_threadsafe(_deliver, call.outcome, value, failure)
    except RuntimeError:
        # The loop was closed meanwhile: nobody waits any more.
        _drop(value)


def _deliver(
    outcome: asyncio.Future[object],
    value: object,
    failure: BaseException | None,
) -> None:
    if outcome.done():
        _drop(value)
    elif failure is None:
        outcome.set_result(value)
    else:
        outcome.set_exception(failure)


def _drop(value: object) -> None:
    if inspect.iscoroutine(value):
        value.close()


class _Shared:
    """The threads that all runs of this process share."""

    def __init__(self) -> None:
        self.threads = ToolThreads()

    def renew(self) -> None:
        """Start anew in a forked child, where none of the parent's threads exist."""
        self.threads = ToolThreads()


_SHARED: Final = _Shared()

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_SHARED.renew)


async def run_in_thread(
    function: Callable[..., object],
    /,
    *args: object,
    **kwargs: object,
) -> object:
    """Call a blocking function without blocking the event loop; see `ToolThreads.run`."""
    return await _SHARED.threads.run(function, *args, **kwargs)
