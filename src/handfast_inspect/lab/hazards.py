"""Conversations that are meant to hang, drown or mislead whoever joins them."""

from __future__ import annotations

import asyncio
import gzip
import ssl
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from handfast_inspect.lab.conversation import Conversation, Visitor
from handfast_inspect.lab.http_conversation import read_request
from handfast_inspect.lab.http_message import BadRequest, Response
from handfast_inspect.lab.pages_good import GOOD_HEADERS

BOMB_BYTES: Final = 10 * 1024 * 1024
"""What the gzip bomb unpacks to; packed it is about a thousandth of that."""

_CHUNK: Final = b"x" * 16_384


async def tarpit(visitor: Visitor) -> None:
    """Sends one byte now and then, for as long as the connection lives."""
    while True:
        await visitor.send(b".")
        await asyncio.sleep(visitor.pace.drip_seconds)


async def silence(visitor: Visitor) -> None:
    """Accepts, listens, and never says a word."""
    await visitor.reader.read()


async def close_at_once(visitor: Visitor) -> None:
    """Hangs up before a word is said."""
    visitor.writer.transport.abort()
    await asyncio.sleep(0)


async def garbage(visitor: Visitor) -> None:
    """Answers with bytes that are no protocol at all."""
    await visitor.send(bytes(range(256)) * 16)


async def flood_body(visitor: Visitor) -> None:
    """An HTTP answer whose body does not end."""
    if await _asked(visitor):
        start = Response(headers=GOOD_HEADERS, body=b"<html>", tells_length=False)
        await visitor.send(start.encode())
        await _flood(visitor, _CHUNK)


async def flood_headers(visitor: Visitor) -> None:
    """An HTTP answer whose headers do not end."""
    if await _asked(visitor):
        await visitor.send(b"HTTP/1.1 200 OK\r\n")
        await _flood(visitor, b"".join(b"X-%d: %s\r\n" % (n, b"y" * 120) for n in range(100)))


async def flood_greeting(visitor: Visitor) -> None:
    """A greeting without a line end, for ever."""
    await visitor.send(b"220 ")
    await _flood(visitor, _CHUNK)


async def drip_headers(visitor: Visitor) -> None:
    """A valid HTTP answer, one byte now and then."""
    if await _asked(visitor):
        for byte in Response(headers=GOOD_HEADERS, body=b"slow").encode():
            await visitor.send(bytes([byte]))
            await asyncio.sleep(visitor.pace.drip_seconds)


def lie_about_length(told: int, sent: bytes) -> Conversation:
    """Makes a server that announces one length and sends another.

    Args:
        told: The Content-Length.
        sent: The body.
    """

    async def converse(visitor: Visitor) -> None:
        if await _asked(visitor):
            headers = (*GOOD_HEADERS, ("Content-Length", str(told)), ("Connection", "close"))
            await visitor.send(Response(headers=headers, body=sent).encode())

    return converse


async def gzip_bomb(visitor: Visitor) -> None:
    """Sends a few kilobytes that unpack to `BOMB_BYTES`."""
    if await _asked(visitor):
        headers = (*GOOD_HEADERS, ("Content-Encoding", "gzip"), ("Connection", "close"))
        body = gzip.compress(bytes(BOMB_BYTES), compresslevel=9, mtime=0)
        await visitor.send(Response(headers=headers, body=body).encode())


def slow_handshake(tls_context: Callable[[], ssl.SSLContext]) -> Conversation:
    """Makes a TLS server whose side of the handshake comes byte by byte.

    Args:
        tls_context: Makes what it would speak, if anyone had the patience.
    """

    async def converse(visitor: Visitor) -> None:
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        tls = tls_context().wrap_bio(incoming, outgoing, server_side=True)
        while True:
            received = await visitor.reader.read(4096)
            if not received:
                return
            incoming.write(received)
            with suppress(ssl.SSLError):
                tls.do_handshake()
            for byte in outgoing.read():
                await visitor.send(bytes([byte]))
                await asyncio.sleep(visitor.pace.drip_seconds)

    return converse


async def _asked(visitor: Visitor) -> bool:
    """Waits for a request; False where none came."""
    try:
        return await read_request(visitor) is not None
    except BadRequest:
        return False


async def _flood(visitor: Visitor, chunk: bytes) -> None:
    for _ in range(visitor.pace.flood_bytes // len(chunk)):
        await visitor.send(chunk)
