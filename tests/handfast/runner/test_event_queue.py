from __future__ import annotations

import asyncio

import pytest

from handfast import Agent
from handfast.runner import event_queue
from handfast.runner.event_queue import EventQueue
from handfast.runner.stream_events import AgentUpdatedStreamEvent

EVENT = AgentUpdatedStreamEvent(Agent(name="a"))


async def test_events_come_in_order_and_the_end_is_none() -> None:
    events = EventQueue()
    events.put(EVENT)
    events.put(None)
    assert [await events.get(), await events.get()] == [EVENT, None]
    assert events.empty


async def test_nobody_is_waited_for_where_nobody_reads() -> None:
    events = EventQueue()
    events.put(EVENT)
    await asyncio.wait_for(events.caught_up(), 1)
    assert not events.empty


async def test_a_reader_is_done_with_an_event_when_it_asks_for_the_next() -> None:
    events = EventQueue()
    events.enter()
    events.put(EVENT)
    waiting = asyncio.create_task(events.caught_up())
    assert await events.get() is EVENT
    for _ in range(10):
        await asyncio.sleep(0)
    assert not waiting.done()
    asking = asyncio.create_task(events.get())
    await asyncio.wait_for(waiting, 1)
    events.put(None)
    assert await asking is None


async def test_a_reader_that_is_gone_is_not_waited_for() -> None:
    events = EventQueue()
    events.enter()
    events.put(EVENT)
    waiting = asyncio.create_task(events.caught_up())
    await asyncio.sleep(0)
    events.leave()
    await asyncio.wait_for(waiting, 1)
    assert not events.empty


async def test_a_reader_that_does_not_come_back_is_not_waited_for_without_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(event_queue, "PATIENCE", 0.01)
    events = EventQueue()
    events.enter()
    events.put(EVENT)
    await asyncio.wait_for(events.caught_up(), 5)
    assert not events.empty


async def test_what_was_not_read_can_be_dropped() -> None:
    events = EventQueue()
    events.put(EVENT)
    events.clear()
    assert events.empty
