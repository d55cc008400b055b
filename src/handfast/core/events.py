"""What an observer may see: one type a moment, derived from two states and never stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from handfast.core.items import Item, Result
from handfast.core.state import Recovering, RunState, Stopped, is_over


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """A model is about to be called."""

    agent: str
    turn: int


@dataclass(frozen=True, slots=True)
class ItemAdded:
    """An item entered the transcript."""

    item: Item


@dataclass(frozen=True, slots=True)
class AgentChanged:
    """Another agent has the word."""

    agent: str


@dataclass(frozen=True, slots=True)
class RunEnded:
    """The run is over: it has its output, or it has stopped."""

    state: RunState


Event: TypeAlias = TurnStarted | ItemAdded | AgentChanged | RunEnded


def events_between(before: RunState, after: RunState) -> tuple[Event, ...]:
    """What happened between a state and the one that `advance` made of it.

    Items come in transcript order, before the change of agent that follows them. What a handoff
    filter removes is not an event: what was said cannot be unsaid.
    """
    events: list[Event] = []
    if after.items.grows_from(before.items):
        events.extend(ItemAdded(item) for item in after.items.since(len(before.items)))
    elif isinstance(after.phase, Recovering | Stopped):
        events.extend(ItemAdded(item) for item in _late_answers(before, after))
    if after.agent != before.agent:
        events.append(AgentChanged(after.agent))
    if after.turn != before.turn:
        events.append(TurnStarted(after.agent, after.turn))
    if is_over(after):
        events.append(RunEnded(after))
    return tuple(events)


def _late_answers(before: RunState, after: RunState) -> list[Item]:
    """Answers that a turn which ended too early leaves behind and that nobody was told of."""
    earlier = before.items.since(before.items_mark)
    told = {item.call_id for item in earlier if isinstance(item, Result)}
    left = after.items.since(after.items_mark)
    return [item for item in left if isinstance(item, Result) and item.call_id not in told]
