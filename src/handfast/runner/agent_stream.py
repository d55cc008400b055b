"""The events of an agent's run, told to the `on_stream` of the tool that it is.

The listener runs beside the agent: a slow one does not hold the run up, and one that cannot keep up
ends it, rather than filling the memory.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import AsyncIterator, Coroutine
from typing import Protocol, TypeAlias, runtime_checkable

from handfast.agents.agent_tool import AgentToolStreamEvent, StreamListener
from handfast.agents.together import end_tasks
from handfast.errors import UserError
from handfast.runner.stream_events import AgentUpdatedStreamEvent

logger = logging.getLogger("handfast")

Pending: TypeAlias = "asyncio.Queue[AgentToolStreamEvent | None]"
"""What the listener is still to be told; None ends it."""


class StreamedRun(Protocol):
    """A `RunResultStreaming`, or what another runner returns in place of it."""

    @property
    def current_agent(self) -> object:
        """The agent that has the word."""
        ...

    def stream_events(self) -> AsyncIterator[object]:
        """The events, to the run's end."""
        ...

    def cancel(self) -> None:
        """End the run now."""
        ...


@runtime_checkable
class _Closes(Protocol):
    """What can be read from no further."""

    def aclose(self) -> Coroutine[object, object, None]: ...


class _TooSlow(UserError):
    """More events wait for a listener than it was given room for."""


async def tell_events(
    streamed: StreamedRun,
    listener: StreamListener,
    most: int | None,
    tool_call: object,
) -> None:
    """Read a streamed run to its end, and tell a listener of each event.

    What was read before the run failed is told before the failure is raised. An exception of the
    listener is logged and costs nothing else; when it is cancelled, or this is, both end.

    Args:
        streamed: The run.
        listener: Told of each event, in order, one at a time; sync or async.
        most: How many events may wait for it; None for any number.
        tool_call: The call that the agent runs for.

    Raises:
        UserError: More events waited than that.
        Exception: The run failed.
    """
    pending: Pending = asyncio.Queue()
    events = streamed.stream_events()
    reading = asyncio.create_task(_read(streamed, events, pending, most, tool_call))
    telling = asyncio.create_task(_tell(listener, pending))
    try:
        await asyncio.wait((reading, telling), return_when=asyncio.FIRST_COMPLETED)
        if not _was_too_slow(reading):
            await asyncio.wait((telling,))
            telling.result()
        reading.result()
    finally:
        if not (_ended_well(reading) and _ended_well(telling)):
            streamed.cancel()
            await end_tasks((reading, telling))
            await _close(events)


async def _read(
    streamed: StreamedRun,
    events: AsyncIterator[object],
    pending: Pending,
    most: int | None,
    tool_call: object,
) -> None:
    agent = streamed.current_agent
    try:
        async for event in events:
            if isinstance(event, AgentUpdatedStreamEvent):
                agent = event.new_agent
            if most is not None:
                await _require_room(pending, most)
            pending.put_nowait({"event": event, "agent": agent, "tool_call": tool_call})
    finally:
        pending.put_nowait(None)


async def _require_room(pending: Pending, most: int) -> None:
    if pending.qsize() < most:
        return
    # A burst of events must not fail a listener that is ready for them.
    await asyncio.sleep(0)
    if pending.qsize() >= most:
        raise _TooSlow(
            f"More events wait for on_stream than on_stream_max_pending_events={most} allows. "
            "Let it return sooner, or allow more; None allows any number.",
        )


async def _tell(listener: StreamListener, pending: Pending) -> None:
    while (told := await pending.get()) is not None:
        try:
            answer = listener(told)
            if inspect.isawaitable(answer):
                await answer
        except Exception:
            logger.exception("Error while handling an agent tool on_stream event")


def _ended_well(task: asyncio.Task[None]) -> bool:
    return task.done() and not task.cancelled() and task.exception() is None


def _was_too_slow(reading: asyncio.Task[None]) -> bool:
    ended = reading.done() and not reading.cancelled()
    return ended and isinstance(reading.exception(), _TooSlow)


async def _close(events: AsyncIterator[object]) -> None:
    """Close what is read from, where reading was stopped between two events."""
    if not isinstance(events, _Closes):
        return
    [error] = await asyncio.gather(events.aclose(), return_exceptions=True)
    if error is not None:
        message = "Error while closing an agent tool stream after failure"
        logger.warning(message, exc_info=error)
