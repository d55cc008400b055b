"""The laboratory's certificate authority: it issues good certificates and every broken kind.

Keys are made anew for each laboratory and never leave the process, save through the files that
`ssl` insists on, which live for the moment of loading.
"""

from __future__ import annotations

import ipaddress
import struct
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, TypeAlias

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID, ObjectIdentifier

PrivateKey: TypeAlias = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey

AUTHORITY_NAME: Final = "handfast laboratory"
"""The organisation in every certificate of the authority."""

CAA_NAME: Final = "ca.lab.example"
"""The authority's name in CAA records."""

_SCT_LIST: Final = ObjectIdentifier("1.3.6.1.4.1.11129.2.4.2")
_AUTHORITY_DAYS: Final = 3650


class KeyKind(StrEnum):
    """The key of a certificate."""

    EC_P256 = "ec-p256"
    RSA_2048 = "rsa-2048"
    RSA_1024 = "rsa-1024"
    """Too short since 2013 (RFC 9325 section 4.5 asks for 2,048 bits)."""


class Issuer(StrEnum):
    """Who signs a certificate."""

    AUTHORITY = "authority"
    """The laboratory's intermediate, below the root that the inspection is told to trust."""
    ITSELF = "itself"
    STRANGER = "stranger"
    """A root that nobody trusts."""


@dataclass(frozen=True, slots=True)
class CertificateRecipe:
    """What a certificate shall look like, good by default."""

    names: tuple[str, ...]
    """DNS names; the first is the common name too."""
    key: KeyKind = KeyKind.EC_P256
    issuer: Issuer = Issuer.AUTHORITY
    age_days: float = 10
    """How long ago it became valid."""
    lifetime_days: float = 90
    chain_sent: bool = True
    """Whether the intermediate is sent along."""
    logged: bool = True
    """Whether it carries a signed certificate timestamp (of a log that does not exist)."""
    organization: str = ""
    """The subject's organisation, where one is named."""


@dataclass(frozen=True, slots=True)
class IssuedCertificate:
    """A certificate with its key, as `ssl` wants them."""

    chain_pem: bytes
    key_pem: bytes


@dataclass(frozen=True, slots=True)
class _Signer:
    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey


class CertificateAuthority:
    """A root, an intermediate below it, and a stranger."""

    def __init__(self, now: datetime) -> None:
        self._now = now
        self._root = _make_signer("root", None, now)
        self._intermediate = _make_signer("intermediate", self._root, now)
        self._stranger = _make_signer("stranger", None, now)
        self._rsa_keys: dict[KeyKind, PrivateKey] = {}

    @property
    def root_pem(self) -> bytes:
        """The root certificate, which an inspection must trust to find the good sites good."""
        return self._root.certificate.public_bytes(serialization.Encoding.PEM)

    def issue(self, recipe: CertificateRecipe) -> IssuedCertificate:
        """Makes a certificate and its key after a recipe."""
        key = self._key(recipe.key)
        signer = self._signer(recipe.issuer)
        leaf = _make_leaf(recipe, key, signer, self._now)
        sent = [leaf]
        if signer is not None and recipe.chain_sent:
            sent.append(signer.certificate)
        return IssuedCertificate(
            chain_pem=b"".join(cert.public_bytes(serialization.Encoding.PEM) for cert in sent),
            key_pem=key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            ),
        )

    def _signer(self, issuer: Issuer) -> _Signer | None:
        match issuer:
            case Issuer.AUTHORITY:
                return self._intermediate
            case Issuer.STRANGER:
                return self._stranger
            case Issuer.ITSELF:
                return None

    def _key(self, kind: KeyKind) -> PrivateKey:
        if kind is KeyKind.EC_P256:
            return _make_key(kind)
        # RSA keys take long to make: the sites that have one share it.
        return self._rsa_keys.setdefault(kind, self._rsa_keys.get(kind) or _make_key(kind))


def _make_key(kind: KeyKind) -> PrivateKey:
    match kind:
        case KeyKind.EC_P256:
            return ec.generate_private_key(ec.SECP256R1())
        case KeyKind.RSA_2048:
            return rsa.generate_private_key(public_exponent=65537, key_size=2048)
        case KeyKind.RSA_1024:
            return rsa.generate_private_key(
                public_exponent=65537,
                key_size=1024,  # noqa: S505 - the site exists to be found with a short key
            )


def _make_signer(role: str, parent: _Signer | None, now: datetime) -> _Signer:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name(
        [
            x509.NameAttribute(NameOID.ORGANIZATION_NAME, AUTHORITY_NAME),
            x509.NameAttribute(NameOID.COMMON_NAME, f"{AUTHORITY_NAME} {role}"),
        ]
    )
    signing_key = key if parent is None else parent.key
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject if parent is None else parent.certificate.subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=365))
        .not_valid_after(now + timedelta(days=_AUTHORITY_DAYS))
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(_key_usage(signs_certificates=True), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(signing_key.public_key()),
            critical=False,
        )
        .sign(signing_key, hashes.SHA256())
    )
    return _Signer(certificate, key)


def _make_leaf(
    recipe: CertificateRecipe, key: PrivateKey, signer: _Signer | None, now: datetime
) -> x509.Certificate:
    attributes = [x509.NameAttribute(NameOID.COMMON_NAME, recipe.names[0][:64])]
    if recipe.organization:
        attributes.insert(0, x509.NameAttribute(NameOID.ORGANIZATION_NAME, recipe.organization))
    subject = x509.Name(attributes)
    signing_key: PrivateKey = key if signer is None else signer.key
    starts = now - timedelta(days=recipe.age_days)
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject if signer is None else signer.certificate.subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(starts)
        .not_valid_after(starts + timedelta(days=recipe.lifetime_days))
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_key_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(
            x509.SubjectAlternativeName([_general_name(name) for name in recipe.names]),
            critical=False,
        )
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(signing_key.public_key()),
            critical=False,
        )
    )
    if recipe.logged:
        sct = x509.UnrecognizedExtension(_SCT_LIST, _sct_list(starts))
        builder = builder.add_extension(sct, critical=False)
    return builder.sign(signing_key, hashes.SHA256())


def _general_name(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _key_usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=True,
        content_commitment=False,
        key_encipherment=not signs_certificates,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        encipher_only=False,
        decipher_only=False,
    )


def _sct_list(logged_at: datetime) -> bytes:
    """Encodes one timestamp of a made-up log (RFC 6962 section 3.3), wrapped as an OCTET STRING."""
    milliseconds = int(logged_at.timestamp() * 1000)
    made_up_signature = bytes(70)
    sct = struct.pack("!B32sQHBBH", 0, b"a log of the laboratory".ljust(32, b"."), milliseconds,
                      0, 4, 3, len(made_up_signature)) + made_up_signature  # fmt: skip
    body = struct.pack("!H", len(sct)) + sct
    listed = struct.pack("!H", len(body)) + body
    return bytes([0x04, len(listed)]) + listed
