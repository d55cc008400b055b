from __future__ import annotations

from dataclasses import astuple

from hypothesis import given
from hypothesis import strategies as st

from handfast.core.usage import NOTHING_SPENT, Limits, Spend

SPEND = st.builds(Spend, *[st.integers(0, 10**9)] * 6)


@given(SPEND, SPEND, SPEND)
def test_spending_adds_up_in_any_order(a: Spend, b: Spend, c: Spend) -> None:
    assert a.plus(b) == b.plus(a)
    assert a.plus(b).plus(c) == a.plus(b.plus(c))
    assert a.plus(NOTHING_SPENT) == a
    assert sum(astuple(a.plus(b))) == sum(astuple(a)) + sum(astuple(b))


def test_limits_are_finite_by_default() -> None:
    assert None not in astuple(Limits())
