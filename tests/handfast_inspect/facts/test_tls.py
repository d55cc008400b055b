from __future__ import annotations

import pytest

from handfast_inspect.facts.tls import (
    CertificateFact,
    CipherScanFact,
    ProtocolFact,
    TlsFeaturesFact,
)
from stored_facts import assert_is_a_fact, assert_survives_storage

KINDS: tuple[type[object], ...] = (CertificateFact, ProtocolFact, CipherScanFact, TlsFeaturesFact)


@pytest.mark.parametrize("kind", KINDS)
def test_every_fact_survives_storage(kind: type[object]) -> None:
    assert_is_a_fact(kind)
    assert_survives_storage(kind)
