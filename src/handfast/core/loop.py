"""The loop: `start`, `advance`, `resume`, `open_effects`. The only file in which a run changes.

    state, effects = start(...)
    while effects:
        outcome = perform(effect)
        state, effects = advance(state, outcome)

`advance` is total: each pair of phase and outcome either moves the run or raises `DriverError`,
because the outcome answers an effect that is not open. It never looks at the history: the calls of
a turn live in the phase, and what a turn costs does not depend on how many came before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from handfast.core import outcomes as out
from handfast.core.calls import (
    calls_of,
    fresh_slots,
    move_slot,
    returning_slots,
    settled,
    slot_effect,
)
from handfast.core.effects import (
    CallModel,
    CheckInput,
    CheckOutput,
    ConcludeTools,
    Effect,
    FilterHandoff,
    InvokeHandoff,
    Recover,
)
from handfast.core.evolve import evolve
from handfast.core.items import Item, Message
from handfast.core.log import Log
from handfast.core.outcomes import Outcome
from handfast.core.state import (
    Acting,
    Answer,
    Asking,
    Checking,
    Concluding,
    Done,
    Failure,
    Filtering,
    HandingOver,
    Held,
    Judging,
    Offer,
    Paused,
    Recovering,
    Rules,
    RunState,
    Settled,
    Slot,
    Stopped,
)
from handfast.core.unfinished import cancelled, stopped, stopped_after_turn
from handfast.core.usage import Limits
from handfast.errors import DriverError

Step: TypeAlias = tuple[RunState, tuple[Effect, ...]]

_TURNS_USED_UP = Failure("limit", "MaxTurnsExceeded", "Max turns exceeded")


def start(
    agent: str,
    conversation: Sequence[Item],
    *,
    limits: Limits = Limits(),
    rules: Rules = Rules(),
    checks_before: bool = False,
    checks_beside: bool = False,
) -> Step:
    """Begin a run.

    Args:
        agent: The name of the first agent.
        conversation: The input, and whatever was said before it.
        limits: The run's budgets.
        rules: What to do where more than one thing makes sense.
        checks_before: Whether there are input checks that must pass before the model is called.
        checks_beside: Whether there are input checks that may run beside the first model call.

    Returns:
        The first state and the effects to perform.
    """
    log = Log(conversation)
    nothing: Log[Item] = Log()
    state = RunState(
        agent,
        Checking(),
        log,
        limits,
        rules,
        items=nothing,
        seen=nothing,
        checks_beside=checks_beside,
    )
    if checks_before:
        return state, open_effects(state)
    return _next_turn(state)


def advance(state: RunState, outcome: Outcome) -> Step:
    """Move the run on by one outcome.

    Returns:
        The next state and the effects that this outcome newly asks for.

    Raises:
        DriverError: No open effect asked for this outcome.
    """
    phase = state.phase
    if isinstance(phase, Done | Stopped):
        raise DriverError(f"The run is over; {outcome!r} comes too late.")
    if isinstance(outcome, out.Cancelled):
        return cancelled(state, outcome.reason), ()
    if isinstance(outcome, out.Failed):
        _require_open(state, outcome.effect)
        return _fail(_with_answer(state, outcome), outcome.failure)
    match phase:
        case Checking() | Asking():
            return _after_question(state, phase, outcome)
        case Acting():
            return _after_call(state, phase, outcome)
        case Concluding():
            return _after_conclusion(state, outcome)
        case HandingOver() | Filtering():
            return _after_handoff(state, phase, outcome)
        case Judging():
            return _after_judgement(state, outcome)
        case Recovering():
            return _after_recovery(state, phase, outcome)


def open_effects(state: RunState) -> tuple[Effect, ...]:
    """Every effect that the state waits for: where a stored run goes on."""
    turn = state.turn
    match state.phase:
        case Checking():
            return (CheckInput("0.check_input.0", state.agent, state.input, blocking=True),)
        case Asking() as asking:
            return _questions(state, asking)
        case Acting(slots):
            ordered = (slot_effect(turn, state.agent, n, slot) for n, slot in enumerate(slots))
            return tuple(effect for effect in ordered if effect is not None)
        case Concluding(results=results):
            return (ConcludeTools(f"{turn}.conclude.0", state.agent, results),)
        case HandingOver(call):
            return (InvokeHandoff(f"{turn}.handoff.0", state.agent, call),)
        case Filtering() as filtering:
            return (_filter(state, filtering),)
        case Judging(text, value, from_tool, recovered):
            fresh = tuple(state.items.since(state.items_mark))
            n = 1 if recovered else 0
            return (
                CheckOutput(f"{turn}.check_output.{n}", state.agent, text, value, from_tool, fresh),
            )
        case Recovering(failure=failure):
            return (Recover(f"{turn}.recover.0", state.agent, failure),)
        case Done() | Stopped():
            return ()


def resume(state: RunState) -> Step:
    """Go on with a stored run: with what it waits for, or with a new turn where it was done."""
    if isinstance(state.phase, Done):
        return _next_turn(state)
    return state, open_effects(state)


# ---- turns --------------------------------------------------------------------------------------


def _next_turn(state: RunState) -> Step:
    # The turn is whole: what is before the marks is finished, whatever ends the run from here.
    state = evolve(state, items_mark=len(state.items), seen_mark=len(state.seen))
    exhausted = _exhausted(state)
    if exhausted is None:
        return _ask(state, Asking(check_open=state.checks_beside and state.turn == 0))
    at_the_end = state.turn == state.limits.max_turns and state.turn > 0
    if exhausted.name == "MaxTurnsExceeded" and state.rules.last_answer and at_the_end:
        return _ask(state, Asking(last=True))
    return _fail_between(state, exhausted)


def _exhausted(state: RunState) -> Failure | None:
    limits = state.limits
    if limits.max_turns is not None and state.turn >= limits.max_turns:
        message = f"Max turns ({limits.max_turns}) exceeded"
        return Failure("limit", "MaxTurnsExceeded", message)
    if limits.max_tokens is not None and state.spend.total_tokens >= limits.max_tokens:
        message = f"Token budget ({limits.max_tokens}) used up"
        return Failure("limit", "LimitExceeded", message)
    return None


def _ask(state: RunState, phase: Asking) -> Step:
    asked = evolve(state, phase=phase, turn=state.turn + 1)
    return asked, open_effects(asked)


def _questions(state: RunState, phase: Asking) -> tuple[Effect, ...]:
    effects: list[Effect] = []
    if phase.check_open:
        check = CheckInput("0.check_input.1", state.agent, state.input, blocking=False)
        effects.append(check)
    if phase.items is None:
        effects.append(_call_model(state, tools_off=phase.last))
    return tuple(effects)


def _call_model(state: RunState, *, tools_off: bool) -> CallModel:
    return CallModel(
        f"{state.turn}.model.0",
        state.agent,
        state.input,
        state.seen.extended(state.late),
        state.agent in state.used_tools,
        tools_off,
    )


def _after_question(state: RunState, phase: Checking | Asking, outcome: Outcome) -> Step:
    match outcome:
        case out.InputPassed(effect, verdicts):
            _require_open(state, effect)
            passed = evolve(state, input_verdicts=state.input_verdicts + verdicts)
            if isinstance(phase, Checking):
                return _next_turn(passed)
            if phase.items is None or phase.offer is None:
                return evolve(passed, phase=replace(phase, check_open=False)), ()
            return _take_answer(passed, phase.items, phase.offer)
        case out.InputTripped(effect, verdicts, failure):
            _require_open(state, effect)
            tripped = evolve(state, input_verdicts=state.input_verdicts + verdicts)
            return stopped(tripped, failure), ()
        case out.ModelAnswered(effect, items, offer, spend, response_id, raw, repeated):
            _require_open(state, effect)
            answer = Answer(state.agent, spend, response_id, raw)
            answered = evolve(
                _record(state, state.late),
                late=(),
                spend=state.spend.plus(spend),
                answers=state.answers.extended((answer,)),
            )
            if isinstance(phase, Asking) and phase.check_open:
                return evolve(answered, phase=replace(phase, items=items, offer=offer)), ()
            if isinstance(phase, Asking) and phase.last and calls_of(items):
                return _fail_between(answered, _exhausted(answered) or _TURNS_USED_UP)
            if repeated and not calls_of(items):
                return _next_turn(_record(answered, items))
            return _take_answer(answered, items, offer)
        case _:
            raise _unasked(state, outcome)


def _take_answer(state: RunState, items: tuple[Item, ...], offer: Offer) -> Step:
    calls = calls_of(items)
    recorded = _record(state, items)
    if not calls:
        judging = evolve(recorded, phase=Judging(_last_text(items)))
        return judging, open_effects(judging)
    limit = state.limits.max_calls
    if limit is not None and state.calls + len(calls) > limit:
        failure = Failure("limit", "LimitExceeded", f"Tool call budget ({limit}) used up")
        return _fail(recorded, failure)
    handoffs = [call.name for call in calls if call.kind == "handoff"]
    if len(handoffs) > 1 and state.rules.handoffs == "error":
        message = f"Several handoffs in one answer: {', '.join(handoffs)}"
        return _fail(recorded, Failure("model", "ModelBehaviorError", message))
    together = len(handoffs) > 1 and state.rules.handoffs == "all"
    slots = returning_slots(calls) if together else fresh_slots(calls)
    acting = evolve(
        recorded,
        phase=Acting(slots, offer),
        calls=state.calls + len(calls),
        used_tools=state.used_tools | {state.agent},
    )
    return _settle(acting, open_effects(acting))


def _last_text(items: Sequence[Item]) -> str:
    for item in reversed(items):
        if isinstance(item, Message):
            return item.text
    return ""


# ---- calls --------------------------------------------------------------------------------------


def _after_call(state: RunState, phase: Acting, outcome: Outcome) -> Step:
    if isinstance(outcome, out.Cancelled):
        raise _unasked(state, outcome)
    n, slot = _find_slot(state, phase, outcome.effect)
    moved = move_slot(slot, outcome)
    if moved is None:
        raise _unasked(state, outcome)
    slots = (*phase.slots[:n], moved, *phase.slots[n + 1 :])
    spend = outcome.spend if isinstance(outcome, out.ToolReturned) else None
    after = evolve(
        state,
        phase=Acting(slots, phase.offer),
        spend=state.spend if spend is None else state.spend.plus(spend),
    )
    # A pause asks for nothing new: its effect is open again only when the run is resumed.
    effect = None if isinstance(moved, Paused) else slot_effect(after.turn, after.agent, n, moved)
    return _settle(after, () if effect is None else (effect,))


def _with_answer(state: RunState, outcome: out.Failed) -> RunState:
    """The state with the answer that a call has although something failed after it."""
    phase, result = state.phase, outcome.result
    if result is None or not isinstance(phase, Acting):
        return state
    n, slot = _find_slot(state, phase, outcome.effect)
    slots = (*phase.slots[:n], settled(slot.call, result), *phase.slots[n + 1 :])
    return evolve(state, phase=replace(phase, slots=slots))


def _find_slot(state: RunState, phase: Acting, effect: str) -> tuple[int, Slot]:
    number = effect.rpartition(".")[2]
    n = int(number) if number.isdecimal() else -1
    if 0 <= n < len(phase.slots):
        slot = phase.slots[n]
        asked = slot_effect(state.turn, state.agent, n, slot)
        if asked is not None and asked.id == effect:
            return n, slot
    raise DriverError(f"No open effect is called {effect!r}.")


def _settle(state: RunState, effects: tuple[Effect, ...]) -> Step:
    """Leave the turn's calls once the last has its answer."""
    phase = state.phase
    if not isinstance(phase, Acting):
        raise DriverError("Only a turn with calls can be settled.")
    answered = [slot for slot in phase.slots if isinstance(slot, Settled)]
    held = [slot.call for slot in phase.slots if isinstance(slot, Held)]
    if len(answered) + len(held) < len(phase.slots):
        return state, effects
    recorded = _record(state, tuple(slot.result for slot in answered))
    if held:
        handing = evolve(recorded, phase=HandingOver(held[0]))
        return handing, open_effects(handing)
    tools = tuple((s.call, s.result) for s in answered if s.call.kind in {"function", "agent"})
    if phase.offer.judges_tools and tools:
        concluding = evolve(recorded, phase=Concluding(tools, phase.withholds))
        return concluding, open_effects(concluding)
    return _next_turn(recorded)


