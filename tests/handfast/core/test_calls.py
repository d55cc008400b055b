from __future__ import annotations

import itertools

import pytest

from handfast.core.calls import (
    IGNORED_HANDOFF,
    calls_of,
    fresh_slots,
    move_slot,
    returning_slots,
    settled,
    slot_effect,
)
from handfast.core.effects import AskApproval, Authorize, CallTool, RunAgent
from handfast.core.items import Call, CallKind, Message, Result
from handfast.core.loop import start
from handfast.core.outcomes import (
    AgentPaused,
    Allowed,
    ApprovalNeeded,
    Approved,
    Denied,
    Outcome,
    Rejected,
    ToolReturned,
)
from handfast.core.state import Held, Paused, Running, Settled, Slot, Unapproved, Unauthorized
from handfast.errors import DriverError


def call(call_id: str = "c", kind: CallKind = "function") -> Call:
    return Call(call_id, "t", "{}", {}, "a", kind)


ANSWER = Result("c", {})
CHILD = start("child", [])[0]
OUTCOMES: list[Outcome] = [
    Allowed("e"),
    ApprovalNeeded("e", "why"),
    Approved("e"),
    Denied("e", ANSWER),
    Rejected("e", ANSWER),
    ToolReturned("e", ANSWER),
    AgentPaused("e", CHILD),
]


def unapproved(held: Call) -> Slot:
    return Unapproved(held, "why")


def test_only_these_steps_exist() -> None:
    tool, agent, handoff = call(), call(kind="agent"), call(kind="handoff")
    slots: list[Slot] = [
        make(each)
        for each in (tool, agent, handoff)
        for make in (Unauthorized, Running, Held, unapproved)
    ]
    slots.extend([Paused(agent, CHILD), Settled(tool, ANSWER)])
    taken = {
        (type(slot), type(outcome), type(after))
        for slot, outcome in itertools.product(slots, OUTCOMES)
        if (after := move_slot(slot, outcome)) is not None
    }
    assert taken == {
        (Unauthorized, Allowed, Running),
        (Unauthorized, Allowed, Held),
        (Unauthorized, ApprovalNeeded, Unapproved),
        (Unauthorized, Denied, Settled),
        (Unapproved, Approved, Running),
        (Unapproved, Approved, Held),
        (Unapproved, Rejected, Settled),
        (Running, ToolReturned, Settled),
        (Running, AgentPaused, Paused),
        (Paused, ToolReturned, Settled),
        (Paused, AgentPaused, Paused),
    }


@pytest.mark.parametrize(
    ("slot", "kind"),
    [
        (Unauthorized(call()), Authorize),
        (Unapproved(call(), "why"), AskApproval),
        (Running(call()), CallTool),
        (Running(call(kind="unknown")), CallTool),
        (Running(call(kind="agent")), RunAgent),
        (Paused(call(kind="agent"), CHILD), RunAgent),
        (Held(call(kind="handoff")), type(None)),
        (Settled(call(), ANSWER), type(None)),
    ],
)
def test_where_a_call_stands_says_what_it_waits_for(slot: Slot, kind: type) -> None:
    assert type(slot_effect(1, "a", 0, slot)) is kind


def test_of_several_handoffs_the_first_is_one() -> None:
    first, tool, second = call("h1", "handoff"), call("c"), call("h2", "handoff")
    slots = fresh_slots([first, tool, second])
    assert slots[:2] == (Unauthorized(first), Unauthorized(tool))
    assert isinstance(slots[2], Settled)
    assert slots[2].result.value == IGNORED_HANDOFF


def test_handoffs_that_come_back_are_agents_used_as_tools() -> None:
    slots = returning_slots([call("h1", "handoff"), call("c"), call("h2", "handoff")])
    assert [slot.call.kind for slot in slots] == ["agent", "function", "agent"]


def test_calls_need_ids_of_their_own() -> None:
    assert calls_of([Message("assistant", "x", {}), call("c")]) == [call("c")]
    for ids in (("",), ("c", "c")):
        calls = [call(each) for each in ids]
        with pytest.raises(DriverError):
            calls_of(calls)


def test_an_answer_belongs_to_its_call() -> None:
    with pytest.raises(DriverError):
        settled(call("other"), ANSWER)
