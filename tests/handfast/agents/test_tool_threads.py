from __future__ import annotations

import asyncio
import contextvars
import gc
import os
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable

import pytest

from handfast.agents.tool_threads import ToolThreads, run_in_thread

who = contextvars.ContextVar("who", default="nobody")


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110 - what threads do sets no asyncio.Event
            await asyncio.sleep(0.001)


async def test_a_call_gets_its_arguments_and_gives_its_value() -> None:
    def function(a: int, *, b: int) -> tuple[int, int, bool]:
        return a, b, threading.current_thread() is threading.main_thread()

    assert await run_in_thread(function, 1, b=2) == (1, 2, False)


async def test_context_variables_are_the_callers_own() -> None:
    def function() -> str:
        seen = who.get()
        who.set("the thread")
        return seen

    who.set("the caller")
    assert await run_in_thread(function) == "the caller"
    assert who.get() == "the caller"


@pytest.mark.parametrize("error", [ValueError("no"), SystemExit(3), KeyboardInterrupt()])
async def test_what_the_function_raises_reaches_the_caller(error: BaseException) -> None:
    def function() -> None:
        raise error

    with pytest.raises(type(error)) as raised:
        await run_in_thread(function)
    assert raised.value is error


async def test_stop_iteration_cannot_pass_for_an_end() -> None:
    def function() -> None:
        next(iter(()))

    with pytest.raises(RuntimeError, match="StopIteration"):
        await run_in_thread(function)


async def test_fifty_calls_wait_side_by_side() -> None:
    threads = ToolThreads()
    everyone_is_here = threading.Barrier(50, timeout=10)
    await asyncio.gather(*(threads.run(everyone_is_here.wait) for _ in range(50)))
    assert threads.size == 50
    threads.close()
    await until(lambda: threads.size == 0)


async def test_the_event_loop_goes_on_meanwhile() -> None:
    go = threading.Event()
    call = asyncio.ensure_future(run_in_thread(go.wait, 10))
    for _ in range(20):
        await asyncio.sleep(0)
    assert not call.done()
    go.set()
    assert await call is True


async def test_calls_beyond_the_bound_wait_for_a_free_thread() -> None:
    threads = ToolThreads(max_threads=2)
    running, most = 0, 0
    lock = threading.Lock()

    def function(number: int) -> int:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.001)
        with lock:
            running -= 1
        return number

    results = await asyncio.gather(*(threads.run(function, n) for n in range(20)))
    assert results == list(range(20))
    assert most == 2
    assert threads.size == 2
    threads.close()


async def test_a_thread_is_used_again() -> None:
    threads = ToolThreads()
    for _ in range(20):
        await threads.run(int)
    assert threads.size < 10  # a thread that is not idle yet when the next call comes is left
    threads.close()


async def test_idle_threads_go() -> None:
    threads = ToolThreads(idle_seconds=0.01)
    await asyncio.gather(*(threads.run(int) for _ in range(5)))
    await until(lambda: threads.size == 0)
    assert await threads.run(int) == 0


async def test_a_cancelled_wait_ends_at_once_and_its_outcome_is_dropped() -> None:
    started, go, ended = threading.Event(), threading.Event(), threading.Event()

    async def dropped() -> None:
        """A coroutine that nobody can await any more."""

    def function() -> Awaitable[None]:
        started.set()
        go.wait(10)
        ended.set()
        return dropped()

    call = asyncio.ensure_future(run_in_thread(function))
    await until(started.is_set)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert not ended.is_set()
    go.set()
    await until(ended.is_set)
    await asyncio.sleep(0.01)
    gc.collect()


async def test_a_call_that_was_cancelled_before_it_began_never_runs() -> None:
    threads = ToolThreads(max_threads=1)
    go = threading.Event()
    ran: list[str] = []
    first = asyncio.ensure_future(threads.run(go.wait, 10))
    second = asyncio.ensure_future(threads.run(ran.append, "second"))
    await asyncio.sleep(0)
    second.cancel()
    await asyncio.sleep(0)
    third = asyncio.ensure_future(threads.run(ran.append, "third"))
    await asyncio.sleep(0)
    go.set()
    await asyncio.gather(first, third)
    assert ran == ["third"]
    threads.close()


