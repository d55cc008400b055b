"""ClientHello messages made by hand: they offer what OpenSSL itself no longer would.

Only the first message of a handshake is ever sent; whatever comes back, the connection ends there.
Formats: RFC 8446 section 4.1.2 (TLS), RFC 6101 appendix E (SSL 2 and 3).
"""

from __future__ import annotations

import secrets
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from handfast_inspect.probes.cipher_suites import SSL2_KINDS

SSL3: Final = 0x0300
TLS10: Final = 0x0301
TLS11: Final = 0x0302
TLS12: Final = 0x0303
TLS13: Final = 0x0304

_HANDSHAKE: Final = 22
_CLIENT_HELLO: Final = 1
_GROUPS: Final = (0x001D, 0x0017, 0x0018, 0x0019, 0x0100, 0x0101, 0x0102)
"""x25519, P-256, P-384, P-521, ffdhe2048, ffdhe3072, ffdhe4096."""
_SIGNATURES: Final = (
    *(0x0403, 0x0503, 0x0603, 0x0807, 0x0808, 0x0804, 0x0805, 0x0806, 0x0809, 0x080A, 0x080B),
    *(0x0401, 0x0501, 0x0601, 0x0203, 0x0201, 0x0402, 0x0202, 0x0303, 0x0301),
)


@dataclass(frozen=True, slots=True)
class Offer:
    """What a ClientHello offers."""

    version: int
    """The highest version, by its code point."""
    suites: Sequence[int]
    server_name: str | None = None
    """For SNI; None for an address."""
    compression: bool = False
    """Whether DEFLATE is offered too (RFC 3749)."""


def client_hello(offer: Offer) -> bytes:
    """Makes a ClientHello in its record, for SSL 3 and every TLS."""
    suites = b"".join(struct.pack("!H", suite) for suite in offer.suites)
    methods = b"\x01\x00" if offer.compression else b"\x00"
    body = struct.pack("!H", min(offer.version, TLS12)) + secrets.token_bytes(32)
    body += _short(secrets.token_bytes(32) if offer.version == TLS13 else b"")
    body += _long(suites) + _short(methods)
    if offer.version > SSL3:
        body += _long(_extensions(offer))
    message = bytes([_CLIENT_HELLO]) + len(body).to_bytes(3, "big") + body
    record_version = min(offer.version, TLS10)  # RFC 8446, section 5.1: for old servers
    return struct.pack("!BH", _HANDSHAKE, record_version) + _long(message)


def ssl2_client_hello() -> bytes:
    """Makes the ClientHello of SSL 2."""
    kinds = b"".join(kind.to_bytes(3, "big") for kind in SSL2_KINDS)
    challenge = secrets.token_bytes(16)
    body = struct.pack("!BHHHH", _CLIENT_HELLO, 0x0002, len(kinds), 0, len(challenge))
    body += kinds + challenge
    return struct.pack("!H", 0x8000 | len(body)) + body


def _extensions(offer: Offer) -> bytes:
    extensions = b""
    if offer.server_name is not None:
        name = offer.server_name.encode("ascii", "ignore")
        extensions += _extension(0, _long(b"\x00" + _long(name)))
    extensions += _extension(5, b"\x01\x00\x00\x00\x00")  # status_request: OCSP
    extensions += _extension(10, _long(b"".join(struct.pack("!H", group) for group in _GROUPS)))
    extensions += _extension(11, b"\x01\x00")  # uncompressed points
    signatures = b"".join(struct.pack("!H", scheme) for scheme in _SIGNATURES)
    extensions += _extension(13, _long(signatures))
    extensions += _extension(18, b"")  # signed_certificate_timestamp (RFC 6962)
    extensions += _extension(0xFF01, b"\x00")  # renegotiation_info (RFC 5746)
    if offer.version == TLS13:
        extensions += _extension(43, _short(struct.pack("!H", TLS13)))  # supported_versions
        extensions += _extension(45, b"\x01\x01")  # psk_key_exchange_modes
        share = struct.pack("!H", _GROUPS[0]) + _long(secrets.token_bytes(32))
        extensions += _extension(51, _long(share))  # any 32 bytes are a point of x25519
    return extensions


def _extension(kind: int, data: bytes) -> bytes:
    return struct.pack("!H", kind) + _long(data)


def _short(data: bytes) -> bytes:
    return bytes([len(data)]) + data


def _long(data: bytes) -> bytes:
    return struct.pack("!H", len(data)) + data
