"""Reading what a server answers to a ClientHello, as far as it comes in the clear.

Up to TLS 1.2 that is everything to ServerHelloDone; with TLS 1.3 the ServerHello alone (RFC 8446,
section 4.1.3; RFC 5246, section 7.4). Bytes are hostile: nothing here trusts a length, and whatever
does not add up ends the reading.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

MAX_FLIGHT: Final = 64 * 1024
"""Bytes of an answer that are read; certificate chains are a few kilobytes."""

ALERT_CLOSE: Final = 0
ALERT_HANDSHAKE_FAILURE: Final = 40
ALERT_PROTOCOL_VERSION: Final = 70

_ALERT: Final = 21
_HANDSHAKE: Final = 22
_SERVER_HELLO: Final = 2
_SERVER_KEY_EXCHANGE: Final = 12
_SERVER_HELLO_DONE: Final = 14
_SUPPORTED_VERSIONS: Final = 43
_TLS13: Final = 0x0304
_SSL2: Final = 0x0002
_SSL2_SERVER_HELLO: Final = 4
_SSL2_HEADERS: Final = ((0x80, 2), (0x00, 3))


@dataclass(frozen=True, slots=True)
class ServerFlight:
    """What a server said first."""

    version: int | None = None
    """The version it chose, by its code point; None without a ServerHello."""
    suite: int | None = None
    compression: int = 0
    extensions: dict[int, bytes] = field(default_factory=dict[int, bytes])
    alert: int | None = None
    """The description of the first alert (RFC 8446, section 6)."""
    key_exchange: bytes = b""
    """The body of the ServerKeyExchange message."""
    done: bool = False
    """Nothing more will come in the clear."""

    @property
    def dh_bits(self) -> int | None:
        """The size of the prime of a finite-field key exchange (RFC 5246, section 7.4.3)."""
        length = int.from_bytes(self.key_exchange[:2], "big")
        prime = self.key_exchange[2 : 2 + length]
        if not length or len(prime) < length:
            return None
        return int.from_bytes(prime, "big").bit_length()

    @property
    def sct_count(self) -> int:
        """Signed certificate timestamps in the handshake (RFC 6962, section 3.3)."""
        data = self.extensions.get(18, b"")[2:]
        count = 0
        while len(data) > 2:  # noqa: PLR2004 - a length of two bytes and something behind it
            data = data[2 + int.from_bytes(data[:2], "big") :]
            count += 1
        return count


def read_flight(data: bytes) -> ServerFlight:
    """Reads as much of an answer as has come.

    Args:
        data: Everything received so far.

    Returns:
        What it says.
    """
    flight = ServerFlight()
    handshake = b""
    for kind, fragment in _records(data):
        if kind == _ALERT and len(fragment) > 1:
            return _with_messages(replace(flight, alert=fragment[1], done=True), handshake)
        if kind != _HANDSHAKE:
            return _with_messages(replace(flight, done=True), handshake)
        handshake += fragment
    return _with_messages(flight, handshake)


def is_tls(data: bytes) -> bool:
    """Whether an answer looks like TLS at all: an alert or a handshake record."""
    return len(data) > 1 and data[0] in {_ALERT, _HANDSHAKE} and data[1] == 3  # noqa: PLR2004 - major version


def speaks_ssl2(data: bytes) -> bool:
    """Whether an answer is a ServerHello of SSL 2 (RFC 6101, appendix E)."""
    for mark, length in _SSL2_HEADERS:
        message = data[length:]
        if data[:1] and (data[0] & 0x80) == mark and message[:1] == bytes([_SSL2_SERVER_HELLO]):
            return int.from_bytes(message[3:5], "big") == _SSL2
    return False


def _records(data: bytes) -> Iterator[tuple[int, bytes]]:
    position = 0
    while position + 5 <= len(data):
        length = int.from_bytes(data[position + 3 : position + 5], "big")
        fragment = data[position + 5 : position + 5 + length]
        if data[position + 1] != 3 or len(fragment) < length:  # noqa: PLR2004 - major version
            return
        yield data[position], fragment
        position += 5 + length


def _with_messages(flight: ServerFlight, handshake: bytes) -> ServerFlight:
    position = 0
    while position + 4 <= len(handshake):
        length = int.from_bytes(handshake[position + 1 : position + 4], "big")
        body = handshake[position + 4 : position + 4 + length]
        if len(body) < length:
            break
        flight = _with_message(flight, handshake[position], body)
        position += 4 + length
    return flight


def _with_message(flight: ServerFlight, kind: int, body: bytes) -> ServerFlight:
    if kind == _SERVER_HELLO:
        return _with_hello(flight, body)
    if kind == _SERVER_KEY_EXCHANGE:
        return replace(flight, key_exchange=body)
    return replace(flight, done=True) if kind == _SERVER_HELLO_DONE else flight


def _with_hello(flight: ServerFlight, body: bytes) -> ServerFlight:
    position = 34  # version and random
    if len(body) <= position:
        return flight
    position += 1 + body[position]  # session id
    if len(body) < position + 3:
        return flight
    suite = int.from_bytes(body[position : position + 2], "big")
    compression = body[position + 2]
    extensions = dict(_extensions(body[position + 5 :]))
    version = int.from_bytes(body[:2], "big")
    if _SUPPORTED_VERSIONS in extensions:
        version = int.from_bytes(extensions[_SUPPORTED_VERSIONS][:2], "big")
    return replace(
        flight,
        version=version,
        suite=suite,
        compression=compression,
        extensions=extensions,
        done=flight.done or version == _TLS13,
    )


def _extensions(data: bytes) -> Iterator[tuple[int, bytes]]:
    position = 0
    while position + 4 <= len(data):
        kind = int.from_bytes(data[position : position + 2], "big")
        length = int.from_bytes(data[position + 2 : position + 4], "big")
        yield kind, data[position + 4 : position + 4 + length]
        position += 4 + length
