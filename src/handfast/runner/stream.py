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
        self._task.add_done_callback(_take_note)

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
    def run_loop_task(self) -> asyncio.Task[None]:
        """The task that drives the run: to wait for its end without reading events.

        It raises what ended the run.
        """
        return self._task

    @property
    def run_loop_exception(self) -> BaseException | None:
        """The error that ended the run; None while there is none."""
        if not self._task.done() or self._task.cancelled():
            return None
        return self._task.exception()

    def stream_events(self) -> AsyncIterator[StreamEvent]:
        """The run's events as they come, to its end.

        A reader that stops early, or is cancelled, ends the run: no model is asked and no tool
        called after that.

        Raises:
            HandfastError: The run ended with it; events that came before are given first.
        """
        return _Reader(self._events, self._task)

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
            if is_over(self._run.state):
                self._run.release()


def _take_note(task: asyncio.Task[None]) -> None:
    # A failure that no reader waits for any more is told by `run_loop_exception`, not by asyncio.
    if not task.cancelled():
        task.exception()


class _Reader(AsyncIterator[StreamEvent]):
    """Reads a run's events. Dropped before the end, it ends the run at once.

    An async generator would do so too, but only after some turns of the event loop, in which the
    run could go on to call a tool.
    """

    def __init__(self, events: asyncio.Queue[object], task: asyncio.Task[None]) -> None:
        self._events = events
        self._task = task
        self._loop = asyncio.get_running_loop()
        self._reading = False

    async def __anext__(self) -> StreamEvent:
        if self._task.done() and self._events.empty():
            raise StopAsyncIteration
        self._reading = True
        try:
            event = await self._events.get()
            if event is _END:
                await self.aclose()
        except BaseException:
            await self.aclose()
            raise
        if event is not _END:
            return event  # type: ignore[return-value]  # only events and the end are put
        if not self._task.cancelled():
            self._task.result()
        raise StopAsyncIteration

    async def aclose(self) -> None:
        """End the run, where it has not ended, and wait until it has."""
        self._reading = False
        if not self._task.done():
            self._task.cancel()
        await asyncio.wait([self._task])

    def __del__(self) -> None:
        if not self._reading or self._task.done() or self._loop.is_closed():
            return
        try:
            at_home = asyncio.get_running_loop() is self._loop
        except RuntimeError:
            at_home = False
        if at_home:
            self._task.cancel()
        else:
            self._loop.call_soon_threadsafe(self._task.cancel)