def _after_conclusion(state: RunState, outcome: Outcome) -> Step:
    match outcome:
        case out.ToolsConcluded(effect, final, value):
            _require_open(state, effect)
            if not final:
                return _next_turn(state)
            judging = evolve(state, phase=Judging("", value, from_tool=True))
            return judging, open_effects(judging)
        case _:
            raise _unasked(state, outcome)


# ---- handoffs -----------------------------------------------------------------------------------


def _after_handoff(state: RunState, phase: HandingOver | Filtering, outcome: Outcome) -> Step:
    match phase, outcome:
        case HandingOver(call), out.HandoffInvoked(effect, result, filtered):
            _require_open(state, effect)
            if result.call_id != call.call_id:
                raise DriverError(f"The handoff answers {result.call_id!r}, not {call.call_id!r}.")
            recorded = _record(state, (result,))
            if not filtered:
                return _next_turn(evolve(recorded, agent=result.target))
            filtering = evolve(recorded, phase=Filtering(call, result))
            return filtering, open_effects(filtering)
        case HandingOver(call), out.HandoffDeclined(effect, answer):
            _require_open(state, effect)
            return _next_turn(_record(state, (settled(call, answer).result,)))
        case Filtering(_, result), out.HandoffFiltered(effect):
            _require_open(state, effect)
            return _next_turn(evolve(_filtered(state, outcome), agent=result.target))
        case _:
            raise _unasked(state, outcome)


