from __future__ import annotations

import gc
import json
from dataclasses import dataclass, replace

import pytest

from handfast.agents.approval import UNKNOWN_OWNER, Approvals, Decision, Question, owner_of
from handfast.errors import UserError

YES = Decision("pay", "c1", approved=True, agent="A", arguments='{"to": "Ada"}', owner="a1")
NO = Decision("pay", "c2", approved=False, agent="A", message="too much", owner="a1")


def approvals(*decisions: Decision) -> Approvals:
    made = Approvals()
    for each in decisions:
        made.record(each)
    return made


def asked(
    call_id: str,
    agent: str | None = None,
    arguments: str | None = None,
    owner: str | None = None,
    tool: str = "pay",
) -> Question:
    return Question(tool, call_id, agent, arguments, owner)


def test_nothing_is_decided_at_first() -> None:
    assert approvals().find(asked("c1")) is None
    assert approvals().look_up("pay", "c1") is None


def test_a_decision_holds_for_its_call_alone() -> None:
    made = approvals(YES, NO)
    assert made.find(asked("c1")) is YES
    assert made.find(asked("c2")) is NO
    assert made.find(asked("c3")) is None
    assert made.find(asked("c1", tool="refund")) is None


def test_a_decision_holds_for_the_arguments_that_were_shown() -> None:
    made = approvals(YES)
    assert made.find(asked("c1", arguments='{"to": "Ada"}')) is YES
    assert made.find(asked("c1", arguments='{"to": "Eve"}')) is None


def test_a_decision_holds_for_the_very_agent_it_was_made_for() -> None:
    made = approvals(YES, Decision("pay", "c9", approved=True))
    assert made.find(asked("c1", "A", owner="a1")) is YES
    assert made.find(asked("c1", "A", owner="a2")) is None
    assert made.find(asked("c1", "A")) is YES
    assert made.find(asked("c1", "B")) is None
    assert made.find(asked("c9", "B", owner="b")) is not None


def test_a_later_decision_about_the_same_call_replaces_the_first() -> None:
    changed = Decision("pay", "c1", approved=False, agent="A", owner="a1")
    made = approvals(YES, changed)
    assert made.find(asked("c1")) is changed
    assert made.decisions == [changed]


def test_a_decision_about_a_tool_holds_for_all_its_calls_by_that_agent() -> None:
    always = Decision("pay", None, approved=True, agent="A", owner="a1")
    made = approvals(always, NO)
    assert made.find(asked("c7", "A", "{}", "a1")) is always
    assert made.find(asked("c7", "A", "{}", "a2")) is None
    assert made.find(asked("c7", "B")) is None
    assert made.find(asked("c7")) is None
    assert made.look_up("pay", "c7") is always
    # One about the call itself is stronger.
    assert made.find(asked("c2", "A", owner="a1")) is NO


def test_decisions_about_a_tool_are_kept_for_each_agent() -> None:
    first = Decision("pay", None, approved=True, agent="A")
    second = Decision("pay", None, approved=False, agent="B")
    made = approvals(first, second)
    assert made.find(asked("c7", "A")) is first
    assert made.find(asked("c7", "B")) is second
    assert list(made.about_tool("pay")) == [second, first]
    # Nobody who knows only the tool's name can tell which of them holds.
    assert made.look_up("pay", "c7") is None


def test_a_decision_holds_inside_the_call_it_was_made_inside_of() -> None:
    made = approvals(YES)
    inner = made.inside("outer-1").inside("outer-2")
    assert inner.scope == "outer-1/outer-2/"
    assert inner.find(asked("c1")) is None
    deep = Decision("pay", "c1", approved=False, agent="A", scope="outer-1/outer-2/")
    made.record(deep)
    assert inner.find(asked("c1")) is deep
    assert made.find(asked("c1", arguments=YES.arguments)) is YES


def test_tools_of_one_name_from_two_servers_are_two() -> None:
    made = approvals(Decision("pay", None, approved=True, agent="A", namespace="bank"))
    assert made.find(Question("pay", "c1", "A", namespace="bank")) is not None
    assert made.find(Question("pay", "c1", "A", namespace="shop")) is None


def test_a_call_id_is_bound_to_what_was_decided_about() -> None:
    made = approvals(YES)
    assert not made.bound_elsewhere(asked("c1", "A", YES.arguments, "a1"))
    assert made.bound_elsewhere(asked("c1", "A", '{"to": "Eve"}', "a1"))
    assert made.bound_elsewhere(asked("c1", "A", YES.arguments, "a1", tool="refund"))
    assert not made.bound_elsewhere(asked("c1", "A", '{"to": "Eve"}', "a2"))


def test_a_copy_is_decided_by_itself() -> None:
    made = approvals(YES)
    copied = made.copy()
    copied.record(NO)
    assert made.find(asked("c2")) is None


def at_root(owner: str) -> str | None:
    return {"a1": "root/A"}.get(owner)


def nowhere(_place: str) -> None:
    return None


def test_decisions_survive_being_stored_by_the_place_of_their_agent() -> None:
    made = approvals(YES, NO, Decision("pay", None, approved=False, agent="B"))
    data = json.loads(json.dumps(made.to_data(at_root)))
    assert Approvals.from_data(data, {"root/A": "a1"}.get) == made
    elsewhere = Approvals.from_data(data, {"root/A": "a9"}.get)
    assert elsewhere.find(asked("c2", "A", owner="a9")) is not None
    assert elsewhere.find(asked("c2", "A", owner="a1")) is None


def test_a_decision_whose_agent_is_not_found_for_certain_covers_nothing() -> None:
    data = approvals(YES).to_data(at_root)
    lost = Approvals.from_data(data, nowhere)
    assert lost.decisions[0].owner == UNKNOWN_OWNER
    assert lost.find(asked("c1", "A", owner="a1")) is None
    never = Approvals.from_data(approvals(YES).to_data(nowhere), {"?": "a1"}.get)
    assert never.find(asked("c1", "A", owner="b1")) is None


@dataclass
class Someone:
    name: str


def test_an_owner_is_the_object_and_not_its_name() -> None:
    first, second = Someone("A"), Someone("A")
    assert owner_of(first) == owner_of(first)
    assert owner_of(first) != owner_of(second)
    assert owner_of("text") is None


def test_owners_do_not_keep_agents_alive() -> None:
    tokens = {owner_of(Someone("A")) for _ in range(50)}
    gc.collect()
    assert len(tokens) == 50


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
        Approvals.from_data([data], nowhere)


def test_an_item_that_was_decided_about_must_say_the_same_when_it_comes_again() -> None:
    said = Decision("pay", "c1", approved=True, agent="A", arguments='{"n": 1}', item_id="fc_1")
    made = approvals(said)
    same = Question("pay", "c1", "A", '{"n":1}', item_id="fc_1")
    assert not made.changed_since(same)
    assert made.changed_since(replace(same, arguments='{"n":2}'))
    assert made.changed_since(replace(same, tool_name="steal"))
    assert not made.changed_since(replace(same, arguments='{"n":2}', item_id="fc_2"))
    assert not made.changed_since(replace(same, arguments='{"n":2}', item_id=None))
    assert not made.inside("outer").changed_since(replace(same, arguments='{"n":2}'))
    stored = Approvals.from_data(made.to_data(lambda _: None), lambda _: None)
    assert stored.changed_since(replace(same, arguments='{"n":2}'))
