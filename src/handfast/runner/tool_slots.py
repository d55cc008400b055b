"""How many tools of a run work at once."""

from __future__ import annotations

from asyncio import Semaphore
from collections.abc import Awaitable, Callable
from typing import TypeVar

from handfast.runner.run import Run

E = TypeVar("E")
R = TypeVar("R")


def in_slot(performer: Callable[[Run, E], Awaitable[R]]) -> Callable[[Run, E], Awaitable[R]]:
    """The performer of a call, which waits for its turn where the run limits how many work.

    Calls get their turn in the order in which the model made them. An agent that is used as a tool
    has a run and slots of its own, so a call inside it never waits for the call that it is part of.
    """

    def perform(run: Run, effect: E) -> Awaitable[R]:
        if run.tool_slots is None:
            return performer(run, effect)
        return _waiting(run.tool_slots, performer, run, effect)

    return perform


async def _waiting(
    slots: Semaphore,
    performer: Callable[[Run, E], Awaitable[R]],
    run: Run,
    effect: E,
) -> R:
    async with slots:
        return await performer(run, effect)
