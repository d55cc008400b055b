"""One question to one name server: UDP first, TCP where the answer was cut.

The socket is connected, so the kernel drops datagrams from other addresses; a datagram that is not
the answer (wrong id, wrong question, damaged) is ignored rather than believed (RFC 5452).
"""

from __future__ import annotations

import asyncio
import struct
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Final

import dns.exception
import dns.flags
import dns.message
import dns.name
import dns.rdatatype

from handfast.errors import UserError
from handfast.network.answer import (
    DnsAnswer,
    DnsStatus,
    Question,
    answer_of,
    read_message,
)

MAX_STRAY_DATAGRAMS: Final = 64
"""Datagrams that are no answer, after which the server is given up: it floods."""

UDP_PAYLOAD: Final = 1232
"""The EDNS buffer size that avoids fragments (DNS flag day 2020)."""


@dataclass(frozen=True, slots=True)
class Nameserver:
    """Where a name server listens."""

    address: str
    """An IP address in canonical text form."""
    port: int = 53

    def __str__(self) -> str:
        return f"{self.address}#{self.port}"


async def ask(question: Question, server: Nameserver, seconds: float) -> DnsAnswer:
    """Asks one server one question.

    Args:
        question: What to ask.
        server: Whom to ask. The caller has made sure that it may be asked.
        seconds: The deadline for UDP and TCP together.

    Returns:
        The answer; a silent, unreachable or lying server is an answer with that status.

    Raises:
        UserError: The name or the type cannot be put into a DNS message.
    """
    query = make_query(question)
    clock = asyncio.get_running_loop().time
    started = clock()
    exchange = _Exchange(query)
    try:
        async with asyncio.timeout(seconds):
            message, wire = await _ask_udp(exchange, server)
            if message.flags & dns.flags.TC:
                message, wire = await _ask_tcp(query, server)
    except TimeoutError:
        status = DnsStatus.MALFORMED if exchange.strays else DnsStatus.TIMEOUT
        return _failed(question, server, status, clock() - started, f"no answer in {seconds:g} s")
    except (_NoAnswerError, EOFError) as error:
        return _failed(question, server, DnsStatus.MALFORMED, clock() - started, str(error))
    except OSError as error:
        return _failed(question, server, DnsStatus.UNREACHABLE, clock() - started, str(error))
    return answer_of(question, message, wire, str(server), clock() - started)


def make_query(question: Question) -> dns.message.QueryMessage:
    """Puts a question into a DNS message with EDNS and a random id.

    Raises:
        UserError: The name or the type cannot be put into a DNS message.
    """
    try:
        name = dns.name.from_text(question.name)
        rtype = dns.rdatatype.from_text(question.rtype)
    except (dns.exception.DNSException, ValueError) as error:
        message = f"Cannot ask DNS for {question.name!r} {question.rtype!r}: {error}"
        raise UserError(message) from error
    query = dns.message.make_query(
        name, rtype, use_edns=0, payload=UDP_PAYLOAD, want_dnssec=question.dnssec
    )
    if not question.recursive:
        query.flags &= ~dns.flags.RD
    if question.dnssec:
        query.flags |= dns.flags.AD
    if question.unchecked:
        query.flags |= dns.flags.CD
    return query


async def messages_over(
    reader: asyncio.StreamReader, max_bytes: int
) -> AsyncIterator[tuple[dns.message.Message, bytes]]:
    """Reads the messages of one TCP connection, each with its two-byte length.

    Args:
        reader: The connection.
        max_bytes: The most to read in all; reading ends there.

    Yields:
        Each message with its bytes, until the stream ends or the first that cannot be read.
    """
    left = max_bytes
    while left > 0:
        try:
            (length,) = struct.unpack("!H", await reader.readexactly(2))
            wire = await reader.readexactly(length)
        except asyncio.IncompleteReadError:
            return
        left -= len(wire) + 2
        message = read_message(wire)
        if message is None:
            return
        yield message, wire


class _NoAnswerError(Exception):
    """The server sent something else than an answer."""


class _Exchange(asyncio.DatagramProtocol):
    """Waits for the one datagram that answers a query."""

    def __init__(self, query: dns.message.Message) -> None:
        self.query = query
        self.strays = 0
        self.answered: asyncio.Future[tuple[dns.message.Message, bytes]] = (
            asyncio.get_running_loop().create_future()
        )

    def datagram_received(self, data: bytes, addr: tuple[str | int, ...]) -> None:
        del addr  # the socket is connected
        if self.answered.done():
            return
        message = read_message(data)
        if message is not None and self.query.is_response(message):
            self.answered.set_result((message, data))
            return
        self.strays += 1
        if self.strays >= MAX_STRAY_DATAGRAMS:
            self.answered.set_exception(
                _NoAnswerError("a flood of datagrams, none of them an answer")
            )

    def error_received(self, exc: Exception) -> None:
        if not self.answered.done():
            self.answered.set_exception(exc)


async def _ask_udp(exchange: _Exchange, server: Nameserver) -> tuple[dns.message.Message, bytes]:
    loop = asyncio.get_running_loop()
    transport, _ = await loop.create_datagram_endpoint(
        lambda: exchange, remote_addr=(server.address, server.port)
    )
    try:
        transport.sendto(exchange.query.to_wire())
        return await exchange.answered
    finally:
        transport.close()
        exchange.answered.cancel()


async def _ask_tcp(
    query: dns.message.Message, server: Nameserver
) -> tuple[dns.message.Message, bytes]:
    reader, writer = await asyncio.open_connection(server.address, server.port)
    try:
        writer.write(query.to_wire(prepend_length=True))
        await writer.drain()
        async for message, wire in messages_over(reader, 0xFFFF):
            if query.is_response(message):
                return message, wire
        raise _NoAnswerError("the answer over TCP is cut or no answer")
    finally:
        writer.transport.abort()  # a close that waits would outlive the deadline


def _failed(
    question: Question, server: Nameserver, status: DnsStatus, seconds: float, detail: str
) -> DnsAnswer:
    return DnsAnswer(question, status, str(server), seconds=seconds, detail=detail)
