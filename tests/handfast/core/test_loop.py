from __future__ import annotations

import pytest

from handfast.core.calls import IGNORED_HANDOFF
from handfast.core.effects import (
    AskApproval,
    Authorize,
    CallModel,
    CallTool,
    CheckInput,
    CheckOutput,
    ConcludeTools,
    FilterHandoff,
    InvokeHandoff,
    RunAgent,
)
from handfast.core.items import Call, CallKind, HandoffResult, Item, Message, Result
from handfast.core.log import Log
from handfast.core.loop import open_effects
from handfast.core.outcomes import (
    AgentPaused,
    Allowed,
    ApprovalNeeded,
    Approved,
    Cancelled,
    Denied,
    Failed,
    HandoffDeclined,
    HandoffFiltered,
    HandoffInvoked,
    InputPassed,
    InputTripped,
    ModelAnswered,
    OutputAccepted,
    OutputDeclined,
    OutputTripped,
    Rejected,
    ToolReturned,
    ToolsConcluded,
)
from handfast.core.state import (
    Acting,
    Done,
    Failure,
    Offer,
    Stopped,
    Unauthorized,
    Verdict,
    is_over,
    waits_for_person,
)
from handfast.core.usage import Limits, Spend
from handfast.errors import DriverError
from handfast.testing.playbook import Playbook

OFFER = Offer()
TRIP = Failure("guardrail", "InputGuardrailTripwireTriggered", "no")


def said(text: str, agent: str = "a") -> Message:
    return Message("assistant", text, {"text": text}, agent)


def call(call_id: str, name: str = "tool", kind: CallKind = "function") -> Call:
    return Call(call_id, name, "{}", {"call_id": call_id}, "a", kind)


def result(call_id: str, value: object = "ok") -> Result:
    return Result(call_id, {"call_id": call_id}, "a", value)


def answered(book: Playbook, *items: Item, offer: Offer = OFFER) -> None:
    (ask,) = book.asks(CallModel)
    book.give(ModelAnswered(ask.id, items, offer))


def freed(book: Playbook, count: int) -> None:
    """Allow every call of the turn and leave the tools' effects to be named."""
    asked = book.asks(*[Authorize] * count)
    started: list[object] = []
    for effect in asked:
        book.give(Allowed(effect.id))
        started.extend(book.asked)
        book.asked = ()
    book.asked = tuple(e for e in open_effects(book.state) if e in started)


def finished(book: Playbook, value: object = None) -> None:
    (check,) = book.asks(CheckOutput)
    book.give(OutputAccepted(check.id, check.text if value is None else value))
    book.asks()


def test_text_without_calls_is_the_output(question: Message) -> None:
    book = Playbook.start("a", [question])
    answered(book, said("hi"))
    finished(book)
    assert book.state.phase == Done("hi")
    assert list(book.state.items) == [said("hi")]
    assert book.state.turn == 1


def test_the_last_message_of_an_answer_is_the_candidate() -> None:
    book = Playbook.start("a")
    answered(book, said("first"), said("second"))
    (check,) = book.asks(CheckOutput)
    assert check.text == "second"
    assert check.fresh == (said("first"), said("second"))


def test_an_answer_without_a_message_is_judged_as_empty_text() -> None:
    book = Playbook.start("a")
    answered(book)
    (check,) = book.asks(CheckOutput)
    assert check.text == ""
    book.give(OutputDeclined(check.id))
    book.asks(CallModel)
    assert book.state.turn == 2


def test_an_answer_that_only_repeats_calls_is_no_output() -> None:
    book = Playbook.start("a")
    (ask,) = book.asks(CallModel)
    book.give(ModelAnswered(ask.id, (said("again"),), OFFER, repeated=True))
    (ask,) = book.asks(CallModel)
    assert list(ask.seen) == [said("again")]
    book.give(ModelAnswered(ask.id, (call("c1"),), OFFER, repeated=True)).asks(Authorize)


