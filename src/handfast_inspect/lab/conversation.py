"""What happens on a connection: a coroutine over one visitor, and the pace it keeps."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias

from handfast_inspect.lab.address_book import AddressBook
from handfast_inspect.lab.site import ServiceKind, Site


@dataclass(frozen=True, slots=True)
class Pace:
    """How long and how much a conversation may last; every figure is finite."""

    drip_seconds: float = 1.0
    """Between two bytes of a service that drips."""
    idle_seconds: float = 15.0
    """How long a service waits for its visitor to say something."""
    connection_seconds: float = 120.0
    """The longest life of a connection."""
    flood_bytes: int = 256 * 1024 * 1024
    """What a flood sends before it gives up: endless for every visitor with a cap."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """One connection to one service."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    site: Site
    kind: ServiceKind
    book: AddressBook
    pace: Pace
    note: Callable[[str], None]
    """Remembers what the visitor did."""
    starttls: Callable[[], ssl.SSLContext] | None = None
    """Makes what STARTTLS leads to, where the service offers it."""

    async def send(self, data: bytes) -> None:
        """Sends bytes and waits until the visitor takes them."""
        self.writer.write(data)
        await self.writer.drain()

    async def start_tls(self) -> None:
        """Goes on in TLS, for services that offer STARTTLS."""
        if self.starttls is not None:
            await self.writer.start_tls(
                self.starttls(), ssl_handshake_timeout=self.pace.idle_seconds
            )

    async def line(self, limit: int = 1024) -> bytes:
        """Reads a line, without its end; empty at the end of the stream or after `limit` bytes.

        Raises:
            TimeoutError: The visitor said nothing for `Pace.idle_seconds`.
        """
        async with asyncio.timeout(self.pace.idle_seconds):
            try:
                raw = await self.reader.readuntil(b"\n")
            except (asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                return b""
        return raw.rstrip(b"\r\n") if len(raw) <= limit else b""


Conversation: TypeAlias = Callable[[Visitor], Awaitable[None]]
"""Serves one visitor until it has said what it has to say; the connection is closed for it."""
