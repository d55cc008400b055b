from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from handfast.boundary.audit import AuditLog, MemoryLog
from handfast.boundary.authorize import STRICT_BUDGET, Boundary
from handfast.boundary.grants import Grants
from handfast.boundary.policy import Allow, Ask, AskFor, CallRequest, Deny, RunView, Verdict
from lab_scopes import lab

CALL = CallRequest("A", "scan", "c1", '{"target": "x"}')


def view(boundary: Boundary, **changes: object) -> RunView:
    return RunView(grants=boundary.grants, **changes)  # type: ignore[arg-type]  # fields of a view


def test_by_default_plain_programs_work() -> None:
    boundary = Boundary.default()
    for arguments in ("", "not json", "[]"):
        request = CallRequest("A", "anything", "c1", arguments)
        repeats = {request.key: 500}
        assert isinstance(boundary.authorize(request, view(boundary, repeats=repeats)), Allow)


def test_by_default_budgets_are_finite() -> None:
    boundary = Boundary.default()
    assert isinstance(boundary.authorize(CALL, view(boundary, calls_made=10_000)), Deny)


def test_without_any_policy_everything_is_allowed() -> None:
    assert isinstance(Boundary().authorize(CALL, RunView()), Allow)


@pytest.mark.parametrize(
    ("request_", "changes"),
    [
        (CallRequest("A", "mail", "c1", "{}"), {}),
        (CallRequest("A", "scan", "c1", "not json"), {}),
        (CALL, {"repeats": {CALL.key: 3}}),
        (CALL, {"calls_made": 200}),
    ],
)
def test_the_strict_rules_deny(request_: CallRequest, changes: dict[str, object]) -> None:
    boundary = Boundary.strict(grants=Grants(tools=frozenset({"scan"}), budget=STRICT_BUDGET))
    verdict = boundary.authorize(request_, view(boundary, **changes))
    assert isinstance(verdict, Deny)
    assert verdict.reason
    assert verdict.policy


def test_the_strict_rules_allow_what_was_granted() -> None:
    boundary = Boundary.strict()
    assert isinstance(boundary.authorize(CALL, view(boundary)), Allow)
    assert boundary.grants.budget == STRICT_BUDGET


def test_further_policies_only_take_away() -> None:
    asking = Boundary.default().with_policies(AskFor(frozenset({"scan"})))
    assert isinstance(asking.authorize(CALL, view(asking)), Ask)
    denying = Boundary.strict(grants=Grants(tools=frozenset())).with_policies(
        AskFor(frozenset({"scan"}))
    )
    assert isinstance(denying.authorize(CALL, view(denying)), Deny)


def test_every_verdict_is_written_down() -> None:
    log = MemoryLog()
    boundary = Boundary.strict(grants=Grants(tools=frozenset()), audit=AuditLog(log))
    request = CallRequest("A", "login", "c9", '{"password": "hunter2"}')
    boundary.authorize(request, view(boundary, turn=4))
    record = log.records[0]
    assert record.kind == "verdict"
    assert record.data["verdict"] == "deny"
    assert record.data["tool"] == "login"
    assert record.data["policy"] == "granted-tools"
    assert record.data["turn"] == 4
    assert "hunter2" not in record.line.decode()


def test_a_verdict_that_cannot_be_written_stops_the_call() -> None:
    class Full:
        def record(self, kind: str, data: Mapping[str, object]) -> None:
            raise OSError(f"{kind} {len(data)}")

    with pytest.raises(OSError, match="verdict"):
        Boundary.default(audit=Full()).authorize(CALL, RunView())


def test_a_policy_that_fails_stops_the_call() -> None:
    @dataclass(frozen=True)
    class Broken:
        name: str = "broken"

        def check(self, call: CallRequest, view: RunView) -> Verdict:
            raise LookupError(f"{call.tool} {view.turn}")

    with pytest.raises(LookupError):
        Boundary.default().with_policies(Broken()).authorize(CALL, RunView())


def test_grants_carry_the_scope() -> None:
    scope = lab()
    assert Boundary.strict(grants=Grants(scope=scope)).grants.scope is scope
