from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from cryptography.x509.oid import ExtensionOID, NameOID

from handfast_inspect.lab.certificates import (
    CertificateAuthority,
    CertificateRecipe,
    Issuer,
    KeyKind,
)

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
AUTHORITY = CertificateAuthority(NOW)


def chain_of(recipe: CertificateRecipe) -> list[x509.Certificate]:
    return x509.load_pem_x509_certificates(AUTHORITY.issue(recipe).chain_pem)


def test_a_good_certificate_leads_to_the_root_through_the_intermediate() -> None:
    leaf, intermediate = chain_of(CertificateRecipe(("a.lab.example",)))
    root = x509.load_pem_x509_certificate(AUTHORITY.root_pem)
    leaf.verify_directly_issued_by(intermediate)
    intermediate.verify_directly_issued_by(root)
    root.verify_directly_issued_by(root)


def test_validity_counts_from_the_given_moment() -> None:
    (leaf, _) = chain_of(CertificateRecipe(("a.lab.example",), age_days=10, lifetime_days=90))
    assert leaf.not_valid_before_utc == NOW - timedelta(days=10)
    assert leaf.not_valid_after_utc == NOW + timedelta(days=80)


def test_names_and_addresses_stand_in_the_alternative_names() -> None:
    leaf = chain_of(CertificateRecipe(("a.lab.example", "127.0.0.1")))[0]
    names = leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.DNSName) == ["a.lab.example"]
    assert [str(ip) for ip in names.get_values_for_type(x509.IPAddress)] == ["127.0.0.1"]


def test_a_chain_can_be_sent_without_its_intermediate() -> None:
    assert len(chain_of(CertificateRecipe(("a.lab.example",), chain_sent=False))) == 1


def test_a_certificate_can_vouch_for_itself() -> None:
    (leaf,) = chain_of(CertificateRecipe(("a.lab.example",), issuer=Issuer.ITSELF))
    leaf.verify_directly_issued_by(leaf)


def test_a_stranger_is_not_below_the_root() -> None:
    leaf, stranger = chain_of(CertificateRecipe(("a.lab.example",), issuer=Issuer.STRANGER))
    leaf.verify_directly_issued_by(stranger)
    root = x509.load_pem_x509_certificate(AUTHORITY.root_pem)
    with pytest.raises(ValueError, match="Issuer"):
        leaf.verify_directly_issued_by(root)


@pytest.mark.parametrize(("kind", "bits"), [(KeyKind.RSA_1024, 1024), (KeyKind.RSA_2048, 2048)])
def test_rsa_keys_have_the_size_asked_for_and_are_made_once(kind: KeyKind, bits: int) -> None:
    recipe = CertificateRecipe(("a.lab.example",), key=kind)
    first, second = AUTHORITY.issue(recipe), AUTHORITY.issue(recipe)
    key = load_pem_private_key(first.key_pem, None)
    assert isinstance(key, rsa.RSAPrivateKey)
    assert key.key_size == bits
    assert first.key_pem == second.key_pem


def test_a_logged_certificate_carries_a_timestamp_that_parses() -> None:
    leaf = chain_of(CertificateRecipe(("a.lab.example",)))[0]
    oid = ExtensionOID.PRECERT_SIGNED_CERTIFICATE_TIMESTAMPS
    extension = leaf.extensions.get_extension_for_oid(oid).value
    assert isinstance(extension, x509.PrecertificateSignedCertificateTimestamps)
    (timestamp,) = extension
    assert timestamp.timestamp == (NOW - timedelta(days=10)).replace(tzinfo=None)


def test_an_unlogged_certificate_carries_none() -> None:
    leaf = chain_of(CertificateRecipe(("a.lab.example",), logged=False))[0]
    with pytest.raises(x509.ExtensionNotFound):
        leaf.extensions.get_extension_for_oid(ExtensionOID.PRECERT_SIGNED_CERTIFICATE_TIMESTAMPS)


def test_an_organisation_may_say_anything() -> None:
    said = "<script>alert(1)</script>"
    leaf = chain_of(CertificateRecipe(("a.lab.example",), organization=said))[0]
    assert leaf.subject.get_attributes_for_oid(NameOID.ORGANIZATION_NAME)[0].value == said
