"""`RunResultStreaming`: the same run, observed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from typing import Any, Final, Literal, Self

from handfast.agents.agent import AnyAgent
from handfast.agents.context import RunContextWrapper
from handfast.agents.guardrail import InputGuardrailResult, OutputGuardrailResult
from handfast.agents.items import RunItem, ToolApprovalItem
from handfast.agents.output import AgentOutputSchemaBase
from handfast.agents.raw import InputItem, ModelResponse
from handfast.agents.tool_guardrail import ToolInputGuardrailResult, ToolOutputGuardrailResult
from handfast.core.state import is_over, waits_for_person
from handfast.runner.event_queue import EventQueue
from handfast.runner.given_view import GivenView
from handfast.runner.own_provider import closing
from handfast.runner.preparation import Prepared
from handfast.runner.result import ResultBase, counts_of, last_name, raise_stopped
from handfast.runner.result_text import agent_text, result_text
from handfast.runner.run import Run
from handfast.runner.run_trace import run_trace
from handfast.runner.run_view import RunView
from handfast.runner.stream_events import AgentUpdatedStreamEvent, StreamEvent
from handfast.tracing.create import get_current_trace
from handfast.tracing.traces import Trace

logger = logging.getLogger("handfast")

STOP_SECONDS: Final = 20.0
"""How long a reader who leaves waits for the run: it has a session to write, a model to close."""


class RunResultStreaming(ResultBase):
    """A run that goes on while its events are read.

    Read `stream_events()` to the end; what the run came to is then in the same attributes as a
    `RunResult` has. A run that is read waits between two turns until its reader is done with the
    events so far, so that it can be stopped there; one that is not read waits for nobody. `Runner`
    makes them; a program puts one together with the values that it shall show, and then there are
    no events to read.
    """

    trace: Trace | None = None
    """The trace that the run belongs to; None where nobody records it."""
    _run: Run | None = None
    _events: EventQueue
    _task: asyncio.Task[None] | None
    _begun: bool = False
    _cancelled: bool = False
    _given_turn: int = 0
    _given_complete: bool = False

    def __init__(  # noqa: PLR0913, PLR0917 - the SDK's signature
        self,
        input: str | list[InputItem],  # noqa: A002 - the SDK's name
        new_items: list[RunItem],
        raw_responses: list[ModelResponse],
        final_output: Any,  # noqa: ANN401 - whatever an agent's output_type is
        input_guardrail_results: list[InputGuardrailResult],
        output_guardrail_results: list[OutputGuardrailResult],
        tool_input_guardrail_results: list[ToolInputGuardrailResult],
        tool_output_guardrail_results: list[ToolOutputGuardrailResult],
        context_wrapper: RunContextWrapper,
        current_agent: AnyAgent,
        current_turn: int,
        max_turns: int | None,
        _current_agent_output_schema: AgentOutputSchemaBase | None,
        trace: Trace | None,
        is_complete: bool = False,  # noqa: FBT001, FBT002 - the SDK's signature
        *,
        run_loop_task: asyncio.Task[None] | None = None,
        interruptions: list[ToolApprovalItem] | None = None,
        _run_impl_task: asyncio.Task[None] | None = None,
    ) -> None:
        produced = (input, new_items, raw_responses, final_output)
        checked = (input_guardrail_results, output_guardrail_results)
        tools_checked = (tool_input_guardrail_results, tool_output_guardrail_results)
        super().__init__(
            GivenView(
                *produced,
                *checked,
                *tools_checked,
                context_wrapper,
                current_agent,
                max_turns,
                interruptions or [],
            ),
        )
        self.trace = trace
        self._given_turn, self._given_complete = current_turn, is_complete
        self._events = EventQueue()
        self._task = run_loop_task or _run_impl_task

    @classmethod
    def start(cls, prepared: Prepared) -> Self:
        """Start a run that is prepared; it goes on by itself from here."""
        made = cls.__new__(cls)
        made._start(prepared)  # noqa: SLF001 - of this very class
        return made

    def _start(self, prepared: Prepared) -> None:
        self._run = run = prepared.run
        super().__init__(RunView(run))
        self._events = EventQueue()
        run.emit, run.turn_read = self._events.put, self._events.caught_up
        run.begin(prepared.step)
        self._task = asyncio.create_task(self._drive(run, prepared))
        run.going = True
        self._task.add_done_callback(lambda task: _take_note(run, task))

    @property
    def current_agent(self) -> AnyAgent:
        """The agent that has the word now."""
        return self.last_agent

    @property
    def current_turn(self) -> int:
        """How many model calls have begun."""
        return self._given_turn if self._run is None else self._run.state.turn

    @property
    def is_complete(self) -> bool:
        """True when the run goes no further: it is over, was cancelled, or waits for a person."""
        return self._given_complete or (self._task is not None and self._task.done())

    @property
    def run_loop_task(self) -> asyncio.Task[None] | None:
        """The task that drives the run: to wait for its end without reading events.

        It raises what ended the run. None for a result that a program put together without one.
        """
        return self._task

    @property
    def run_loop_exception(self) -> BaseException | None:
        """The error that ended the run; None while there is none."""
        if self._task is None or not self._task.done() or self._task.cancelled():
            return None
        return self._task.exception()

    def stream_events(self) -> AsyncIterator[StreamEvent]:
        """The run's events as they come, to its end.

        A reader that stops early, or is cancelled, ends the run: no model is asked and no tool
        called after that.

        Raises:
            HandfastError: The run ended with it; events that came before are given first.
            CancelledError: Something else than a reader or `cancel` cancelled the run.
        """
        if self._run is None or self._task is None:
            return _NoEvents(self._task)
        return _Reader(self._events, self._task, self._stop, lambda: self._cancelled)

    def cancel(self, mode: Literal["immediate", "after_turn"] = "immediate") -> None:
        """Stop the run.

        Args:
            mode: `immediate` ends it now and drops events that were not read; `after_turn` lets
                the turn end first, after which `to_state()` can be resumed.
        """
        if mode == "after_turn" and self._run is not None:
            self._run.stops_at_turn_end = True
            return
        self._stop()
        self._events.clear()
        self._events.put(None)

    def __repr__(self) -> str:
        name = last_name(self)
        if not self.is_complete:
            return f"RunResultStreaming(agent={name!r}, turn={self.current_turn}, running)"
        return f"RunResultStreaming(agent={name!r}, turns={self.current_turn}, {self._end()})"

    def __str__(self) -> str:
        facts = {
            "Current agent": agent_text(last_name(self)),
            "Current turn": self.current_turn,
            "Max turns": self.max_turns,
            "Is complete": self.is_complete,
        }
        return result_text("RunResultStreaming", facts, counts_of(self), (self.final_output,))

    def _end(self) -> str:
        if self._run is None or is_over(self._run.state):
            return "over"
        return "waits" if waits_for_person(self._run.state) else "stopped"

    def _stop(self) -> None:
        self._cancelled = True
        # A task that has not begun ends by itself as soon as it does, and gives back what it has.
        if self._task is not None and (self._begun or self._run is None):
            self._task.cancel()

    async def _drive(self, run: Run, prepared: Prepared) -> None:
        self._begun = True
        config, own = run.config, prepared.owns_provider
        try:
            async with closing(config.model_provider, own=own):
                if self._cancelled:
                    return
                with run_trace(config, run.trace):
                    self.trace = get_current_trace()
                    step = await prepared.begin()
                    self._events.put(AgentUpdatedStreamEvent(run.catalog[step[0].agent]))
                    await run.driver(run, step)
            raise_stopped(run)
        finally:
            self._events.put(None)
            if is_over(run.state):
                run.release()


class _NoEvents(AsyncIterator[StreamEvent]):
    """Waits for the task of a result that a program put together, and has nothing to tell."""

    def __init__(self, task: asyncio.Task[None] | None) -> None:
        self._task = task

    async def __anext__(self) -> StreamEvent:
        if self._task is not None:
            await self._task
        raise StopAsyncIteration


def _take_note(run: Run, task: asyncio.Task[None]) -> None:
    run.going = False
    # A failure that no reader waits for any more is told by `run_loop_exception`, not by asyncio.
    if not task.cancelled():
        task.exception()


class _Reader(AsyncIterator[StreamEvent]):
    """Reads a run's events. Dropped before the end, it ends the run at once.

    An async generator would do so too, but only after some turns of the event loop, in which the
    run could go on to call a tool.
    """

    def __init__(
        self,
        events: EventQueue,
        task: asyncio.Task[None],
        stop: Callable[[], None],
        ended: Callable[[], bool],
    ) -> None:
        self._events = events
        self._task = task
        self._stop = stop
        self._ended = ended
        self._loop = asyncio.get_running_loop()
        self._reading = self._there = False

    async def __anext__(self) -> StreamEvent:
        if self._task.done() and self._events.empty:
            raise StopAsyncIteration
        if not self._there:
            self._there = True
            self._events.enter()
        self._reading = True
        try:
            event = await self._events.get()
            if event is None:
                await self.aclose()
        except BaseException:
            await self.aclose()
            raise
        if event is not None:
            return event
        if self._task.done() and not (self._task.cancelled() and self._ended()):
            self._task.result()
        raise StopAsyncIteration

    async def aclose(self) -> None:
        """End the run, where it has not ended, and wait until it has or cannot be ended."""
        self._reading = False
        self._gone()
        if not self._task.done():
            self._stop()
        _, deaf = await asyncio.wait([self._task], timeout=STOP_SECONDS)
        if deaf:
            logger.warning("A run went on %s seconds after it was cancelled.", STOP_SECONDS)

    def _gone(self) -> None:
        if self._there:
            self._there = False
            self._events.leave()

    def __del__(self) -> None:
        if not self._reading or self._task.done() or self._loop.is_closed():
            return
        try:
            at_home = asyncio.get_running_loop() is self._loop
        except RuntimeError:
            at_home = False
        if at_home:
            self._stop()
        else:
            self._loop.call_soon_threadsafe(self._stop)
