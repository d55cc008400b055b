from __future__ import annotations

import pytest

from handfast_inspect.facts.mail import (
    DaneFact,
    DkimFact,
    DmarcFact,
    MtaStsFact,
    SpfFact,
)
from stored_facts import assert_is_a_fact, assert_survives_storage

KINDS: tuple[type[object], ...] = (SpfFact, DmarcFact, DkimFact, MtaStsFact, DaneFact)


@pytest.mark.parametrize("kind", KINDS)
def test_every_fact_survives_storage(kind: type[object]) -> None:
    assert_is_a_fact(kind)
    assert_survives_storage(kind)
