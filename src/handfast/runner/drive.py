"""The one driver: perform open effects until none is left, or only a person can go on.

A single open effect is awaited where it stands; several run as tasks of a group, and their
outcomes are fed as they come. When the run is over, or is cancelled, the group is gone with every
task in it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence

from handfast.core.effects import Authorize, CallModel, Effect
from handfast.core.loop import Step
from handfast.core.outcomes import ModelAnswered, Outcome
from handfast.core.state import RunState, is_over
from handfast.runner.perform import perform
from handfast.runner.run import Run
from handfast.runner.standing_calls import check_standing_calls
from handfast.runner.traced import tracing


async def drive(run: Run, step: Step) -> RunState:
    """Drive a run from a first or stored step.

    Returns:
        The last state: over, waiting for a person, or between two turns where a reader asked
        for that.
    """
    _, effects = run.begin(step)
    with tracing(run), run.holding.holding(run.catalog[step[0].agent]):
        await check_standing_calls(run, step[0])
        await _perform_all(run, effects)
        # A write that failed is not tried again here: its error is what the user must see first.
        if run.keeper is not None and not run.keeper.kept.pending:
            await run.keeper.keep(run.state)
    return run.state


async def _perform_all(run: Run, effects: tuple[Effect, ...]) -> None:
    while effects:
        if len(effects) > 1:
            effects = await _side_by_side(run, effects)
            continue
        effect = next(iter(effects))
        if run.emit is not None and isinstance(effect, CallModel):
            # A reader sees all of a turn before the next begins, and may stop the run here.
            await asyncio.sleep(0)
            if run.stops_at_turn_end:
                break
        outcome = await perform(run, effect)
        if outcome is None:
            break
        _, effects = run.move(outcome)
        if run.emit is not None and isinstance(outcome, ModelAnswered):
            # A reader sees the answer before anything comes of it, and may leave here.
            await asyncio.sleep(0)


async def _side_by_side(run: Run, effects: Sequence[Effect]) -> tuple[Effect, ...]:
    """Perform effects together; returns the one that is left when it is alone."""
    waiting = deque(effects)
    inbox: asyncio.Queue[Outcome | None] = asyncio.Queue()
    tasks: list[asyncio.Task[None]] = []
    answered = 0
    async with asyncio.TaskGroup() as group:
        while not is_over(run.state) and (waiting or answered < len(tasks)):
            if not waiting:
                waiting.extend(_moved(run, await inbox.get()))
                answered += 1
                continue
            effect = waiting.popleft()
            if not waiting and answered == len(tasks):
                return (effect,)
            # The boundary answers at once; a task for each question would cost more than it.
            if isinstance(effect, Authorize):
                waiting.extend(_moved(run, await perform(run, effect)))
            else:
                tasks.append(group.create_task(_into(inbox, run, effect)))
        for task in tasks:
            task.cancel()
    return ()


async def _into(inbox: asyncio.Queue[Outcome | None], run: Run, effect: Effect) -> None:
    inbox.put_nowait(await perform(run, effect))


def _moved(run: Run, outcome: Outcome | None) -> tuple[Effect, ...]:
    return () if outcome is None else run.move(outcome)[1]
