"""Reading a certificate: what it says, and whether it names the host (RFC 9525)."""

from __future__ import annotations

import ipaddress
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, TypeVar

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import dsa, ec, ed448, ed25519, rsa
from cryptography.utils import CryptographyDeprecationWarning
from cryptography.x509.oid import AuthorityInformationAccessOID, NameOID

MAX_NAMES: Final = 1000
"""Names kept of one certificate."""

_Extension = TypeVar("_Extension", bound=x509.ExtensionType)
_UNREADABLE: Final = (
    ValueError,
    TypeError,
    UnsupportedAlgorithm,
    x509.DuplicateExtension,
    x509.InvalidVersion,
    x509.UnsupportedGeneralNameType,
)


@dataclass(frozen=True, slots=True)
class CertificateDetails:
    """What one certificate says."""

    subject: str
    issuer: str
    issuer_organization: str
    serial: str
    fingerprint: str
    not_before: datetime
    not_after: datetime
    dns_names: tuple[str, ...]
    ip_names: tuple[str, ...]
    key_type: str
    key_bits: int
    signature_hash: str
    self_signed: bool
    sct_count: int
    has_issuer_url: bool
    """It says where its issuer's certificate is (RFC 5280, section 4.2.2.1)."""


def read_certificate(der: bytes) -> CertificateDetails | None:
    """Reads one certificate.

    Args:
        der: The certificate.

    Returns:
        What it says; None where it cannot be read.
    """
    with warnings.catch_warnings():
        # what is odd in a stranger's certificate is no concern of whoever runs us
        warnings.simplefilter("ignore", CryptographyDeprecationWarning)
        try:
            return _details(x509.load_der_x509_certificate(der))
        except _UNREADABLE:
            return None


def names_host(names: Sequence[str], addresses: Sequence[str], host: str) -> bool:
    """Whether a certificate names a host (RFC 9525, section 6).

    Args:
        names: Its DNS names; a wildcard stands for exactly one, the whole left-most label.
        addresses: Its IP addresses.
        host: A name in A-labels, or an address.

    Returns:
        True when one of them matches; the common name does not count.
    """
    address = _address(host)
    if address is not None:
        return any(_address(text) == address for text in addresses)
    wanted = host.rstrip(".").lower()
    parent = wanted.partition(".")[2]
    for name in names:
        pattern = name.rstrip(".").lower()
        if pattern == wanted:
            return True
        if pattern.startswith("*.") and "." in parent and pattern[2:] == parent:
            return True
    return False


def _details(certificate: x509.Certificate) -> CertificateDetails:
    key_type, key_bits = _key(certificate)
    names = _extension(certificate, x509.SubjectAlternativeName)
    dns_names = names.get_values_for_type(x509.DNSName) if names else []
    ip_names = names.get_values_for_type(x509.IPAddress) if names else []
    organizations = certificate.issuer.get_attributes_for_oid(NameOID.ORGANIZATION_NAME)
    return CertificateDetails(
        subject=certificate.subject.rfc4514_string()[:1000],
        issuer=certificate.issuer.rfc4514_string()[:1000],
        issuer_organization=str(organizations[0].value)[:200] if organizations else "",
        serial=f"{certificate.serial_number:x}",
        fingerprint=certificate.fingerprint(hashes.SHA256()).hex(),
        not_before=certificate.not_valid_before_utc,
        not_after=certificate.not_valid_after_utc,
        dns_names=tuple(dns_names[:MAX_NAMES]),
        ip_names=tuple(map(str, ip_names[:MAX_NAMES])),
        key_type=key_type,
        key_bits=key_bits,
        signature_hash=_signature_hash(certificate),
        self_signed=_is_self_signed(certificate),
        sct_count=_sct_count(certificate),
        has_issuer_url=_has_issuer_url(certificate),
    )


def _key(certificate: x509.Certificate) -> tuple[str, int]:
    try:
        key = certificate.public_key()
    except _UNREADABLE:
        return "other", 0
    match key:
        case rsa.RSAPublicKey():
            return "rsa", key.key_size
        case ec.EllipticCurvePublicKey():
            return "ec", key.curve.key_size
        case dsa.DSAPublicKey():
            return "dsa", key.key_size
        case ed25519.Ed25519PublicKey():
            return "ed25519", 256
        case ed448.Ed448PublicKey():
            return "ed448", 456
        case _:
            return "other", 0


def _signature_hash(certificate: x509.Certificate) -> str:
    try:
        algorithm = certificate.signature_hash_algorithm
    except _UNREADABLE:
        return ""
    return algorithm.name if algorithm else ""


def _is_self_signed(certificate: x509.Certificate) -> bool:
    if certificate.issuer != certificate.subject:
        return False
    try:
        certificate.verify_directly_issued_by(certificate)
    except InvalidSignature:
        return False
    except _UNREADABLE:
        return True  # an algorithm that is not computed any more; the names say so
    return True


def _extension(certificate: x509.Certificate, kind: type[_Extension]) -> _Extension | None:
    try:
        return certificate.extensions.get_extension_for_class(kind).value
    except (*_UNREADABLE, x509.ExtensionNotFound):
        return None


def _sct_count(certificate: x509.Certificate) -> int:
    found = _extension(certificate, x509.PrecertificateSignedCertificateTimestamps)
    return len(found) if found else 0


def _has_issuer_url(certificate: x509.Certificate) -> bool:
    found = _extension(certificate, x509.AuthorityInformationAccess)
    issuers = AuthorityInformationAccessOID.CA_ISSUERS
    return any(item.access_method == issuers for item in found or ())


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None
