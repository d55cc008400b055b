from __future__ import annotations

import pytest

from handfast.core.effects import Authorize, CallModel, CallTool, CheckOutput, InvokeHandoff
from handfast.core.items import Call, CallKind, Item, Message, Reasoning, Result
from handfast.core.log import Log
from handfast.core.outcomes import (
    Allowed,
    Cancelled,
    Failed,
    ModelAnswered,
    OutputTripped,
    OutputUnchecked,
    ToolReturned,
)
from handfast.core.state import Failure, Offer, Stopped
from handfast.core.unfinished import finished
from handfast.testing import Playbook

BOOM = Failure("tool", "Boom", "boom")
OFFER = Offer()


def call(call_id: str, kind: CallKind = "function") -> Call:
    return Call(call_id, "t", "{}", {}, "a", kind)


def thought(n: int) -> Reasoning:
    return Reasoning({"n": n}, "a")


def said(text: str) -> Message:
    return Message("assistant", text, {}, "a")


def result(call_id: str) -> Result:
    return Result(call_id, {}, "a", call_id)


def acting(*answer: Item, offer: Offer = OFFER) -> tuple[Playbook, tuple[CallTool, ...]]:
    """A run in which the calls of an answer run."""
    book = Playbook.start("a")
    (ask,) = book.asks(CallModel)
    book.give(ModelAnswered(ask.id, answer, offer))
    tools: list[CallTool] = []
    for authorize in book.asks(*[Authorize] * sum(isinstance(each, Call) for each in answer)):
        book.give(Allowed(authorize.id))
        tools += book.asks(CallTool)
    return book, tuple(tools)


def test_finished_calls_stay_with_their_reasoning_and_nothing_else_does() -> None:
    turn: list[Item] = [
        thought(1),
        said("I look."),
        thought(2),
        thought(3),
        call("c1"),
        thought(4),
        call("c2"),
        thought(5),
        result("c1"),
    ]
    assert finished(turn) == (thought(2), thought(3), call("c1"), result("c1"))


def test_input_that_came_late_stays() -> None:
    late = Message("user", "and this", {})
    assert finished([late, said("hm"), call("c1")]) == (late,)


def test_a_sibling_that_fails_takes_no_finished_call_along() -> None:
    book, (first, second) = acting(thought(1), call("c1"), thought(2), call("c2"))
    book.give(ToolReturned(second.id, result("c2"))).asks()
    book.give(Failed(first.id, BOOM)).asks()
    assert book.state.phase == Stopped(BOOM, stays=3)
    assert book.state.items == Log([thought(2), call("c2"), result("c2")])
    assert book.state.seen is book.state.items


def test_a_call_that_failed_after_its_answer_keeps_the_answer() -> None:
    book, (first,) = acting(call("c1"))
    book.give(Failed(first.id, BOOM, result("c1"))).asks()
    assert book.state.items == Log([call("c1"), result("c1")])


def test_results_that_checks_are_to_see_first_do_not_stay() -> None:
    offer = Offer(judges_tools=True, withholds=True)
    book, (first, second) = acting(call("c1"), call("c2"), offer=offer)
    book.give(ToolReturned(second.id, result("c2"))).asks()
    book.give(Failed(first.id, BOOM)).asks()
    assert book.state.phase == Stopped(BOOM)
    assert book.state.items == Log()


def test_a_handoff_that_fails_goes_and_the_tools_beside_it_stay() -> None:
    book = Playbook.start("a")
    (ask,) = book.asks(CallModel)
    book.give(ModelAnswered(ask.id, (call("c1"), call("h1", "handoff")), Offer()))
    tool, over = book.asks(Authorize, Authorize)
    (run,) = book.give(Allowed(tool.id)).asks(CallTool)
    book.give(Allowed(over.id)).asks()
    book.give(ToolReturned(run.id, result("c1")))
    (invoke,) = book.asks(InvokeHandoff)
    book.give(Failed(invoke.id, BOOM)).asks()
    assert book.state.items == Log([call("c1"), result("c1")])


@pytest.mark.parametrize(
    ("outcome", "stays"),
    [
        (OutputUnchecked("1.check_output.0", BOOM), 1),
        (Cancelled(), 1),
        (OutputTripped("1.check_output.0", (), BOOM), 0),
        (Failed("1.check_output.0", BOOM), 0),
    ],
)
def test_an_answer_that_nobody_refused_is_for_sessions(
    outcome: OutputUnchecked | Cancelled | OutputTripped | Failed,
    stays: int,
) -> None:
    book = Playbook.start("a")
    (ask,) = book.asks(CallModel)
    book.give(ModelAnswered(ask.id, (said("hi"),), Offer()))
    book.asks(CheckOutput)
    book.give(outcome).asks()
    assert isinstance(book.state.phase, Stopped)
    assert book.state.phase.stays == stays
    assert book.state.items == Log([said("hi")])