def _filter(state: RunState, phase: Filtering) -> FilterHandoff:
    return FilterHandoff(
        f"{state.turn}.filter.0",
        phase.call,
        phase.result,
        state.input,
        state.seen[: state.seen_mark],
        state.seen[state.seen_mark :],
    )


def _filtered(state: RunState, outcome: out.HandoffFiltered) -> RunState:
    fresh, visible = outcome.fresh, outcome.visible
    kept = state.items.ending(state.items_mark, fresh)
    shown = Log(outcome.earlier).extended(fresh if visible is None else visible)
    return evolve(state, input=Log(outcome.input), items=kept, seen=shown)


# ---- ends ---------------------------------------------------------------------------------------


def _after_judgement(state: RunState, outcome: Outcome) -> Step:
    match outcome:
        case out.OutputAccepted(effect, value, verdicts):
            _require_open(state, effect)
            return evolve(state, phase=Done(value), output_verdicts=verdicts), ()
        case out.OutputDeclined(effect, note, failure):
            _require_open(state, effect)
            if failure is not None and failure.name in state.rules.recovers:
                return _recovering(state, Recovering(failure, goes_on=True))
            return _next_turn(_record(state, note))
        case out.OutputTripped(effect, verdicts, failure):
            _require_open(state, effect)
            return stopped(evolve(state, output_verdicts=verdicts), failure), ()
        case out.OutputUnchecked(effect, failure):
            _require_open(state, effect)
            return stopped_after_turn(state, failure), ()
        case _:
            raise _unasked(state, outcome)


