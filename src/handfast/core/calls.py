"""The way of one call, from `Unauthorized` to `Settled`: which step follows which, and no other.

Nothing but the boundary's outcome takes a call out of `Unauthorized`; nothing but a person's takes
it out of `Unapproved`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from handfast.core import outcomes as out
from handfast.core.effects import AskApproval, Authorize, CallTool, Effect, RunAgent
from handfast.core.items import Call, Item, Result
from handfast.core.outcomes import Outcome
from handfast.core.state import (
    Held,
    Paused,
    Running,
    Settled,
    Slot,
    Unapproved,
    Unauthorized,
)
from handfast.errors import DriverError

IGNORED_HANDOFF: Final = "Multiple handoffs detected, ignoring this one."


def calls_of(items: Sequence[Item]) -> list[Call]:
    """The calls of an answer, in order.

    Raises:
        DriverError: Two of them share an id, or one has none.
    """
    calls = [item for item in items if isinstance(item, Call)]
    ids = {call.call_id for call in calls}
    if "" in ids or len(ids) != len(calls):
        raise DriverError("The calls of an answer need ids that are not empty and not equal.")
    return calls


def returning_slots(calls: Sequence[Call]) -> tuple[Slot, ...]:
    """Calls whose handoffs all run and come back, as agents used as tools do."""
    return tuple(
        Unauthorized(replace(call, kind="agent") if call.kind == "handoff" else call)
        for call in calls
    )


def fresh_slots(calls: Sequence[Call]) -> tuple[Slot, ...]:
    """Calls before anything happened to them; of several handoffs only the first is one."""
    handed_over = False
    slots: list[Slot] = []
    for call in calls:
        if call.kind == "handoff" and handed_over:
            slots.append(Settled(call, _ignored(call)))
            continue
        handed_over = handed_over or call.kind == "handoff"
        slots.append(Unauthorized(call))
    return tuple(slots)


def _ignored(call: Call) -> Result:
    raw = {
        "type": "function_call_output",
        "call_id": call.call_id,
        "output": IGNORED_HANDOFF,
    }
    return Result(call.call_id, raw, call.agent, IGNORED_HANDOFF, failed=True)


def slot_effect(turn: int, agent: str, n: int, slot: Slot) -> Effect | None:
    """What a call waits for; None for one that waits for the rest of its turn.

    Args:
        turn: The turn.
        agent: The agent whose call it is.
        n: The call's place in the answer.
        slot: Where the call stands.
    """
    match slot:
        case Unauthorized(call):
            return Authorize(f"{turn}.authorize.{n}", agent, call)
        case Unapproved(call, reason):
            return AskApproval(f"{turn}.approval.{n}", agent, call, reason)
        case Running(call, child):
            if call.kind == "agent":
                return RunAgent(f"{turn}.agent.{n}", agent, call, child)
            return CallTool(f"{turn}.tool.{n}", agent, call)
        case Paused(call, child):
            return RunAgent(f"{turn}.agent.{n}", agent, call, child)
        case Held() | Settled():
            return None


def move_slot(slot: Slot, outcome: Outcome) -> Slot | None:
    """Where a call stands after an outcome; None where it did not wait for that.

    Raises:
        DriverError: The outcome's result answers another call.
    """
    call = slot.call
    match slot, outcome:
        case Unauthorized(), out.Allowed():
            return _freed(call)
        case Unauthorized(), out.ApprovalNeeded(_, reason):
            return Unapproved(call, reason)
        case Unapproved(), out.Approved():
            return _freed(call)
        case (Unauthorized(), out.Denied(_, result)) | (Unapproved(), out.Rejected(_, result)):
            return settled(call, result)
        case ((Running() | Paused()), out.ToolReturned(_, result)):
            return settled(call, result)
        case ((Running() | Paused()), out.AgentPaused(_, child)) if call.kind == "agent":
            return Paused(call, child)
        case _:
            return None


def _freed(call: Call) -> Slot:
    return Held(call) if call.kind == "handoff" else Running(call)


def settled(call: Call, result: Result) -> Settled:
    """A call with its answer.

    Raises:
        DriverError: The result answers another call.
    """
    if result.call_id != call.call_id:
        raise DriverError(f"The result answers {result.call_id!r}, not {call.call_id!r}.")
    return Settled(call, result)
