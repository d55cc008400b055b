from __future__ import annotations

import json

import pytest

from handfast.agents.approval import Approvals, Decision
from handfast.errors import UserError

YES = Decision("pay", "c1", approved=True, agent="A", arguments='{"to": "Ada"}')
NO = Decision("pay", "c2", approved=False, agent="A", message="too much")


def approvals(*decisions: Decision) -> Approvals:
    made = Approvals()
    for each in decisions:
        made.record(each)
    return made


def test_nothing_is_decided_at_first() -> None:
    assert approvals().decision_for("pay", "c1") is None


def test_a_decision_holds_for_its_call_alone() -> None:
    made = approvals(YES, NO)
    assert made.decision_for("pay", "c1") is YES
    assert made.decision_for("pay", "c2") is NO
    assert made.decision_for("pay", "c3") is None
    assert made.decision_for("refund", "c1") is None


def test_a_decision_holds_for_the_arguments_that_were_shown() -> None:
    made = approvals(YES)
    assert made.decision_for("pay", "c1", arguments='{"to": "Ada"}') is YES
    assert made.decision_for("pay", "c1", arguments='{"to": "Eve"}') is None


def test_a_decision_holds_for_the_agent_it_was_made_for() -> None:
    made = approvals(YES, Decision("pay", "c9", approved=True))
    assert made.decision_for("pay", "c1", agent="A") is YES
    assert made.decision_for("pay", "c1", agent="B") is None
    assert made.decision_for("pay", "c9", agent="B") is not None


def test_a_later_decision_about_the_same_call_replaces_the_first() -> None:
    changed = Decision("pay", "c1", approved=False, agent="A")
    assert approvals(YES, changed).decision_for("pay", "c1") is changed


def test_a_decision_about_a_tool_holds_for_all_its_calls_by_that_agent() -> None:
    always = Decision("pay", None, approved=True, agent="A")
    made = approvals(always, NO)
    assert made.decision_for("pay", "c7", agent="A", arguments="{}") is always
    assert made.decision_for("pay", "c7", agent="B") is None
    assert made.decision_for("pay", "c7") is always
    # One about the call itself is stronger.
    assert made.decision_for("pay", "c2", agent="A") is NO


def test_decisions_about_a_tool_are_kept_for_each_agent() -> None:
    first = Decision("pay", None, approved=True, agent="A")
    second = Decision("pay", None, approved=False, agent="B")
    made = approvals(first, second)
    assert made.decision_for("pay", "c7", agent="A") is first
    assert made.decision_for("pay", "c7", agent="B") is second
    assert list(made.about_tool("pay")) == [second, first]
    anyone = Decision("mail", None, approved=True)
    made.record(anyone)
    assert made.decision_for("mail", "c7", agent="C") is anyone


def test_decisions_survive_being_stored() -> None:
    made = approvals(YES, NO, Decision("pay", None, approved=False, agent="B"))
    again = Approvals.from_data(json.loads(json.dumps(made.to_data())))
    assert again == made
    assert again.decision_for("pay", "c2") == NO


@pytest.mark.parametrize(
    "data",
    [
        {"call_id": "c1", "approved": True},
        {"tool_name": "pay", "call_id": "c1"},
        {"tool_name": "pay", "call_id": "c1", "approved": 1},
        {"tool_name": "pay", "call_id": 1, "approved": True},
        {"tool_name": "pay", "call_id": "c1", "approved": True, "message": ["no"]},
    ],
)
def test_stored_data_that_is_no_decision_is_refused(data: dict[str, object]) -> None:
    with pytest.raises(UserError, match="stored approval"):
        Approvals.from_data([data])
