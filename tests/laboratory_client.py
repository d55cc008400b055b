"""Raw clients for the laboratory: asyncio streams, ssl and dnspython, nothing of our own."""

from __future__ import annotations

import asyncio
import ssl
import warnings
from collections.abc import Coroutine, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import cast

import dns.asyncquery
import dns.flags
import dns.message
import dns.rdata
import dns.rdataset

from handfast_inspect.lab.laboratory import Laboratory
from handfast_inspect.lab.site import ServiceKind

SECONDS = 10.0
"""The deadline of everything here."""


@dataclass(frozen=True)
class Answer:
    """One HTTP answer."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def header(self, name: str) -> str:
        return next((value for key, value in self.headers if key == name.lower()), "")

    def headers_of(self, name: str) -> list[str]:
        return [value for key, value in self.headers if key == name.lower()]


@dataclass(frozen=True)
class LaboratoryClient:
    """Talks to the sites of one laboratory by their names."""

    laboratory: Laboratory

    def where(self, name: str, kind: ServiceKind) -> tuple[str, int]:
        book = self.laboratory.book
        return book.address(name), book.port(name, kind)

    async def exchange(
        self,
        name: str,
        kind: ServiceKind,
        sent: bytes = b"",
        *,
        tls: ssl.SSLContext | None = None,
        at_most: int = 1_000_000,
        end: bool = False,
    ) -> bytes:
        """Sends bytes, says that no more come where asked to, and reads the answer to its end."""
        address, port = self.where(name, kind)
        server_name = name if tls else None
        async with asyncio.timeout(SECONDS):
            reader, writer = await asyncio.open_connection(
                address, port, ssl=tls, server_hostname=server_name
            )
            try:
                writer.write(sent)
                if end:
                    writer.write_eof()
                return await read_at_most(reader, at_most)
            finally:
                writer.transport.abort()
                with suppress(OSError):
                    await writer.wait_closed()

    async def get(
        self,
        name: str,
        path: str = "/",
        *,
        kind: ServiceKind = ServiceKind.HTTP,
        method: str = "GET",
        headers: Iterable[str] = (),
        tls: ssl.SSLContext | None = None,
    ) -> Answer:
        head = [f"{method} {path} HTTP/1.1", f"Host: {name}", "Connection: close", *headers]
        context = (tls or self.trusting()) if kind is ServiceKind.HTTPS else None
        sent = "\r\n".join([*head, "", ""]).encode()
        return parse_answer(await self.exchange(name, kind, sent, tls=context))

    def trusting(self) -> ssl.SSLContext:
        """A context that trusts the laboratory's authority and nobody else."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.load_verify_locations(cadata=self.laboratory.ca_pem.decode())
        return context

    async def ask(
        self,
        name: str,
        rtype: str,
        *,
        server: str = "resolver.lab.example",
        tcp: bool = False,
        recursive: bool = True,
        dnssec: bool = False,
        unchecked: bool = False,
    ) -> dns.message.Message:
        query = dns.message.make_query(name, rtype, want_dnssec=dnssec)
        if not recursive:
            query.flags &= ~dns.flags.RD
        if unchecked:
            query.flags |= dns.flags.CD
        address, port = self.where(server, ServiceKind.DNS)
        send = dns.asyncquery.tcp if tcp else dns.asyncquery.udp
        return await send(query, address, timeout=SECONDS, port=port)


class StandingLaboratory:
    """A laboratory that stands while synchronous tests come and go."""

    def __init__(self, runner: asyncio.Runner, laboratory: Laboratory) -> None:
        self._runner = runner
        self.client = LaboratoryClient(laboratory)

    def run(self, work: Coroutine[object, object, None]) -> None:
        self._runner.run(work)


def careless(
    lowest: ssl.TLSVersion = ssl.TLSVersion.TLSv1,
    highest: ssl.TLSVersion = ssl.TLSVersion.TLSv1_3,
    ciphers: str = "ALL:@SECLEVEL=0",
) -> ssl.SSLContext:
    """A context that accepts any certificate, within a range of versions."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.set_ciphers(ciphers)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        context.minimum_version = lowest
        context.maximum_version = highest
    return context


def rdatas(rdataset: dns.rdataset.Rdataset) -> list[dns.rdata.Rdata]:
    """The records of a set; dnspython's sets do not tell the type of what is in them."""
    return list(cast("Iterable[dns.rdata.Rdata]", rdataset))


def shown(section: Iterable[dns.rdataset.Rdataset]) -> list[str]:
    """The data of every record of a section, in presentation format."""
    return [record.to_text() for rdataset in section for record in rdatas(rdataset)]


async def read_at_most(reader: asyncio.StreamReader, limit: int) -> bytes:
    received = bytearray()
    with suppress(ConnectionError):
        while len(received) < limit and (part := await reader.read(limit - len(received))):
            received += part
    return bytes(received)


def parse_answer(raw: bytes) -> Answer:
    head, _, body = raw.partition(b"\r\n\r\n")
    lines = head.decode("utf-8").split("\r\n")
    pairs = (line.partition(":") for line in lines[1:])
    headers = tuple((name.lower(), value.strip()) for name, _, value in pairs)
    return Answer(int(lines[0].split(" ")[1]), headers, body)
