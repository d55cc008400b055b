from __future__ import annotations

import itertools

from hypothesis import given

from handfast.core.events import AgentChanged, ItemAdded, RunEnded, TurnStarted, events_between
from handfast.core.state import RunState
from laws.worlds import WORLDS, World, run_to_the_end


def events_of(world: World) -> tuple[RunState, list[object]]:
    state, trace = run_to_the_end(world)
    assert trace.first is not None
    states = [trace.first, *trace.states]
    pairs = itertools.pairwise(states)
    return state, [event for before, after in pairs for event in events_between(before, after)]


@given(WORLDS)
def test_events_tell_the_whole_record_in_order(world: World) -> None:
    state, events = events_of(world)
    added = [event.item for event in events if isinstance(event, ItemAdded)]
    if not any(turn.filtered for turn in world.turns):
        assert added == list(state.items)


@given(WORLDS)
def test_the_end_is_told_once_and_last(world: World) -> None:
    state, events = events_of(world)
    ends = [event for event in events if isinstance(event, RunEnded)]
    assert len(ends) == (1 if events else 0)
    if events:
        assert events[-1] == RunEnded(state)


@given(WORLDS)
def test_turns_and_changes_of_agent_are_told(world: World) -> None:
    state, events = events_of(world)
    turns = [event.turn for event in events if isinstance(event, TurnStarted)]
    assert turns[-1:] == ([state.turn] if turns else [])
    changes = [event.agent for event in events if isinstance(event, AgentChanged)]
    assert changes[-1:] == ([state.agent] if changes else [])
