from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import AsyncIterator, Generator

import pytest

from handfast.runner.own_loop import run_in_own_loop


async def loop_id() -> int:
    return id(asyncio.get_running_loop())


def test_calls_in_one_thread_share_a_loop_and_threads_do_not() -> None:
    here = run_in_own_loop(loop_id())
    assert run_in_own_loop(loop_id()) == here
    others: list[asyncio.AbstractEventLoop] = []

    async def note() -> None:
        others.append(asyncio.get_running_loop())

    thread = threading.Thread(target=lambda: run_in_own_loop(note()))
    thread.start()
    thread.join(10)
    assert len(others) == 1
    assert id(others[0]) != here


def test_the_loop_of_a_thread_ends_with_it() -> None:
    loops: list[asyncio.AbstractEventLoop] = []

    async def note() -> None:
        loops.append(asyncio.get_running_loop())

    thread = threading.Thread(target=lambda: run_in_own_loop(note()))
    thread.start()
    thread.join(10)
    assert loops[0].is_closed()


async def test_it_says_what_to_do_where_a_loop_is_running() -> None:
    with pytest.raises(RuntimeError, match=r"use `await Runner\.run"):
        run_in_own_loop(loop_id())


def test_what_a_run_raises_comes_out_and_the_loop_lives_on() -> None:
    async def fails() -> None:
        raise ValueError("no")

    here = run_in_own_loop(loop_id())
    with pytest.raises(ValueError, match="no"):
        run_in_own_loop(fails())
    assert run_in_own_loop(loop_id()) == here


@pytest.fixture
def loop_of_the_user() -> Generator[asyncio.AbstractEventLoop]:
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    yield loop
    asyncio.set_event_loop(None)
    loop.close()


def test_the_loop_that_a_program_set_is_used(loop_of_the_user: asyncio.AbstractEventLoop) -> None:
    assert run_in_own_loop(loop_id()) == id(loop_of_the_user)
    assert not loop_of_the_user.is_closed()


def test_a_loop_that_was_closed_is_replaced(loop_of_the_user: asyncio.AbstractEventLoop) -> None:
    loop_of_the_user.close()
    here = run_in_own_loop(loop_id())
    assert here != id(loop_of_the_user)
    assert run_in_own_loop(loop_id()) == here


def test_what_a_run_dropped_is_closed_before_it_returns() -> None:
    closed: list[str] = []

    async def values() -> AsyncIterator[int]:
        try:
            yield 1
        finally:
            closed.append("values")

    async def takes_one() -> int:
        return await anext(values())

    assert run_in_own_loop(takes_one()) == 1
    assert closed == ["values"]


@pytest.fixture
def interrupts_as_python_does() -> Generator[None]:
    """A shell starts what runs in its background with interrupts ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interrupts_as_python_does")
def test_ctrl_c_cancels_what_runs_and_is_raised() -> None:
    ended: list[str] = []

    async def waits() -> None:
        asyncio.get_running_loop().call_soon(signal.raise_signal, signal.SIGINT)
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("waits")

    with pytest.raises(KeyboardInterrupt):
        run_in_own_loop(waits())
    assert ended == ["waits"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_interrupt_of_the_programs_own_handler_ends_the_run_too() -> None:
    ended: list[str] = []

    def own(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    async def waits() -> None:
        asyncio.get_running_loop().call_soon(signal.raise_signal, signal.SIGINT)
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("waits")

    before = signal.signal(signal.SIGINT, own)
    try:
        with pytest.raises(KeyboardInterrupt):
            run_in_own_loop(waits())
    finally:
        signal.signal(signal.SIGINT, before)
    assert ended == ["waits"]