def test_a_declined_output_leaves_its_note_for_the_next_turn() -> None:
    book = Playbook.start("a")
    answered(book, said("not json"))
    (check,) = book.asks(CheckOutput)
    note = Message("user", "Answer as JSON.", {})
    book.give(OutputDeclined(check.id, (note,)))
    (ask,) = book.asks(CallModel)
    assert list(ask.seen) == [said("not json"), note]


def test_a_tripped_output_check_stops_the_run_and_keeps_its_verdicts() -> None:
    book = Playbook.start("a")
    answered(book, said("secret"))
    (check,) = book.asks(CheckOutput)
    verdicts = (Verdict("no_secrets", tripped=True),)
    book.give(OutputTripped(check.id, verdicts, TRIP)).asks()
    assert book.state.phase == Stopped(TRIP)
    assert book.state.output_verdicts == verdicts


def test_checks_before_the_model_pass_first() -> None:
    book = Playbook.start("a", checks_before=True)
    (check,) = book.asks(CheckInput)
    assert check.blocking
    assert book.state.turn == 0
    book.give(InputPassed(check.id, (Verdict("v", tripped=False),)))
    book.asks(CallModel)
    assert book.state.input_verdicts == (Verdict("v", tripped=False),)


def test_a_tripped_check_before_the_model_means_that_it_is_never_called() -> None:
    book = Playbook.start("a", checks_before=True)
    (check,) = book.asks(CheckInput)
    book.give(InputTripped(check.id, (), TRIP)).asks()
    assert book.state.phase == Stopped(TRIP)
    assert book.state.turn == 0


def test_an_answer_waits_for_the_checks_beside_it() -> None:
    book = Playbook.start("a", checks_beside=True)
    check, ask = book.asks(CheckInput, CallModel)
    book.give(ModelAnswered(ask.id, (call("c1"),), OFFER, Spend(requests=1))).asks()
    assert book.state.spend.requests == 1
    book.give(InputPassed(check.id))
    book.asks(Authorize)


def test_no_call_is_authorised_when_a_check_beside_the_model_trips() -> None:
    book = Playbook.start("a", checks_beside=True)
    check, ask = book.asks(CheckInput, CallModel)
    book.give(ModelAnswered(ask.id, (call("c1"),), OFFER)).asks()
    book.give(InputTripped(check.id, (), TRIP)).asks()
    assert book.state.phase == Stopped(TRIP)
    assert not book.state.items


def test_checks_that_pass_before_the_answer_leave_the_model_open() -> None:
    book = Playbook.start("a", checks_beside=True)
    check, ask = book.asks(CheckInput, CallModel)
    book.give(InputPassed(check.id)).asks()
    book.give(ModelAnswered(ask.id, (said("hi"),), OFFER))
    finished(book)


def test_checks_run_beside_the_first_turn_only() -> None:
    book = Playbook.start("a", checks_beside=True)
    check, ask = book.asks(CheckInput, CallModel)
    book.give(InputPassed(check.id)).asks()
    book.give(ModelAnswered(ask.id, (call("c1"),), OFFER))
    freed(book, 1)
    (tool,) = book.asks(CallTool)
    book.give(ToolReturned(tool.id, result("c1")))
    book.asks(CallModel)


def test_results_enter_in_call_order_whatever_finishes_first() -> None:
    book = Playbook.start("a")
    answered(book, call("c1"), call("c2"), call("c3"))
    freed(book, 3)
    first, second, third = book.asks(CallTool, CallTool, CallTool)
    book.give(ToolReturned(third.id, result("c3"))).asks()
    book.give(ToolReturned(first.id, result("c1"))).asks()
    assert len(book.state.items) == 3
    book.give(ToolReturned(second.id, result("c2")))
    (ask,) = book.asks(CallModel)
    assert ask.seen[3:] == (result("c1"), result("c2"), result("c3"))
    assert ask.tools_used


def test_a_denied_call_is_answered_and_never_runs() -> None:
    book = Playbook.start("a")
    answered(book, call("c1"))
    (ask,) = book.asks(Authorize)
    book.give(Denied(ask.id, result("c1", "refused")))
    (again,) = book.asks(CallModel)
    assert again.seen[1] == result("c1", "refused")