def _after_recovery(state: RunState, phase: Recovering, outcome: Outcome) -> Step:
    match outcome:
        case out.Recovered(effect, value, items):
            _require_open(state, effect)
            candidate = Judging("", value, from_tool=True, recovered=True)
            judging = evolve(_record(state, items), phase=candidate)
            return judging, open_effects(judging)
        case out.NotRecovered(effect):
            _require_open(state, effect)
            if phase.goes_on:
                return _next_turn(state)
            return evolve(state, phase=Stopped(phase.failure, phase.stays)), ()
        case _:
            raise _unasked(state, outcome)


def _fail(state: RunState, failure: Failure) -> Step:
    """End, unless the user's code may give an output in place of this failure."""
    if isinstance(state.phase, Recovering) or failure.name not in state.rules.recovers:
        return stopped(state, failure), ()
    ended = stopped(state, failure)
    stays = ended.phase.stays if isinstance(ended.phase, Stopped) else 0
    return _recovering(ended, Recovering(failure, stays))


def _fail_between(state: RunState, failure: Failure) -> Step:
    """`_fail` between two turns: no call of the turn before is looked at again."""
    if failure.name not in state.rules.recovers:
        return evolve(state, phase=Stopped(failure)), ()
    return _recovering(state, Recovering(failure))


def _recovering(state: RunState, phase: Recovering) -> Step:
    asked = evolve(state, phase=phase)
    return asked, open_effects(asked)


def _record(state: RunState, items: tuple[Item, ...]) -> RunState:
    if not items:
        return state
    grown = state.items.extended(items)
    seen = grown if state.seen is state.items else state.seen.extended(items)
    return evolve(state, items=grown, seen=seen)


def _require_open(state: RunState, effect: str) -> None:
    if all(asked.id != effect for asked in open_effects(state)):
        raise DriverError(f"No open effect is called {effect!r}.")


def _unasked(state: RunState, outcome: Outcome) -> DriverError:
    phase = type(state.phase).__name__
    return DriverError(f"Nothing in phase {phase} asks for {type(outcome).__name__}.")
