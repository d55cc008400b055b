from __future__ import annotations

import ipaddress
from datetime import UTC, datetime

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import dsa, ec, ed448, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import AuthorityInformationAccessOID, NameOID
from hypothesis import given, settings
from hypothesis import strategies as st

from handfast_inspect.probes.certificates import (
    CertificateDetails,
    names_host,
    read_certificate,
)

Key = (
    rsa.RSAPrivateKey
    | ec.EllipticCurvePrivateKey
    | dsa.DSAPrivateKey
    | ed25519.Ed25519PrivateKey
    | ed448.Ed448PrivateKey
)
START = datetime(2026, 1, 1, tzinfo=UTC)
END = datetime(2026, 4, 1, tzinfo=UTC)


def name(common: str, organization: str = "") -> x509.Name:
    parts = [x509.NameAttribute(NameOID.COMMON_NAME, common)]
    if organization:
        parts.append(x509.NameAttribute(NameOID.ORGANIZATION_NAME, organization))
    return x509.Name(parts)


def certificate(
    key: Key, *extensions: x509.ExtensionType, issuer: x509.Name | None = None
) -> bytes:
    """A certificate signed by its own key, whoever it says is its issuer."""
    subject = name("site.test", "Site")
    builder = x509.CertificateBuilder(
        issuer_name=issuer or subject,
        subject_name=subject,
        public_key=key.public_key(),
        serial_number=0xABC,
        not_valid_before=START,
        not_valid_after=END,
    )
    for extension in extensions:
        builder = builder.add_extension(extension, critical=False)
    plain = isinstance(key, ed25519.Ed25519PrivateKey | ed448.Ed448PrivateKey)
    return builder.sign(key, None if plain else hashes.SHA256()).public_bytes(Encoding.DER)


def read(
    key: Key, *extensions: x509.ExtensionType, issuer: x509.Name | None = None
) -> CertificateDetails:
    details = read_certificate(certificate(key, *extensions, issuer=issuer))
    assert details is not None
    return details


EC_KEY = ec.generate_private_key(ec.SECP256R1())
EC_DER = certificate(EC_KEY)


def test_names_dates_and_numbers_are_read() -> None:
    names = x509.SubjectAlternativeName(
        [x509.DNSName("Site.Test"), x509.IPAddress(ipaddress.ip_address("192.0.2.1"))]
    )
    details = read(EC_KEY, names, issuer=name("CA", "Authority Ltd"))
    assert details.subject in {"CN=site.test,O=Site", "O=Site,CN=site.test"}
    assert details.issuer_organization == "Authority Ltd"
    assert (details.not_before, details.not_after) == (START, END)
    assert details.serial == "abc"
    assert len(details.fingerprint) == 64
    assert details.dns_names == ("Site.Test",)
    assert details.ip_names == ("192.0.2.1",)
    assert (details.key_type, details.key_bits, details.signature_hash) == ("ec", 256, "sha256")
    assert details.sct_count == 0
    assert not details.self_signed
    assert not details.has_issuer_url


@pytest.mark.parametrize(
    ("key", "kind", "bits"),
    [
        (rsa.generate_private_key(65537, 2048), "rsa", 2048),
        (dsa.generate_private_key(2048), "dsa", 2048),
        (ed25519.Ed25519PrivateKey.generate(), "ed25519", 256),
        (ed448.Ed448PrivateKey.generate(), "ed448", 456),
    ],
)
def test_every_kind_of_key_has_a_size(key: Key, kind: str, bits: int) -> None:
    details = read(key)
    assert (details.key_type, details.key_bits) == (kind, bits)
    assert bool(details.signature_hash) is (kind in {"rsa", "dsa"})


def test_self_signed_is_a_matter_of_the_key_and_not_of_the_name() -> None:
    assert read(EC_KEY).self_signed
    assert not read(EC_KEY, issuer=name("another")).self_signed
    parent = ec.generate_private_key(ec.SECP256R1())
    builder = x509.CertificateBuilder(
        name("same"), name("same"), EC_KEY.public_key(), 1, START, END
    )
    forged = builder.sign(parent, hashes.SHA256()).public_bytes(Encoding.DER)
    details = read_certificate(forged)
    assert details is not None
    assert not details.self_signed


def test_where_the_issuer_can_be_had_is_noticed() -> None:
    access = x509.AuthorityInformationAccess(
        [
            x509.AccessDescription(
                AuthorityInformationAccessOID.CA_ISSUERS,
                x509.UniformResourceIdentifier("http://ca.test/ca.der"),
            )
        ]
    )
    assert read(EC_KEY, access).has_issuer_url


@pytest.mark.parametrize(
    ("names", "addresses", "host", "matches"),
    [
        (["site.test"], [], "site.test", True),
        (["SITE.test."], [], "site.TEST", True),
        (["*.site.test"], [], "www.site.test", True),
        (["*.site.test"], [], "site.test", False),
        (["*.site.test"], [], "a.b.site.test", False),
        (["*.test"], [], "site.test", False),
        (["w*.site.test"], [], "www.site.test", False),
        (["*"], [], "localhost", False),
        (["192.0.2.1"], [], "192.0.2.1", False),
        ([], ["192.0.2.1"], "192.0.2.1", True),
        ([], ["2001:db8::1"], "2001:DB8:0::1", True),
        ([], ["192.0.2.1"], "192.0.2.2", False),
        ([], [], "site.test", False),
    ],
)
def test_a_host_is_named_as_the_standard_says(
    names: list[str], addresses: list[str], host: str, *, matches: bool
) -> None:
    assert names_host(names, addresses, host) is matches


@given(st.binary(max_size=200))
def test_any_bytes_are_a_certificate_or_none(data: bytes) -> None:
    assert read_certificate(data) is None


@settings(max_examples=500)
@given(st.integers(0, len(EC_DER) - 1), st.integers(0, 255))
def test_a_damaged_certificate_is_read_or_refused(position: int, value: int) -> None:
    damaged = bytearray(EC_DER)
    damaged[position] = value
    read_certificate(bytes(damaged))


@given(st.text(max_size=40), st.text(max_size=40))
def test_any_names_can_be_compared(pattern: str, host: str) -> None:
    names_host([pattern], [pattern], host)