def test_a_loop_that_is_closed_meanwhile_harms_nothing() -> None:
    threads = ToolThreads()
    started, go = threading.Event(), threading.Event()

    async def dropped() -> None:
        """A coroutine that nobody can await any more."""

    def function() -> Awaitable[None]:
        started.set()
        go.wait(10)
        return dropped()

    async def main() -> None:
        call = asyncio.ensure_future(threads.run(function))
        await until(started.is_set)
        call.cancel()

    asyncio.run(main())
    go.set()
    threads.close()
    asyncio.run(until(lambda: threads.size == 0))


async def test_closed_threads_serve_calls_that_come_late() -> None:
    threads = ToolThreads()
    threads.close()
    assert await threads.run(int) == 0
    await until(lambda: threads.size == 0)


async def test_many_calls_from_several_loops_all_come_back() -> None:
    threads = ToolThreads(max_threads=8, idle_seconds=0.001)

    async def many() -> list[object]:
        return await asyncio.gather(*(threads.run(abs, -n) for n in range(200)))

    def another_loop() -> list[object]:
        return asyncio.run(many())

    found = await asyncio.gather(*(asyncio.to_thread(another_loop) for _ in range(4)), many())
    assert found == [list(range(200))] * 5
    threads.close()
    await until(lambda: threads.size == 0)


async def test_a_system_that_gives_no_thread_is_told_of_and_may_give_one_later() -> None:
    threads = ToolThreads()
    usual = threading.stack_size(1 << 46)  # more than there is: no thread can start
    try:
        with pytest.raises(RuntimeError, match="can't start new thread"):
            await threads.run(int)
    finally:
        threading.stack_size(usual)
    assert threads.size == 0
    assert await threads.run(int) == 0
    threads.close()


EXIT = """
import asyncio, sys, threading, time
from handfast.agents.tool_threads import run_in_thread

def write():
    started.set()
    time.sleep(0.2)
    print("written", flush=True)

async def main():
    await asyncio.gather(*(run_in_thread(int) for _ in range(20)))
    call = asyncio.ensure_future(run_in_thread(write))
    while not started.is_set():
        await asyncio.sleep(0.001)
    call.cancel()

started = threading.Event()
asyncio.run(main())
print("main ends", flush=True)
"""


def test_the_interpreter_ends_after_running_calls_and_does_not_wait_for_idle_threads() -> None:
    started = time.monotonic()
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-W", "error", "-c", EXIT],
        check=True,
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert done.stdout.split("\n")[:2] == ["main ends", "written"]
    assert done.stderr == ""
    assert time.monotonic() - started < 4, "an idle thread held the interpreter up"


HANGS = """
import asyncio, threading
from handfast.agents.tool_threads import ToolThreads

async def main():
    call = asyncio.ensure_future(threads.run(hang))
    while not started.is_set():
        await asyncio.sleep(0.001)
    call.cancel()

def hang():
    started.set()
    threading.Event().wait()

started = threading.Event()
threads = ToolThreads(exit_seconds=0.1)
asyncio.run(main())
"""


def test_a_call_that_never_returns_does_not_hold_the_interpreter() -> None:
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-W", "error", "-c", HANGS],
        check=True,
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert done.stderr.startswith("1 calls of sync tools had not returned 0.1 seconds after")


FORK = """
import asyncio, os
from handfast.agents.tool_threads import run_in_thread

async def main():
    async with asyncio.timeout(10):
        return await run_in_thread(os.getpid)

parent = asyncio.run(main())
child = os.fork()
if child == 0:
    os._exit(0 if asyncio.run(main()) == os.getpid() != parent else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_has_threads_of_its_own() -> None:
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", FORK],
        check=True,
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert done.stdout.strip() == "0"
