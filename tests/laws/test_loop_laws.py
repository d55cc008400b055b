from __future__ import annotations

import json
import random
import sys
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast.core.codec import decode_state, encode_state
from handfast.core.effects import CallModel, CallTool, Effect, InvokeHandoff, RunAgent
from handfast.core.items import Call, CallKind, HandoffResult, Message, Result
from handfast.core.loop import Step, advance, open_effects, start
from handfast.core.outcomes import (
    Allowed,
    Approved,
    Cancelled,
    Failed,
    ModelAnswered,
    Outcome,
    ToolReturned,
)
from handfast.core.state import (
    Acting,
    Offer,
    RunState,
    Settled,
    Stopped,
    is_over,
    waits_for_person,
)
from handfast.core.usage import Limits
from handfast.errors import DriverError, UserError
from laws.worlds import (
    FAILURE,
    WORLDS,
    Trace,
    World,
    begin,
    fate_of,
    first,
    perform,
    run,
    run_to_the_end,
)


def plain(value: object) -> object:
    return value


@given(WORLDS, st.randoms(use_true_random=False))
def test_completion_order_does_not_change_a_run(world: World, chance: random.Random) -> None:
    def shuffled(waiting: Sequence[Effect]) -> int:
        return chance.randrange(len(waiting))

    ordered, _ = run_to_the_end(world)
    other, _ = run_to_the_end(world, shuffled)
    if not world.trips:
        assert other == ordered
    assert is_over(ordered)
    assert is_over(other)


@given(WORLDS)
def test_a_run_stored_at_every_step_goes_on_as_if_it_had_not_been(world: World) -> None:
    expected, _ = run_to_the_end(world)
    state, _ = begin(world)
    for _ in range(1_000):
        stored = json.loads(json.dumps(encode_state(state, plain)))
        state = decode_state(stored, plain)
        effects = open_effects(state)
        if not effects:
            break
        outcome = perform(world, effects[0])
        assert outcome is not None
        state, _ = advance(state, outcome)
    stored_run = json.dumps(encode_state(expected, plain), sort_keys=True)
    assert json.dumps(encode_state(state, plain), sort_keys=True) == stored_run


@given(WORLDS)
def test_open_effects_are_those_that_were_asked_for_and_not_answered(world: World) -> None:
    state, effects = begin(world)
    waiting = {effect.id for effect in effects}
    trace = Trace()
    run((state, effects), world, first, trace)
    states = [state, *trace.states]
    for before, outcome, after in zip(states, trace.outcomes, states[1:], strict=False):
        _, asked = advance(before, outcome)
        waiting = (waiting - {getattr(outcome, "effect", "")}) | {e.id for e in asked}
        open_now = {e.id for e in open_effects(after)}
        paused = {e.id for e in open_effects(after) if isinstance(e, RunAgent) and e.child}
        assert open_now - paused <= waiting
        waiting &= open_now


@given(WORLDS)
def test_nothing_runs_that_was_not_freed(world: World) -> None:
    _, trace = run_to_the_end(world)
    freed: set[str] = set()
    for effect, outcome in zip(trace.performed, trace.outcomes, strict=True):
        if isinstance(outcome, Allowed | Approved):
            freed.add(getattr(effect, "call").call_id)  # noqa: B009 - only calls are freed
        if isinstance(effect, CallTool | RunAgent | InvokeHandoff):
            assert effect.call.call_id in freed
            assert fate_of(world, effect.call) not in {"denied", "rejected"}


@given(WORLDS)
def test_every_call_is_answered_once_and_results_stand_in_call_order(world: World) -> None:
    state, _ = run_to_the_end(world)
    if any(turn.filtered for turn in world.turns) or isinstance(state.phase, Stopped):
        return
    calls = [item.call_id for item in state.items if isinstance(item, Call)]
    answers = [i.call_id for i in state.items if isinstance(i, Result | HandoffResult)]
    assert sorted(calls) == sorted(answers)
    tools = [item.call_id for item in state.items if isinstance(item, Result)]
    handed = {i.call_id for i in state.items if isinstance(i, HandoffResult)}
    declined = {c for c in tools if is_declined_handoff(world, state, c)}
    plain_calls = [c for c in calls if c not in handed | declined]
    assert [c for c in tools if c not in declined] == plain_calls


