from __future__ import annotations

import pytest

from handfast_inspect.facts.dns import (
    CaaFact,
    CtNamesFact,
    DelegationFact,
    DnsRecordsFact,
    DnssecFact,
    PointerFact,
    RecursionFact,
    WildcardFact,
    ZoneTransferFact,
)
from stored_facts import assert_is_a_fact, assert_survives_storage

KINDS: tuple[type[object], ...] = (
    DnsRecordsFact,
    DnssecFact,
    CaaFact,
    DelegationFact,
    PointerFact,
    WildcardFact,
    ZoneTransferFact,
    RecursionFact,
    CtNamesFact,
)


@pytest.mark.parametrize("kind", KINDS)
def test_every_fact_survives_storage(kind: type[object]) -> None:
    assert_is_a_fact(kind)
    assert_survives_storage(kind)
