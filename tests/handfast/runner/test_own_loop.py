from __future__ import annotations

import asyncio
import threading

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
