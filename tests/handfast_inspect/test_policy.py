from __future__ import annotations

from datetime import date

import pytest

from handfast import Allow, AuditLog, CallRequest, Deny, MemoryLog, RunView, Scope, parse_scope
from handfast_inspect.policy import (
    SAME_HANDOFFS,
    SAME_TOOL_CALLS,
    TEAM_CALLS,
    FewRepeats,
    team_boundary,
)

TEXT = """
probes = ["passive"]
targets = ["example.org"]
[authorisation]
by = "a"
contact = "b"
date = 2026-11-30
reference = "c"
[budget]
seconds = 42
"""
TOOL = CallRequest("Reporter", "list_findings", "c1", "{}")
HANDOFF = CallRequest("TLS inspector", "transfer_to_coordinator", "c1", "{}", "handoff")


def scope() -> Scope:
    return parse_scope(TEXT, today=date(2026, 12, 1))


def made(call: CallRequest, times: int) -> RunView:
    boundary = team_boundary(["list_findings"], scope(), None)
    return RunView(calls_made=times, repeats={call.key: times}, grants=boundary.grants)


def test_the_teams_tools_may_be_called_and_no_others() -> None:
    boundary = team_boundary(["list_findings"], scope(), None)
    view = RunView(grants=boundary.grants)
    assert isinstance(boundary.authorize(TOOL, view), Allow)
    assert isinstance(boundary.authorize(HANDOFF, view), Allow)
    verdict = boundary.authorize(CallRequest("Reporter", "run_command", "c2", "{}"), view)
    assert isinstance(verdict, Deny)
    assert "not granted" in verdict.reason


@pytest.mark.parametrize("arguments", ["[1]", "{", '"x"', "null"])
def test_arguments_that_are_no_object_are_refused(arguments: str) -> None:
    boundary = team_boundary(["list_findings"], scope(), None)
    call = CallRequest("Reporter", "list_findings", "c1", arguments)
    assert isinstance(boundary.authorize(call, RunView(grants=boundary.grants)), Deny)


@pytest.mark.parametrize(("call", "limit"), [(TOOL, SAME_TOOL_CALLS), (HANDOFF, SAME_HANDOFFS)])
def test_the_same_call_may_be_made_a_few_times_and_no_more(call: CallRequest, limit: int) -> None:
    policy = FewRepeats()
    assert isinstance(policy.check(call, made(call, limit - 1)), Allow)
    verdict = policy.check(call, made(call, limit))
    assert isinstance(verdict, Deny)
    assert verdict.policy == policy.name


def test_every_specialist_can_hand_back() -> None:
    assert SAME_HANDOFFS > SAME_TOOL_CALLS


def test_the_budget_is_finite_and_the_scopes_own() -> None:
    boundary = team_boundary(["list_findings"], scope(), None)
    assert boundary.grants.budget.seconds == 42
    assert boundary.grants.scope == scope()
    verdict = boundary.authorize(TOOL, made(HANDOFF, TEAM_CALLS))
    assert isinstance(verdict, Deny)


def test_each_verdict_is_written_down() -> None:
    log = MemoryLog()
    boundary = team_boundary(["list_findings"], scope(), AuditLog(log))
    boundary.authorize(TOOL, RunView(grants=boundary.grants))
    assert [record.kind for record in log.records] == ["verdict"]
