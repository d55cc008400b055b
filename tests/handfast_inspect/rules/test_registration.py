from __future__ import annotations

from datetime import timedelta

import pytest

from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.registration import RegistrationFact
from handfast_inspect.rules.registration import check_registration_expiry, check_transfer_lock
from made_facts import NOW, PROOF, ZONE, failures, states


def registered(days: float | None, *statuses: str) -> Facts:
    expires = None if days is None else NOW + timedelta(days=days)
    return Facts(registrations=(RegistrationFact(ZONE, PROOF, "example.test", expires, statuses),))


@pytest.mark.parametrize(
    ("days", "severity"), [(60, None), (59, "medium"), (30, "medium"), (29, "high"), (-1, "high")]
)
def test_the_end_of_the_registration_comes_closer(days: float, severity: str | None) -> None:
    found = failures(check_registration_expiry(registered(days), NOW))
    assert found == ({"registration/expiry": severity} if severity else {})


def test_an_unknown_end_is_not_tested() -> None:
    assert states(check_registration_expiry(registered(None), NOW)) == ["not_tested"]
    assert states(check_registration_expiry(Facts(), NOW)) == []


@pytest.mark.parametrize(
    ("statuses", "expected"),
    [
        (("client transfer prohibited",), ["pass"]),
        (("serverTransferProhibited",), ["pass"]),
        (("active",), ["fail"]),
        ((), ["not_tested"]),
    ],
)
def test_a_transfer_lock_is_wanted(statuses: tuple[str, ...], expected: list[str]) -> None:
    assert states(check_transfer_lock(registered(300, *statuses), NOW)) == expected
