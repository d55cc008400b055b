"""TLS facts: the certificate that was presented and what the server negotiates."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from handfast_inspect.facts.asset import Asset

ProtocolVersion = Literal["SSLv2", "SSLv3", "TLSv1.0", "TLSv1.1", "TLSv1.2", "TLSv1.3"]


@dataclass(frozen=True, slots=True)
class CertificateFact:
    """The leaf certificate of one endpoint and the separate verdicts on its chain."""

    asset: Asset
    evidence: tuple[str, ...]
    server_name: str
    """The name sent as SNI and checked against."""
    subject: str
    """RFC 4514 string."""
    issuer: str
    issuer_organization: str
    """The issuer's O attribute, for comparing with CAA."""
    serial: str
    """Lower-case hex."""
    fingerprint: str
    """SHA-256 of the DER form, lower-case hex."""
    not_before: datetime
    not_after: datetime
    dns_names: tuple[str, ...]
    ip_names: tuple[str, ...]
    key_type: str
    """rsa, ec, ed25519, ed448, dsa or other."""
    key_bits: int
    signature_hash: str
    """md5, sha1, sha256 …; empty for schemes without one, such as Ed25519."""
    self_signed: bool
    name_matches: bool
    """RFC 9525: a DNS or IP name of the certificate matches `server_name`."""
    chain_complete: bool | None
    """False when intermediates are missing, None when not determined."""
    trusted: bool | None
    """True when a path to a trust anchor exists, dates and names apart; None when not checked."""
    sct_count: int | None
    """SCTs in the certificate, the handshake or the OCSP answer; None when not looked for."""
    verify_error: str = ""
    """The verifier's own words, when it refused."""


@dataclass(frozen=True, slots=True)
class ProtocolFact:
    """Whether one endpoint negotiates one protocol version."""

    asset: Asset
    evidence: tuple[str, ...]
    version: ProtocolVersion
    offered: bool | None
    """None when this could not be told."""
    reason: str = ""
    """Why it could not be told."""


@dataclass(frozen=True, slots=True)
class AcceptedCipher:
    """One suite that the server agreed to."""

    version: ProtocolVersion
    name: str
    """OpenSSL's name: `ECDHE-RSA-AES128-GCM-SHA256`; IANA's (`TLS_…`) is understood too."""
    dh_bits: int | None = None
    """Size of the finite-field group, for DHE suites."""


@dataclass(frozen=True, slots=True)
class CipherScanFact:
    """Which cipher suites were tried, and which the server took."""

    asset: Asset
    evidence: tuple[str, ...]
    tried: tuple[str, ...]
    """Names of every suite that was offered alone or in a group."""
    accepted: tuple[AcceptedCipher, ...]


@dataclass(frozen=True, slots=True)
class TlsFeaturesFact:
    """TLS options that are neither a version nor a suite; None means not determined."""

    asset: Asset
    evidence: tuple[str, ...]
    compression: bool | None = None
    secure_renegotiation: bool | None = None
    """Whether the server confirms RFC 5746."""
