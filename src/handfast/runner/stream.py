"""`RunResultStreaming`: the same run, observed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Final, Literal

from handfast.agents.agent import AnyAgent
from handfast.core.state import is_over, waits_for_person
from handfast.runner.own_provider import closing
from handfast.runner.preparation import Prepared
from handfast.runner.result import RunView, raise_stopped
from handfast.runner.run_state import RunState
from handfast.runner.run_trace import run_trace
from handfast.runner.stream_events import AgentUpdatedStreamEvent, StreamEvent

_END: Final = object()


class RunResultStreaming(RunView):
    """A run that goes on while its events are read.

    Read `stream_events()` to the end; what the run came to is then in the same attributes as a
    `RunResult` has. The run itself does not wait for a reader.
    """

    def __init__(self, prepared: Prepared) -> None:
        run = prepared.run
        super().__init__(run)
        self.max_turns = prepared.max_turns
        self._events: asyncio.Queue[object] = asyncio.Queue()
        self._cancelled = False
        run.emit = self._events.put_nowait
        state, _ = run.begin(prepared.step)
        self._events.put_nowait(AgentUpdatedStreamEvent(run.catalog[state.agent]))
        self._task = asyncio.create_task(self._drive(prepared))

    @property
    def current_agent(self) -> AnyAgent:
        """The agent that has the word now."""
        return self.last_agent

    @property
    def current_turn(self) -> int:
        """How many model calls have begun."""
        return self._run.state.turn

    @property
    def is_complete(self) -> bool:
        """True when the run goes no further: it is over, was cancelled, or waits for a person."""
        return self._task.done()

    @property
    def run_loop_exception(self) -> BaseException | None:
        """The error that ended the run; None while there is none."""
        if not self._task.done() or self._task.cancelled():
            return None
        return self._task.exception()

    async def stream_events(self) -> AsyncIterator[StreamEvent]:
        """The run's events as they come, to its end.

        A reader that stops early, or is cancelled, ends the run.

        Raises:
            HandfastError: The run ended with it; events that came before are given first.
        """
        try:
            while (event := await self._events.get()) is not _END:
                yield event  # type: ignore[misc]  # only events and the end are put
        finally:
            await self._finish()
        if self._task.done() and not self._task.cancelled():
            self._task.result()

    def cancel(self, mode: Literal["immediate", "after_turn"] = "immediate") -> None:
        """Stop the run.

        Args:
            mode: `immediate` ends it now and drops events that were not read; `after_turn` lets
                the turn end first, after which `to_state()` can be resumed.
        """
        if mode == "after_turn":
            self._run.stops_at_turn_end = True
            return
        self._cancelled = True
        self._task.cancel()
        while not self._events.empty():
            self._events.get_nowait()
        self._events.put_nowait(_END)

    def to_state(self) -> RunState:
        """The run as a value: to store, to decide about its interruptions, to resume."""
        return self._run_state()

    def __repr__(self) -> str:
        state = self._run.state
        if not self._task.done():
            return f"RunResultStreaming(agent={state.agent!r}, turn={state.turn}, running)"
        end = "waits" if waits_for_person(state) else "over" if is_over(state) else "stopped"
        return f"RunResultStreaming(agent={state.agent!r}, turns={state.turn}, {end})"

    async def _drive(self, prepared: Prepared) -> None:
        try:
            config, own = self._run.config, prepared.owns_provider
            with run_trace(config, self._run.trace):
                async with closing(config.model_provider, own=own):
                    await self._run.driver(self._run, await prepared.begin())
            raise_stopped(self._run)
        finally:
            self._events.put_nowait(_END)

    async def _finish(self) -> None:
        if not self._task.done():
            self._task.cancel()
        await asyncio.wait([self._task])
