from __future__ import annotations

import pytest

from handfast_inspect.facts.http import (
    CorsFact,
    DirectoryFact,
    ErrorPageFact,
    FileProbeFact,
    HttpResponseFact,
    MethodsFact,
    PreloadFact,
    RobotsFact,
    SchemeFact,
    SecurityTxtFact,
)
from stored_facts import assert_is_a_fact, assert_survives_storage

KINDS: tuple[type[object], ...] = (
    HttpResponseFact,
    SchemeFact,
    PreloadFact,
    CorsFact,
    MethodsFact,
    ErrorPageFact,
    DirectoryFact,
    FileProbeFact,
    SecurityTxtFact,
    RobotsFact,
)


@pytest.mark.parametrize("kind", KINDS)
def test_every_fact_survives_storage(kind: type[object]) -> None:
    assert_is_a_fact(kind)
    assert_survives_storage(kind)