def test_a_person_decides_what_the_boundary_sent_there() -> None:
    book = Playbook.start("a")
    answered(book, call("c1"), call("c2"))
    one, two = book.asks(Authorize, Authorize)
    book.give(ApprovalNeeded(one.id, "costs money")).asks(AskApproval)
    book.give(ApprovalNeeded(two.id, "costs money")).asks(AskApproval)
    assert waits_for_person(book.state)
    book.give(Approved("1.approval.0")).asks(CallTool)
    assert not waits_for_person(book.state)
    book.give(Rejected("1.approval.1", result("c2", "no"))).asks()
    book.give(ToolReturned("1.tool.0", result("c1")))
    (ask,) = book.asks(CallModel)
    assert ask.seen[2:] == (result("c1"), result("c2", "no"))


def test_the_boundarys_yes_is_not_a_persons_yes() -> None:
    book = Playbook.start("a")
    answered(book, call("c1"))
    (ask,) = book.asks(Authorize)
    with pytest.raises(DriverError):
        book.give(Approved(ask.id))
    book.give(ApprovalNeeded(ask.id, "why"))
    (person,) = book.asks(AskApproval)
    with pytest.raises(DriverError):
        book.give(Allowed(person.id))


def test_a_call_that_was_not_freed_cannot_return() -> None:
    book = Playbook.start("a")
    answered(book, call("c1"))
    book.asks(Authorize)
    with pytest.raises(DriverError):
        book.give(ToolReturned("1.tool.0", result("c1")))
    assert isinstance(book.state.phase, Acting)
    assert book.state.phase.slots == (Unauthorized(call("c1")),)


def test_an_answer_to_another_call_is_refused() -> None:
    book = Playbook.start("a")
    answered(book, call("c1"))
    freed(book, 1)
    (tool,) = book.asks(CallTool)
    with pytest.raises(DriverError, match="c2"):
        book.give(ToolReturned(tool.id, result("c2")))


@pytest.mark.parametrize("ids", [("",), ("c", "c")])
def test_calls_need_ids_that_are_not_empty_and_not_equal(ids: tuple[str, ...]) -> None:
    book = Playbook.start("a")
    (ask,) = book.asks(CallModel)
    with pytest.raises(DriverError, match="ids"):
        book.give(ModelAnswered(ask.id, tuple(call(i) for i in ids), OFFER))


def test_an_agent_as_a_tool_pauses_its_parent_and_goes_on_with_its_own_state() -> None:
    child = Playbook.start("helper").state
    book = Playbook.start("a")
    answered(book, call("c1", kind="agent"))
    freed(book, 1)
    (run,) = book.asks(RunAgent)
    assert run.child is None
    book.give(AgentPaused(run.id, child)).asks()
    assert waits_for_person(book.state)
    resumed = Playbook.resume(book.state)
    (again,) = resumed.asks(RunAgent)
    assert again.child == child
    resumed.give(ToolReturned(again.id, result("c1"), Spend(requests=3)))
    resumed.asks(CallModel)
    assert resumed.state.spend.requests == 3


def test_only_an_agent_can_pause() -> None:
    book = Playbook.start("a")
    answered(book, call("c1"))
    freed(book, 1)
    (tool,) = book.asks(CallTool)
    with pytest.raises(DriverError):
        book.give(AgentPaused(tool.id, book.state))


def test_an_agent_may_take_its_tools_results_as_the_output() -> None:
    book = Playbook.start("a")
    answered(book, call("c1"), offer=Offer(judges_tools=True))
    freed(book, 1)
    (tool,) = book.asks(CallTool)
    book.give(ToolReturned(tool.id, result("c1", 42)))
    (conclude,) = book.asks(ConcludeTools)
    assert conclude.results == ((call("c1"), result("c1", 42)),)
    book.give(ToolsConcluded(conclude.id, final=True, value=42))
    (check,) = book.asks(CheckOutput)
    assert check.from_tool
    book.give(OutputAccepted(check.id, 42)).asks()
    assert book.state.phase == Done(42)