def is_declined_handoff(world: World, state: RunState, call_id: str) -> bool:
    """A handoff that was freed and then declined is answered after the tools of its turn."""
    call = next(i for i in state.items if isinstance(i, Call) and i.call_id == call_id)
    kind: CallKind = call.kind
    return kind == "handoff" and fate_of(world, call) == "approved"


@given(WORLDS)
def test_whatever_ends_a_run_keeps_finished_calls_and_no_other(world: World) -> None:
    _, trace = run_to_the_end(world)
    for state in [begin(world)[0], *trace.states[-12:]]:
        ends: list[Outcome] = [Failed(effect.id, FAILURE) for effect in open_effects(state)]
        for end in [*ends, Cancelled()] if not is_over(state) else []:
            after, _ = advance(state, end)
            assert isinstance(after.phase, Stopped)
            kept = after.items[: after.items_mark + after.phase.stays]
            calls = [item.call_id for item in kept if isinstance(item, Call)]
            answers = [i.call_id for i in kept if isinstance(i, Result | HandoffResult)]
            assert sorted(calls) == sorted(answers)
            slots = state.phase.slots if isinstance(state.phase, Acting) else ()
            assert {s.call.call_id for s in slots if isinstance(s, Settled)} <= set(answers)
            earlier = after.items_mark
            assert after.items[:earlier] == state.items[:earlier]
            assert {id(item) for item in state.items[:earlier]} <= {id(item) for item in kept}


@given(WORLDS)
def test_turns_never_exceed_their_limit(world: World) -> None:
    state, trace = run_to_the_end(world)
    asked = sum(isinstance(effect, CallModel) for effect in trace.performed)
    allowed = world.max_turns + (world.last_answer and world.max_turns > 0)
    assert state.turn <= allowed
    assert asked <= allowed
    assert state.spend.requests >= asked - 1


@given(WORLDS, WORLDS)
def test_every_pair_of_phase_and_outcome_moves_the_run_or_is_the_drivers_bug(
    world: World,
    other: World,
) -> None:
    _, trace = run_to_the_end(world)
    _, foreign = run_to_the_end(other)
    outcomes: list[Outcome] = [*foreign.outcomes[-12:], Cancelled(), Failed("1.model.0", FAILURE)]
    for state in [begin(world)[0], *trace.states[-12:]]:
        for outcome in outcomes:
            before = json.dumps(encode_state(state, plain))
            try:
                after, effects = advance(state, outcome)
            except DriverError:
                pass
            else:
                ids = {effect.id for effect in open_effects(after)}
                assert {effect.id for effect in effects} <= ids
            assert json.dumps(encode_state(state, plain)) == before


@given(WORLDS)
def test_a_run_that_waits_for_a_person_goes_on_when_the_person_comes(world: World) -> None:
    trace = Trace()
    state = run(begin(world), world, first, trace, person=False)
    expected, _ = run_to_the_end(world)
    if is_over(state):
        assert state == expected
        return
    assert waits_for_person(state)
    assert isinstance(state.phase, Acting)
    for _ in range(9):
        if is_over(state):
            break
        state = run((state, open_effects(state)), world, first, trace)
    assert state == expected


def test_a_turn_costs_the_same_number_of_operations_at_any_length() -> None:
    counts = [operations_of_a_turn(length) for length in (10, 100, 1_000)]
    assert len(set(counts)) == 1, counts


def operations_of_a_turn(length: int) -> int:
    """Function calls, Python's and C's, of one turn after so many turns."""
    unlimited = Limits(max_turns=None, max_calls=None)
    state, effects = start("a", [Message("user", "hi", {})], limits=unlimited)

    def one_turn(state: RunState, effects: tuple[Effect, ...]) -> Step:
        call = Call(f"c{state.turn}", "t", "{}", {}, "a")
        state, effects = advance(state, ModelAnswered(effects[0].id, (call,), Offer()))
        state, effects = advance(state, Allowed(effects[0].id))
        return advance(state, ToolReturned(effects[0].id, Result(call.call_id, {}, "a")))

    for _ in range(length):
        state, effects = one_turn(state, effects)
    count = 0

    def tally(*_: object) -> None:
        nonlocal count
        count += 1

    sys.setprofile(tally)
    try:
        one_turn(state, effects)
    finally:
        sys.setprofile(None)
    return count


def test_a_stored_state_of_another_kind_is_refused_by_name() -> None:
    with pytest.raises(UserError, match="schema version"):
        decode_state({"run": {}}, plain)
