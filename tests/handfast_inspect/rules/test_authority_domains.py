from __future__ import annotations

import pytest

from handfast_inspect.rules.authority_domains import authority_domains


@pytest.mark.parametrize(
    ("organization", "domain"),
    [
        ("Let's Encrypt", "letsencrypt.org"),
        ("DigiCert Inc", "digicert.com"),
        ("Google Trust Services", "pki.goog"),
        ("Sectigo Limited", "sectigo.com"),
        ("Amazon", "amazontrust.com"),
        ("TrustAsia Technologies, Inc.", "trustasia.com"),
    ],
)
def test_known_authorities_have_caa_domains(organization: str, domain: str) -> None:
    domains = authority_domains(organization)
    assert domains is not None
    assert domain in domains


@pytest.mark.parametrize("organization", ["", "Example Internal CA"])
def test_unknown_authorities_have_none(organization: str) -> None:
    assert authority_domains(organization) is None