def test_an_agent_may_go_on_after_its_tools() -> None:
    book = Playbook.start("a")
    answered(book, call("c1"), offer=Offer(judges_tools=True))
    freed(book, 1)
    (tool,) = book.asks(CallTool)
    book.give(ToolReturned(tool.id, result("c1")))
    (conclude,) = book.asks(ConcludeTools)
    book.give(ToolsConcluded(conclude.id, final=False))
    book.asks(CallModel)


def handed(book: Playbook, *, filtered: bool = False) -> HandoffResult:
    (invoke,) = book.asks(InvokeHandoff)
    answer = HandoffResult(invoke.call.call_id, {}, "a", "b")
    book.give(HandoffInvoked(invoke.id, answer, filtered))
    return answer


def test_a_handoff_changes_the_agent_and_shows_it_everything(question: Message) -> None:
    book = Playbook.start("a", [question])
    answered(book, call("h1", kind="handoff"))
    (authorize,) = book.asks(Authorize)
    book.give(Allowed(authorize.id))
    answer = handed(book)
    (ask,) = book.asks(CallModel)
    assert ask.agent == "b"
    assert not ask.tools_used
    assert list(ask.input) == [question]
    assert list(ask.seen) == [call("h1", kind="handoff"), answer]


def test_tools_run_before_the_handoff_whatever_the_order_of_the_answer() -> None:
    book = Playbook.start("a")
    answered(book, call("h1", kind="handoff"), call("c1"), call("h2", kind="handoff"))
    one, two = book.asks(Authorize, Authorize)
    book.give(Allowed(one.id)).asks()
    book.give(Allowed(two.id))
    (tool,) = book.asks(CallTool)
    book.give(ToolReturned(tool.id, result("c1")))
    answer = handed(book)
    (ask,) = book.asks(CallModel)
    told = ask.seen[3:]
    assert [getattr(item, "value", None) for item in told[:2]] == ["ok", IGNORED_HANDOFF]
    assert told[2] == answer


def test_a_declined_handoff_is_answered_and_the_agent_stays() -> None:
    book = Playbook.start("a")
    answered(book, call("h1", kind="handoff"))
    (authorize,) = book.asks(Authorize)
    book.give(Allowed(authorize.id))
    (invoke,) = book.asks(InvokeHandoff)
    book.give(HandoffDeclined(invoke.id, result("h1", "bad JSON")))
    (ask,) = book.asks(CallModel)
    assert ask.agent == "a"
    assert ask.seen[1] == result("h1", "bad JSON")


def test_a_filter_decides_what_the_receiver_sees_and_what_is_kept(question: Message) -> None:
    book = Playbook.start("a", [question])
    answered(book, call("c1"))
    freed(book, 1)
    (tool,) = book.asks(CallTool)
    book.give(ToolReturned(tool.id, result("c1")))
    answered(book, said("over to b"), call("h1", kind="handoff"))
    (authorize,) = book.asks(Authorize)
    book.give(Allowed(authorize.id))
    answer = handed(book, filtered=True)
    (ask,) = book.asks(FilterHandoff)
    assert ask.earlier == (call("c1"), result("c1"))
    assert ask.fresh == (said("over to b"), call("h1", kind="handoff"), answer)
    summary = Message("user", "summary", {})
    book.give(HandoffFiltered(ask.id, (summary,), (), ask.fresh, (said("over to b"),)))
    (model,) = book.asks(CallModel)
    assert list(model.input) == [summary]
    assert list(model.seen) == [said("over to b")]
    assert list(book.state.items) == [call("c1"), result("c1"), *ask.fresh]
    book.give(ModelAnswered(model.id, (said("bye", "b"),), OFFER))
    assert list(book.state.seen) == [said("over to b"), said("bye", "b")]
    assert book.state.items[-1] == said("bye", "b")


