"""One listening port: every visitor gets a task of its own, and none outlives the listener."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from handfast_inspect.lab.address_book import AddressBook
from handfast_inspect.lab.conversation import Conversation, Pace, Visitor
from handfast_inspect.lab.http_message import MAX_HEAD_BYTES
from handfast_inspect.lab.site import ServiceKind, Site

MAX_CONNECTIONS: Final = 64
"""Connections that one port serves at a time; the next is closed at once."""

_SHUTDOWN_SECONDS: Final = 1.0
_LINGER_SECONDS: Final = 0.5
_LINGER_BYTES: Final = 64 * 1024
_PAUSE_AFTER_FAILURE: Final = 0.05


@dataclass(frozen=True, slots=True)
class Port:
    """What is served on one socket."""

    site: Site
    kind: ServiceKind
    conversation: Conversation
    book: AddressBook
    pace: Pace
    note: Callable[[str], None]
    tls: Callable[[], ssl.SSLContext] | None = None
    """Makes the context for TLS from the first byte; called for each visitor."""
    starttls: Callable[[], ssl.SSLContext] | None = None
    """Makes the context for STARTTLS."""


@dataclass(slots=True)
class Listener:
    """Accepts and serves connections on one bound socket until it is closed."""

    port: Port
    sock: socket.socket
    failures: list[BaseException] = field(default_factory=list[BaseException])
    """What a conversation raised that was no visitor's fault: bugs, for the owner to raise."""
    _accepting: asyncio.Task[None] | None = None
    _visits: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])

    def start(self) -> None:
        """Begins to accept connections."""
        self.sock.settimeout(0)
        self.sock.listen(MAX_CONNECTIONS)
        self._accepting = asyncio.create_task(self._accept())

    async def close(self) -> None:
        """Ends every connection and closes the socket."""
        tasks = [*self._visits]
        if self._accepting is not None:
            tasks.append(self._accepting)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.sock.close()

    async def _accept(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                accepted, _ = await loop.sock_accept(self.sock)
            except OSError:
                # Out of file descriptors, or the visitor is gone already: others may come.
                await asyncio.sleep(_PAUSE_AFTER_FAILURE)
                continue
            if len(self._visits) >= MAX_CONNECTIONS:
                accepted.close()
                continue
            self._welcome(accepted)

    def _welcome(self, accepted: socket.socket) -> None:
        self.port.note("connect")
        task = asyncio.create_task(self._serve(accepted))
        self._visits.add(task)

        def leave(done: asyncio.Task[None]) -> None:
            self._visits.discard(done)
            accepted.close()
            failure = None if done.cancelled() else done.exception()
            if failure is not None:
                self.failures.append(failure)

        task.add_done_callback(leave)

    async def _serve(self, accepted: socket.socket) -> None:
        # A visitor that goes away, breaks TLS or dawdles is no fault of ours: all are OSError.
        with suppress(OSError):
            async with asyncio.timeout(self.port.pace.connection_seconds):
                await self._converse(accepted)

    async def _converse(self, accepted: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader(limit=MAX_HEAD_BYTES)
        arrived: asyncio.Future[asyncio.StreamWriter] = loop.create_future()
        # The callback tells asyncio that this is the server's side, also of a later STARTTLS.
        protocol = asyncio.StreamReaderProtocol(
            reader, lambda _, writer: arrived.set_result(writer)
        )
        deadline = self.port.pace.idle_seconds if self.port.tls else None
        await loop.connect_accepted_socket(
            lambda: protocol,
            accepted,
            ssl=self.port.tls() if self.port.tls else None,
            ssl_handshake_timeout=deadline,
            ssl_shutdown_timeout=_SHUTDOWN_SECONDS if self.port.tls else None,
        )
        writer = arrived.result()
        try:
            await self.port.conversation(self._visitor(reader, writer))
            await _part(reader, writer)
        finally:
            writer.transport.abort()
            with suppress(OSError):
                await writer.wait_closed()

    def _visitor(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Visitor:
        return Visitor(
            reader=reader,
            writer=writer,
            site=self.port.site,
            kind=self.port.kind,
            book=self.port.book,
            pace=self.port.pace,
            note=self.port.note,
            starttls=self.port.starttls,
        )


async def _part(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Says that no more comes, and waits a moment for the visitor to agree.

    To close a socket with unread data resets it, and the visitor may lose the end of the answer.
    """
    if not writer.can_write_eof():
        writer.close()
        return await writer.wait_closed()
    writer.write_eof()
    async with asyncio.timeout(_LINGER_SECONDS):
        for _ in range(_LINGER_BYTES // 1024):
            if not await reader.read(1024):
                return None
    return None
