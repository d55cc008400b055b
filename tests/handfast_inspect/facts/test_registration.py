from __future__ import annotations

from handfast_inspect.facts.registration import RegistrationFact
from stored_facts import assert_is_a_fact, assert_survives_storage


def test_the_fact_survives_storage() -> None:
    assert_is_a_fact(RegistrationFact)
    assert_survives_storage(RegistrationFact)