def test_what_a_filter_drops_from_the_turn_is_dropped_from_the_record() -> None:
    book = Playbook.start("a")
    answered(book, said("over to b"), call("h1", kind="handoff"))
    (authorize,) = book.asks(Authorize)
    book.give(Allowed(authorize.id))
    handed(book, filtered=True)
    (ask,) = book.asks(FilterHandoff)
    book.give(HandoffFiltered(ask.id, (), (), (said("over to b"),)))
    assert list(book.state.items) == [said("over to b")]


@pytest.mark.parametrize("limit", [0, -1, 1, 3])
def test_max_turns_counts_model_calls_exactly(limit: int) -> None:
    book = Playbook.start("a", limits=Limits(max_turns=limit))
    for n in range(max(limit, 0)):
        answered(book, call(f"c{n}"))
        freed(book, 1)
        (tool,) = book.asks(CallTool)
        book.give(ToolReturned(tool.id, result(f"c{n}")))
    book.asks()
    phase = book.state.phase
    assert isinstance(phase, Stopped)
    assert (phase.failure.name, phase.failure.message) == (
        "MaxTurnsExceeded",
        f"Max turns ({limit}) exceeded",
    )
    assert book.state.turn == max(limit, 0)


def test_an_output_in_the_last_turn_is_no_excess() -> None:
    book = Playbook.start("a", limits=Limits(max_turns=1))
    answered(book, said("hi"))
    finished(book)
    assert book.state.phase == Done("hi")


def test_no_limit_means_no_limit() -> None:
    book = Playbook.start("a", limits=Limits(max_turns=None, max_calls=None, max_tokens=None))
    for n in range(30):
        answered(book, call(f"c{n}"))
        freed(book, 1)
        (tool,) = book.asks(CallTool)
        book.give(ToolReturned(tool.id, result(f"c{n}")))
    book.asks(CallModel)


def test_a_token_budget_ends_the_run_before_the_next_call() -> None:
    book = Playbook.start("a", limits=Limits(max_tokens=10))
    (ask,) = book.asks(CallModel)
    book.give(ModelAnswered(ask.id, (call("c1"),), OFFER, Spend(total_tokens=10)))
    freed(book, 1)
    (tool,) = book.asks(CallTool)
    book.give(ToolReturned(tool.id, result("c1"))).asks()
    assert isinstance(book.state.phase, Stopped)
    assert book.state.phase.failure.fault == "limit"
    assert len(book.state.items) == 2


def test_a_call_budget_ends_the_run_before_any_of_the_calls() -> None:
    book = Playbook.start("a", limits=Limits(max_calls=1))
    answered(book, call("c1"), call("c2"))
    book.asks()
    assert isinstance(book.state.phase, Stopped)
    assert "1" in book.state.phase.failure.message


def test_a_failed_effect_stops_the_run_and_keeps_the_answers_that_are_there() -> None:
    book = Playbook.start("a")
    answered(book, call("c1"), call("c2"))
    freed(book, 2)
    first, second = book.asks(CallTool, CallTool)
    book.give(ToolReturned(second.id, result("c2"))).asks()
    failure = Failure("tool", "UserError", "boom")
    book.give(Failed(first.id, failure)).asks()
    assert book.state.phase == Stopped(failure, stays=2)
    assert book.state.items == Log([call("c2"), result("c2")])


def test_a_run_can_be_cancelled_at_any_time_but_once() -> None:
    book = Playbook.start("a")
    book.asks(CallModel)
    book.give(Cancelled()).asks()
    assert is_over(book.state)
    with pytest.raises(DriverError, match="over"):
        book.give(Cancelled())


def test_an_outcome_for_another_effect_is_the_drivers_bug() -> None:
    book = Playbook.start("a")
    book.asks(CallModel)
    with pytest.raises(DriverError):
        book.give(ModelAnswered("7.model.0", (), OFFER))
    with pytest.raises(DriverError):
        book.give(Failed("7.model.0", TRIP))
