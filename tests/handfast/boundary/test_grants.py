from __future__ import annotations

from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast.boundary.grants import Budget, Grants, Spent
from handfast.errors import UserError
from lab_scopes import lab

LIMITS = [limit.name for limit in fields(Budget)]


def test_defaults_are_finite_and_leave_room() -> None:
    assert Budget().exhausted(Spent()) is None
    for limit in LIMITS:
        value: float = getattr(Budget(), limit)
        assert 0 < value < float("inf")


@pytest.mark.parametrize("value", [float("inf"), float("nan"), -1.0])
@pytest.mark.parametrize("limit", ["money", "seconds"])
def test_a_budget_is_finite(limit: str, value: float) -> None:
    with pytest.raises(UserError, match=rf"Budget\.{limit} must be a finite number"):
        Budget(**{limit: value})  # type: ignore[arg-type]  # the name is a field of numbers


@pytest.mark.parametrize("limit", LIMITS)
def test_each_limit_ends_a_run_and_is_named(limit: str) -> None:
    budget = Budget(turns=5, calls=5, tokens=5, money=5, seconds=5, bytes=5)
    assert budget.exhausted(replace(Spent(), **{limit: 4})) is None
    for used in (5, 6):
        assert f"5 {limit}" in str(budget.exhausted(replace(Spent(), **{limit: used})))


BUDGETS = st.builds(
    Budget,
    turns=st.integers(0, 100),
    calls=st.integers(0, 100),
    tokens=st.integers(0, 100),
    money=st.floats(0, 100),
    seconds=st.floats(0, 100),
    bytes=st.integers(0, 100),
)


@given(BUDGETS, BUDGETS)
def test_a_narrowed_budget_has_no_larger_limit(one: Budget, other: Budget) -> None:
    narrowed = one.narrowed(other)
    for limit in LIMITS:
        assert getattr(narrowed, limit) == min(getattr(one, limit), getattr(other, limit))


NAMES = st.frozensets(st.sampled_from(["scan", "fetch", "write", "mail"]))


@given(NAMES | st.none(), NAMES, NAMES | st.none(), NAMES | st.none())
def test_narrowed_grants_have_nothing_new(
    tools: frozenset[str] | None,
    programs: frozenset[str],
    fewer_tools: frozenset[str] | None,
    fewer_programs: frozenset[str] | None,
) -> None:
    grants = Grants(tools=tools, programs=programs)
    narrowed = grants.narrow(tools=fewer_tools, programs=fewer_programs)
    if tools is not None:
        assert narrowed.tools is not None
        assert narrowed.tools <= tools
    if fewer_tools is not None:
        assert narrowed.tools is not None
        assert narrowed.tools <= fewer_tools
    assert narrowed.programs <= programs


def test_a_budget_is_narrowed_with_the_rest() -> None:
    assert Grants().narrow(budget=Budget(turns=3)).budget.turns == 3
    assert Grants(budget=Budget(turns=2)).narrow(budget=Budget(turns=3)).budget.turns == 2


def test_a_scope_is_taken_only_when_it_lies_in_the_one_held() -> None:
    wide = lab()
    narrow = wide.narrow(targets=["app.lab.example"])
    assert Grants(scope=wide).narrow(scope=narrow).scope == narrow
    assert Grants(scope=wide).narrow().scope == wide
    assert Grants().narrow(scope=narrow).scope == narrow
    with pytest.raises(UserError, match=r"make it with Scope\.narrow"):
        Grants(scope=narrow).narrow(scope=wide)
