"""Reading what an SSH server says before any key is agreed (RFC 4253, sections 4.2 and 7.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

MAX_HELLO: Final = 32 * 1024
"""Bytes that are read: identification, banner lines before it, and one packet."""

MAX_PACKET: Final = 35_000
"""The longest packet that an implementation must take (RFC 4253, section 6.1)."""

MAX_NAMES: Final = 100
"""Names kept of one list."""

_KEXINIT: Final = 20
_LISTS: Final = 10
_COOKIE: Final = 16


@dataclass(frozen=True, slots=True)
class SshHello:
    """What a server says of itself."""

    identification: str
    """The line that begins with `SSH-`; empty where none came."""
    key_exchange: tuple[str, ...] = ()
    host_keys: tuple[str, ...] = ()
    ciphers: tuple[str, ...] = ()
    """Of both directions, each once."""
    macs: tuple[str, ...] = ()
    complete: bool = False
    """The packet with the algorithms has come."""


def read_hello(data: bytes) -> SshHello:
    """Reads as much as has come.

    Args:
        data: Everything received so far.

    Returns:
        The identification, and the algorithms once their packet is whole.
    """
    identification, packet = _split(data)
    if packet is None:
        return SshHello(identification)
    lists = _kexinit(packet)
    if lists is None:
        return SshHello(identification)
    return SshHello(
        identification,
        key_exchange=lists[0],
        host_keys=lists[1],
        ciphers=tuple(dict.fromkeys(lists[2] + lists[3])),
        macs=tuple(dict.fromkeys(lists[4] + lists[5])),
        complete=True,
    )


def _split(data: bytes) -> tuple[str, bytes | None]:
    """The identification line, and what follows it once the line is whole."""
    position = 0
    while position < len(data):
        end = data.find(b"\n", position)
        line = data[position : end if end >= 0 else len(data)].rstrip(b"\r")
        if line.startswith(b"SSH-"):
            text = line[:255].decode("utf-8", "backslashreplace")
            return text, data[end + 1 :] if end >= 0 else None
        if end < 0:
            break
        position = end + 1
    return "", None


def _kexinit(data: bytes) -> tuple[tuple[str, ...], ...] | None:
    length = int.from_bytes(data[:4], "big")
    if len(data) < 6 or not 2 <= length <= MAX_PACKET or len(data) < 4 + length:  # noqa: PLR2004 - the header's size
        return None
    payload = data[5 : 4 + length - data[4]]
    if payload[:1] != bytes([_KEXINIT]):
        return None
    position = 1 + _COOKIE
    lists: list[tuple[str, ...]] = []
    for _ in range(_LISTS):
        size = int.from_bytes(payload[position : position + 4], "big")
        names = payload[position + 4 : position + 4 + size]
        if len(payload) < position + 4 + size:
            return None
        lists.append(_names(names))
        position += 4 + size
    return tuple(lists)


def _names(data: bytes) -> tuple[str, ...]:
    text = data.decode("ascii", "backslashreplace")
    return tuple(name[:100] for name in text.split(",")[:MAX_NAMES] if name)
