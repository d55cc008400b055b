"""`Together`: effects that are performed side by side, each as a task."""

from __future__ import annotations

import asyncio

from handfast.agents.together import end_tasks
from handfast.core.effects import Effect
from handfast.core.outcomes import Failed, Outcome, ToolReturned
from handfast.core.state import is_over
from handfast.runner.perform import perform
from handfast.runner.run import Run


class Together:
    """Performs effects of a run side by side.

    Args:
        run: The run.
    """

    def __init__(self, run: Run) -> None:
        self._run = run
        self._inbox: asyncio.Queue[str] = asyncio.Queue()
        """Effects whose task has ended."""
        self._tasks: dict[str, asyncio.Task[Outcome | None]] = {}

    @property
    def open(self) -> bool:
        """True while an outcome is yet to come."""
        return bool(self._tasks)

    def begin(self, effect: Effect) -> None:
        """Perform an effect beside the others."""
        task = asyncio.create_task(perform(self._run, effect))
        task.add_done_callback(lambda _: self._inbox.put_nowait(effect.id))
        self._tasks[effect.id] = task

    async def next(self) -> Outcome | None:
        """The next outcome; None for an effect that only a person could answer.

        Where it is a failure, the neighbours have been ended, and what they have done is not lost.

        Raises:
            CancelledError: Somebody cancelled the effect.
            BaseException: What ends a program rather than a call.
        """
        outcome = self._tasks.pop(await self._inbox.get()).result()
        if isinstance(outcome, Failed):
            await self.end()
        return outcome

    async def end(self) -> None:
        """End what still runs, and feed the answers of calls that had theirs by then."""
        open_, self._tasks = self._tasks, {}
        await end_tasks(open_.values())
        for effect, task in open_.items():
            self._feed(effect, task)

    def _feed(self, effect: str, task: asyncio.Task[Outcome | None]) -> None:
        known = self._run.ledger.ended.get(effect)
        answer = None if known is None else ToolReturned(effect, *known)
        if task.done() and not task.cancelled() and task.exception() is None:
            outcome = task.result()
            answer = outcome if isinstance(outcome, ToolReturned) else answer
        if answer is not None and not is_over(self._run.state):
            self._run.move(answer)
