"""The one driver: perform open effects until none is left, or only a person can go on.

A single open effect is awaited where it stands; several run as tasks side by side, and their
outcomes are fed as they come. When the run is over, or is cancelled, none of them is left.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence

from handfast.core.effects import Authorize, CallModel, Effect
from handfast.core.loop import Step
from handfast.core.outcomes import ModelAnswered, Outcome
from handfast.core.state import RunState, is_over
from handfast.runner.approval import answers_at_once
from handfast.runner.ending import keep_cancelled, keep_ended
from handfast.runner.perform import perform
from handfast.runner.run import Run
from handfast.runner.standing_calls import check_standing_calls
from handfast.runner.together import Together
from handfast.runner.traced import tracing


async def drive(run: Run, step: Step) -> RunState:
    """Drive a run from a first or stored step.

    Returns:
        The last state: over, waiting for a person, or between two turns where a reader asked
        for that.
    """
    _, effects = run.begin(step)
    run.going = True
    try:
        with tracing(run), run.holding.holding(run.catalog[step[0].agent]):
            await check_standing_calls(run, step[0])
            await _to_the_end(run, effects)
    finally:
        run.going = False
    return run.state


async def _to_the_end(run: Run, effects: tuple[Effect, ...]) -> None:
    try:
        if run.keeper is not None:
            await run.keeper.settle()
        await _perform_all(run, effects)
    except asyncio.CancelledError:
        await keep_cancelled(run)
        raise
    await keep_ended(run)


async def _perform_all(run: Run, effects: tuple[Effect, ...]) -> None:
    first = True
    while effects:
        if len(effects) > 1:
            effects = await _side_by_side(run, effects)
            continue
        effect = next(iter(effects))
        if isinstance(effect, CallModel) and await _stops_here(run, first=first):
            break
        first = False
        outcome = await perform(run, effect)
        if outcome is None:
            break
        _, effects = run.move(outcome)
        if run.emit is not None and isinstance(outcome, ModelAnswered):
            # A reader sees the answer before anything comes of it, and may leave here.
            await asyncio.sleep(0)


async def _stops_here(run: Run, *, first: bool) -> bool:
    """True where a reader, who sees all of a turn before the next begins, stops the run."""
    if run.turn_read is not None and not first:
        await run.turn_read()
    return run.stops_at_turn_end


async def _side_by_side(run: Run, effects: Sequence[Effect]) -> tuple[Effect, ...]:
    """Perform effects together; returns the one that is left when it is alone."""
    waiting = deque(effects)
    together = Together(run)
    try:
        while not is_over(run.state) and (waiting or together.open):
            if not waiting:
                waiting.extend(_moved(run, await together.next()))
                continue
            effect = waiting.popleft()
            if not waiting and not together.open:
                return (effect,)
            # The boundary answers at once; a task for each question would cost more than it.
            if isinstance(effect, Authorize) and answers_at_once(run, effect):
                waiting.extend(_moved(run, await perform(run, effect)))
            else:
                together.begin(effect)
    finally:
        await together.end()
    return ()


def _moved(run: Run, outcome: Outcome | None) -> tuple[Effect, ...]:
    return () if outcome is None else run.move(outcome)[1]
