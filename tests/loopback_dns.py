"""A DNS server on loopback that says what a test tells it, over UDP and TCP on one port."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from typing import cast

import dns.flags
import dns.message
import dns.name
import dns.rcode
import dns.rdata
import dns.rdatatype
import dns.rrset

from handfast.network.nameserver import Nameserver

Reply = Callable[[dns.message.Message], bytes | None]
"""From a query to the bytes sent back; None for silence."""


class DnsServer:
    """Zone data, odd behaviour by name, and what was asked."""

    def __init__(self) -> None:
        self.address = Nameserver("127.0.0.1", 0)
        self.zone: dict[tuple[str, str], dns.rrset.RRset] = {}
        self.replies: dict[str, Reply] = {}
        self.cut: set[str] = set()
        self.flags = dns.flags.QR | dns.flags.RA
        self.asked: list[tuple[str, str, str]] = []
        self.transfer: list[bytes] = []
        self.tcp_is_cut = False

    def add(self, *lines: str) -> DnsServer:
        """Adds records: `name TTL TYPE data`."""
        for line in lines:
            name, ttl, rtype, data = line.split(None, 3)
            key = (name.rstrip(".").lower(), rtype)
            rrset = dns.rrset.from_text(name.rstrip(".") + ".", int(ttl), "IN", rtype, data)
            if key in self.zone:
                self.zone[key].add(_rdatas(rrset)[0])
            else:
                self.zone[key] = rrset
        return self

    def rcode(self, name: str, rcode: dns.rcode.Rcode) -> None:
        """Answers everything about a name with a response code."""

        def reply(query: dns.message.Message) -> bytes:
            response = dns.message.make_response(query)
            response.set_rcode(rcode)
            return response.to_wire()

        self.replies[name] = reply

    def silence(self, name: str) -> None:
        """Never answers about a name."""
        self.replies[name] = lambda _: None

    def answer(self, wire: bytes, transport: str) -> bytes | None:
        """What to send back for one query."""
        query = dns.message.from_wire(wire)
        question = query.question[0]
        name = question.name.to_text(omit_final_dot=True).lower()
        rtype = dns.rdatatype.to_text(question.rdtype)
        self.asked.append((name, rtype, transport))
        if name in self.replies:
            return self.replies[name](query)
        if name in self.cut and transport == "udp":
            response = dns.message.make_response(query)
            response.flags |= dns.flags.TC
            return response.to_wire()
        return self._from_zone(query, name, rtype).to_wire(max_size=65535)

    def _from_zone(self, query: dns.message.Message, name: str, rtype: str) -> dns.message.Message:
        response = dns.message.make_response(query)
        response.flags |= self.flags
        for _ in range(8):
            alias = self.zone.get((name, "CNAME"))
            if alias is None or rtype == "CNAME":
                break
            response.answer.append(alias)
            name = _rdatas(alias)[0].to_text().rstrip(".").lower()
        found = self.zone.get((name, rtype)) or self._wildcard(name, rtype)
        if found is not None:
            response.answer.append(found)
        elif not self._exists(name):
            response.set_rcode(dns.rcode.NXDOMAIN)
        return response

    def _wildcard(self, name: str, rtype: str) -> dns.rrset.RRset | None:
        found = self.zone.get(("*." + name.partition(".")[2], rtype))
        if found is None or self._exists(name):
            return None
        return dns.rrset.from_rdata_list(dns.name.from_text(name), found.ttl, list(found))

    def _exists(self, name: str) -> bool:
        return any(key == name or key.endswith("." + name) for key, _ in self.zone)


class _Udp(asyncio.DatagramProtocol):
    def __init__(self, server: DnsServer) -> None:
        self.server = server
        self.transport: asyncio.DatagramTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # the selector loop's datagram transport is no subclass of DatagramTransport on 3.11
        self.transport = cast("asyncio.DatagramTransport", transport)

    def datagram_received(self, data: bytes, addr: tuple[str | int, ...]) -> None:
        reply = self.server.answer(data, "udp")
        if reply is not None and self.transport is not None:
            self.transport.sendto(reply, addr)


@asynccontextmanager
async def dns_server() -> AsyncGenerator[DnsServer]:
    """Runs a `DnsServer` on a free port of loopback."""
    server = DnsServer()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError, OSError):
            (length,) = struct.unpack("!H", await reader.readexactly(2))
            wire = await reader.readexactly(length)
            query = dns.message.from_wire(wire)
            if query.question[0].rdtype == dns.rdatatype.AXFR and server.transfer:
                messages = [_with_id(query, message) for message in server.transfer]
            else:
                reply = server.answer(wire, "tcp")
                messages = [] if reply is None else [reply]
            for message in messages:
                framed = struct.pack("!H", len(message)) + message
                writer.write(framed[: len(framed) // 2] if server.tcp_is_cut else framed)
            await writer.drain()
        writer.close()

    tcp = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = tcp.sockets[0].getsockname()[1]
    loop = asyncio.get_running_loop()
    udp, _ = await loop.create_datagram_endpoint(
        lambda: _Udp(server), local_addr=("127.0.0.1", port)
    )
    server.address = Nameserver("127.0.0.1", port)
    try:
        yield server
    finally:
        udp.close()
        tcp.close()
        await tcp.wait_closed()


def _rdatas(rrset: dns.rrset.RRset) -> list[dns.rdata.Rdata]:
    return cast("list[dns.rdata.Rdata]", list(rrset))  # the library leaves the element untyped


def _with_id(query: dns.message.Message, message: bytes) -> bytes:
    return struct.pack("!H", query.id) + message[2:]
