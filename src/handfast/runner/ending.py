"""What a run's session is given when the run ends, however it ends."""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from handfast.agents.together import end_tasks
from handfast.core.loop import advance
from handfast.core.outcomes import Cancelled
from handfast.core.state import RunState, Stopped, is_over
from handfast.runner.compacting import compact
from handfast.runner.run import Run

logger = logging.getLogger("handfast")

GRACE: Final = 5.0
"""For how many seconds a run that was cancelled writes to its session."""


async def keep_ended(run: Run) -> None:
    """Give the session what is finished, once a run goes no further, and let it shorten itself.

    Raises:
        Exception: Whatever the session raised, where the run itself did not fail.
    """
    await _keep(run, run.state)
    await compact(run)


async def keep_cancelled(run: Run) -> None:
    """Give the session what is finished, where a run is cancelled."""
    if is_over(run.state):
        return
    # No `asyncio.timeout`: in a task that is cancelled already, early releases of Python 3.11 let
    # it end in another cancellation.
    write = asyncio.ensure_future(_keep(run, advance(run.state, Cancelled())[0]))
    try:
        await asyncio.wait({write}, timeout=GRACE)
    finally:
        late = not write.done()
        await end_tasks({write})
    if late:
        logger.warning("The session took too long to be given what a cancelled run did.")
        return
    write.result()


async def _keep(run: Run, state: RunState) -> None:
    # A write that failed before is not tried again here: its error is what the user must see first.
    if run.keeper is None or run.keeper.kept.pending:
        return
    try:
        await run.keeper.keep(state)
    except Exception:
        # The error that ended a run is what its user must see, and not one that came after it.
        if not isinstance(state.phase, Stopped):
            raise
        logger.warning("The session could not be given what an ended run did.", exc_info=True)
