from __future__ import annotations

import pytest

from handfast.core.effects import Authorize, CallModel, CallTool, CheckOutput, Recover, RunAgent
from handfast.core.items import Call, CallKind, Message, Result
from handfast.core.outcomes import (
    Allowed,
    Failed,
    ModelAnswered,
    NotRecovered,
    OutputAccepted,
    OutputDeclined,
    Recovered,
    ToolReturned,
)
from handfast.core.state import Done, Failure, Offer, Rules, Stopped
from handfast.core.usage import Limits
from handfast.testing import Playbook


def call(call_id: str, kind: CallKind = "function") -> Call:
    return Call(call_id, "t", "{}", {}, "a", kind)


def said(text: str) -> Message:
    return Message("assistant", text, {}, "a")


def one_turn(book: Playbook, call_id: str) -> None:
    (ask,) = book.asks(CallModel)
    book.give(ModelAnswered(ask.id, (call(call_id),), Offer()))
    (authorize,) = book.asks(Authorize)
    book.give(Allowed(authorize.id))
    (tool,) = book.asks(CallTool)
    book.give(ToolReturned(tool.id, Result(call_id, {})))


def test_the_users_code_may_give_an_output_in_place_of_a_failure() -> None:
    rules = Rules(recovers=frozenset({"MaxTurnsExceeded"}))
    book = Playbook.start("a", limits=Limits(max_turns=1), rules=rules)
    one_turn(book, "c1")
    (recover,) = book.asks(Recover)
    assert recover.failure.name == "MaxTurnsExceeded"
    book.give(Recovered(recover.id, "fallback", (said("fallback"),)))
    (check,) = book.asks(CheckOutput)
    assert check.value == "fallback"
    assert check.from_tool
    book.give(OutputAccepted(check.id, "fallback")).asks()
    assert book.state.phase == Done("fallback")
    assert book.state.items[-1] == said("fallback")


def test_the_users_code_may_let_the_failure_stand() -> None:
    failure = Failure("model", "ModelRefusalError", "no")
    book = Playbook.start("a", rules=Rules(recovers=frozenset({"ModelRefusalError"})))
    (ask,) = book.asks(CallModel)
    book.give(Failed(ask.id, failure))
    (recover,) = book.asks(Recover)
    book.give(NotRecovered(recover.id)).asks()
    assert book.state.phase == Stopped(failure)


@pytest.mark.parametrize("recovers", [False, True])
def test_an_answer_that_is_no_output_is_asked_for_again_unless_the_users_code_gives_one(
    recovers: bool,  # noqa: FBT001 - a parameter of pytest
) -> None:
    failure = Failure("model", "InvalidFinalOutputError", "empty")
    book = Playbook.start("a", rules=Rules(recovers=frozenset({"InvalidFinalOutputError"})))
    (ask,) = book.asks(CallModel)
    book.give(ModelAnswered(ask.id, (said(""),), Offer()))
    (check,) = book.asks(CheckOutput)
    book.give(OutputDeclined(check.id, failure=failure))
    (recover,) = book.asks(Recover)
    if recovers:
        book.give(Recovered(recover.id, "fallback")).asks(CheckOutput)
    else:
        book.give(NotRecovered(recover.id)).asks(CallModel)


def test_code_that_fails_to_recover_ends_the_run_with_its_own_failure() -> None:
    failure = Failure("model", "ModelRefusalError", "no")
    book = Playbook.start("a", rules=Rules(recovers=frozenset({"ModelRefusalError"})))
    (ask,) = book.asks(CallModel)
    book.give(Failed(ask.id, failure))
    (recover,) = book.asks(Recover)
    book.give(Failed(recover.id, failure)).asks()
    assert book.state.phase == Stopped(failure)


def test_a_failure_without_a_handler_ends_the_run() -> None:
    book = Playbook.start("a", rules=Rules(recovers=frozenset({"MaxTurnsExceeded"})))
    (ask,) = book.asks(CallModel)
    failure = Failure("user", "ValueError", "x")
    book.give(Failed(ask.id, failure)).asks()
    assert book.state.phase == Stopped(failure)


def test_a_last_answer_is_asked_for_without_tools() -> None:
    book = Playbook.start("a", limits=Limits(max_turns=1), rules=Rules(last_answer=True))
    one_turn(book, "c1")
    (ask,) = book.asks(CallModel)
    assert ask.tools_off
    book.give(ModelAnswered(ask.id, (said("all I know"),), Offer()))
    (check,) = book.asks(CheckOutput)
    book.give(OutputAccepted(check.id, check.text)).asks()
    assert book.state.phase == Done("all I know")
    assert book.state.turn == 2


def test_a_last_answer_with_calls_in_it_is_none() -> None:
    book = Playbook.start("a", limits=Limits(max_turns=1), rules=Rules(last_answer=True))
    one_turn(book, "c1")
    (ask,) = book.asks(CallModel)
    book.give(ModelAnswered(ask.id, (call("c2"),), Offer())).asks()
    assert isinstance(book.state.phase, Stopped)
    assert book.state.phase.failure.name == "MaxTurnsExceeded"


@pytest.mark.parametrize("turns", [0, -1])
def test_a_run_without_any_turn_has_no_last_answer(turns: int) -> None:
    book = Playbook.start("a", limits=Limits(max_turns=turns), rules=Rules(last_answer=True))
    book.asks()
    assert isinstance(book.state.phase, Stopped)


def test_several_handoffs_can_be_an_error() -> None:
    book = Playbook.start("a", rules=Rules(handoffs="error"))
    (ask,) = book.asks(CallModel)
    answer = (call("h1", "handoff"), call("h2", "handoff"))
    book.give(ModelAnswered(ask.id, answer, Offer())).asks()
    assert isinstance(book.state.phase, Stopped)
    assert "Several handoffs" in book.state.phase.failure.message


def test_several_handoffs_can_all_run_and_come_back() -> None:
    book = Playbook.start("a", rules=Rules(handoffs="all"))
    (ask,) = book.asks(CallModel)
    answer = (call("h1", "handoff"), call("h2", "handoff"))
    book.give(ModelAnswered(ask.id, answer, Offer()))
    one, two = book.asks(Authorize, Authorize)
    book.give(Allowed(one.id)).asks(RunAgent)
    book.give(Allowed(two.id)).asks(RunAgent)
    book.give(ToolReturned("1.agent.1", Result("h2", {}, value="two"))).asks()
    book.give(ToolReturned("1.agent.0", Result("h1", {}, value="one")))
    (again,) = book.asks(CallModel)
    assert again.agent == "a"
    assert [getattr(item, "value", None) for item in again.seen[2:]] == ["one", "two"]
