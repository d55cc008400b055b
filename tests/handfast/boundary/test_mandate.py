from __future__ import annotations

from datetime import date, timedelta

import pytest

from handfast.boundary.mandate import Authorisation

GIVEN = date(2026, 11, 30)
END = date(2026, 12, 31)


@pytest.mark.parametrize("today", [GIVEN, END])
def test_an_authorisation_holds_on_its_first_and_last_day(today: date) -> None:
    assert Authorisation("a", "b", GIVEN, "c", END).refusal(today) is None


def test_an_authorisation_does_not_hold_before_or_after() -> None:
    found = Authorisation("a", "b", GIVEN, "c", END)
    assert "holds from 2026-11-30" in str(found.refusal(GIVEN - timedelta(days=1)))
    assert "ended on 2026-12-31" in str(found.refusal(END + timedelta(days=1)))


def test_an_authorisation_without_an_end_goes_on() -> None:
    assert Authorisation("a", "b", GIVEN, "c").refusal(date(2099, 1, 1)) is None
