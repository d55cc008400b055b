from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast.boundary.grants import Budget, Grants, Spent
from handfast.boundary.policy import (
    MAX_ARGUMENTS_TEXT,
    Allow,
    ArgumentsAreObject,
    Ask,
    AskFor,
    CallRequest,
    Deny,
    GrantedTools,
    Policy,
    Repeat,
    RunView,
    Verdict,
    WithinBudget,
    call_key,
    strictest,
)


def call(tool: str = "scan", arguments: str = "{}", **changes: str) -> CallRequest:
    return CallRequest("A", tool, "c1", arguments, **changes)  # type: ignore[arg-type]  # kind is one of four words


VERDICTS: st.SearchStrategy[Verdict] = st.one_of(
    st.just(Allow()), st.builds(Ask, st.text()), st.builds(Deny, st.text())
)


@given(st.lists(VERDICTS))
def test_the_strictest_verdict_wins_and_the_first_of_its_kind(verdicts: list[Verdict]) -> None:
    found = strictest(verdicts)
    for kind in (Deny, Ask):
        of_kind = [verdict for verdict in verdicts if isinstance(verdict, kind)]
        if of_kind:
            assert found is of_kind[0]
            return
    assert isinstance(found, Allow)


@given(st.lists(VERDICTS), VERDICTS)
def test_a_further_verdict_only_takes_away(verdicts: list[Verdict], more: Verdict) -> None:
    rank = {Allow: 0, Ask: 1, Deny: 2}
    assert rank[type(strictest([*verdicts, more]))] >= rank[type(strictest(verdicts))]


def test_tools_that_were_not_granted_are_denied() -> None:
    view = RunView(grants=Grants(tools=frozenset({"scan"})))
    assert isinstance(GrantedTools().check(call("scan"), view), Allow)
    assert isinstance(GrantedTools().check(call("mail"), RunView()), Allow)
    assert isinstance(GrantedTools().check(call("transfer_to_b", kind="handoff"), view), Allow)
    assert GrantedTools().check(call("mail"), view) == Deny(
        "mail was not granted to A", "granted-tools"
    )


@pytest.mark.parametrize("text", ["{}", "", '{"a": [1, null]}'])
def test_a_json_object_passes(text: str) -> None:
    assert isinstance(ArgumentsAreObject().check(call(arguments=text), RunView()), Allow)


@pytest.mark.parametrize(
    "text",
    ["{", "[]", "null", '"a"', "1", "{'a': 1}", "[" * 100_000, "x" * (MAX_ARGUMENTS_TEXT + 1)],
)
def test_anything_else_is_denied(text: str) -> None:
    assert isinstance(ArgumentsAreObject().check(call(arguments=text), RunView()), Deny)


def test_the_same_call_is_denied_when_it_was_made_too_often() -> None:
    again = call(arguments='{"a": 1,   "b": 2}')
    same = call(arguments='{"b":2,"a":1}')
    assert isinstance(Repeat(2).check(same, RunView(repeats={again.key: 1})), Allow)
    denied = Repeat(2).check(same, RunView(repeats={again.key: 2}))
    assert isinstance(denied, Deny)
    assert "already called 2 times" in denied.reason


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=5), JSON, max_size=4))
def test_spacing_and_order_do_not_make_another_call(arguments: dict[str, object]) -> None:
    one = json.dumps(arguments, indent=3)
    other = json.dumps(dict(reversed(arguments.items())), ensure_ascii=False)
    assert call_key("t", one) == call_key("t", other)


@given(st.text())
def test_any_text_has_a_key(text: str) -> None:
    assert call_key("t", text) != call_key("u", text)


@pytest.mark.parametrize(
    "view",
    [
        RunView(calls_made=10, grants=Grants(budget=Budget(calls=10))),
        RunView(spent=Spent(tokens=11), grants=Grants(budget=Budget(tokens=10))),
        RunView(spent=Spent(seconds=1), grants=Grants(budget=Budget(seconds=1))),
        RunView(grants=Grants(budget=Budget(calls=0))),
    ],
)
def test_calls_end_with_the_budget(view: RunView) -> None:
    found = WithinBudget().check(call(), view)
    assert isinstance(found, Deny)
    assert "is used up" in found.reason


def test_calls_within_the_budget_pass() -> None:
    assert isinstance(WithinBudget().check(call(), RunView(calls_made=3)), Allow)


def test_a_person_is_asked_for_the_listed_tools() -> None:
    policy = AskFor(frozenset({"mail"}))
    assert policy.check(call("mail"), RunView()) == Ask("mail needs a person's approval", "ask-for")
    assert isinstance(policy.check(call("scan"), RunView()), Allow)


def test_a_check_costs_less_than_a_millisecond() -> None:
    request = call(arguments=json.dumps({"url": "https://example.org/" + "x" * 500}))
    view = RunView(repeats={str(number): 1 for number in range(1_000)})
    policies: list[Policy] = [GrantedTools(), ArgumentsAreObject(), Repeat(), WithinBudget()]
    best = min(_timed(policies, request, view) for _ in range(20))
    assert best < 0.001


def _timed(policies: list[Policy], request: CallRequest, view: RunView) -> float:
    started = time.perf_counter()
    for policy in policies:
        policy.check(request, view)
    return time.perf_counter() - started
