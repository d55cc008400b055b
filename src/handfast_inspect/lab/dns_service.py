"""Name service over UDP and TCP, for a `NameServer` that decides what to say."""

from __future__ import annotations

import asyncio
import struct
from typing import Final, cast

from handfast_inspect.lab.conversation import Conversation, Visitor
from handfast_inspect.lab.dns_answers import NameServer

_MAX_QUERIES: Final = 100


class UdpNameService(asyncio.DatagramProtocol):
    """Answers datagrams."""

    def __init__(self, server: NameServer) -> None:
        self._server = server
        self._transport: asyncio.DatagramTransport | None = None
        self.closed = asyncio.get_running_loop().create_future()
        """Done when the socket is closed."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by asyncio with the transport to answer on."""
        # the selector loop's datagram transport is no subclass of DatagramTransport on Python 3.11
        self._transport = cast("asyncio.DatagramTransport", transport)

    def datagram_received(self, data: bytes, addr: tuple[str | int, ...]) -> None:
        """Called by asyncio with each datagram."""
        if self._transport is None:
            return
        for message in self._server.answer(data, over_tcp=False):
            self._transport.sendto(message, addr)

    def connection_lost(self, exc: Exception | None) -> None:
        """Called by asyncio when the socket is closed."""
        del exc
        self._transport = None
        if not self.closed.done():
            self.closed.set_result(None)


def dns_conversation(server: NameServer) -> Conversation:
    """Makes the conversation of a name server over TCP (RFC 7766)."""

    async def converse(visitor: Visitor) -> None:
        for _ in range(_MAX_QUERIES):
            query = await _read_message(visitor)
            if query is None:
                return
            visitor.note("query over TCP")
            for message in server.answer(query, over_tcp=True):
                await visitor.send(struct.pack("!H", len(message)) + message)

    return converse


async def _read_message(visitor: Visitor) -> bytes | None:
    async with asyncio.timeout(visitor.pace.idle_seconds):
        try:
            (length,) = struct.unpack("!H", await visitor.reader.readexactly(2))
            return await visitor.reader.readexactly(length)
        except asyncio.IncompleteReadError:
            return None
