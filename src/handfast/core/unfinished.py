"""What stays of a turn that ends before its last answer.

A call that has its answer has had its effect, whatever became of its neighbours: both stay, with
the reasoning that led to the call. A call without an answer would make a provider refuse every
later request: it goes, and so does what the model said around it. Input that came late stays.
"""

from __future__ import annotations

from collections.abc import Sequence

from handfast.core.evolve import evolve
from handfast.core.items import Call, Item, Message, Reasoning, Result
from handfast.core.state import Acting, Concluding, Failure, Judging, RunState, Settled, Stopped


def stopped(state: RunState, failure: Failure) -> RunState:
    """The run ended without an output: of its turn only what is finished is in the record.

    A candidate output that was refused stays in the record, to be looked at, but not for sessions.
    """
    if isinstance(state.phase, Judging):
        return evolve(state, phase=Stopped(failure))
    answers = _answers(state)
    if not answers and len(state.items) == state.items_mark:
        return evolve(state, phase=Stopped(failure))
    withheld = isinstance(state.phase, Acting | Concluding) and state.phase.withholds
    turn = () if withheld else finished((*state.items.since(state.items_mark), *answers))
    items = state.items.ending(state.items_mark, turn)
    if state.seen is state.items:
        seen = items
    else:
        shown = () if withheld else finished((*state.seen.since(state.seen_mark), *answers))
        seen = state.seen.ending(state.seen_mark, shown)
    return evolve(state, items=items, seen=seen, phase=Stopped(failure, len(turn)))


def stopped_after_turn(state: RunState, failure: Failure) -> RunState:
    """The run ended without an output, and yet with a turn that is whole: all of it stays."""
    return evolve(state, phase=Stopped(failure, len(state.items) - state.items_mark))


def cancelled(state: RunState, reason: str) -> RunState:
    """The run ended from outside. An answer of the model that was only being checked stays."""
    failure = Failure("cancelled", "Cancelled", reason)
    phase = state.phase
    if isinstance(phase, Judging) and not phase.from_tool:
        return stopped_after_turn(state, failure)
    return stopped(state, failure)


def finished(turn: Sequence[Item]) -> tuple[Item, ...]:
    """The items of a turn that can stand without the others, in their order."""
    answered = {item.call_id for item in turn if isinstance(item, Result)}
    stays: list[Item] = []
    reasoning: list[Item] = []
    for item in turn:
        match item:
            case Reasoning():
                reasoning.append(item)
                continue
            case Call() if item.call_id in answered:
                stays += [*reasoning, item]
            case Result() | Message(agent=""):
                stays.append(item)
            case _:
                pass
        reasoning.clear()
    return tuple(stays)


def _answers(state: RunState) -> tuple[Item, ...]:
    """Answers that are not in the record yet, because the turn's last one is missing."""
    phase = state.phase
    if not isinstance(phase, Acting):
        return ()
    return tuple(slot.result for slot in phase.slots if isinstance(slot, Settled))
