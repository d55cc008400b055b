from __future__ import annotations

import asyncio
import time

import pytest

from handfast_inspect.facts.service import StartTlsFact
from handfast_inspect.probes.notes import Notes, ProbeResult
from handfast_inspect.probes.starttls import Clear, clear_protocol, look_at_starttls
from loopback_dns import DnsServer
from loopback_probes import context_for
from loopback_tcp import Handler, drips, floods, says, silent, tcp_server
from loopback_tls import loopback_tls


def speaks(greeting: bytes, answers: dict[bytes, bytes], name: str = "site.test") -> Handler:
    """A service of lines, which goes on encrypted after STARTTLS."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(greeting)
        while line := await reader.readline():
            writer.write(answers.get(line.strip().split()[0], b"500 no\r\n"))
            await writer.drain()
            if line.startswith(b"STARTTLS") and b"STARTTLS" in answers:
                await writer.start_tls(loopback_tls().server_context(name))

    return serve


async def asked(zone: DnsServer, handler: Handler, protocol: Clear) -> ProbeResult:
    context = context_for(zone)
    notes = Notes("test.probe")
    async with tcp_server(handler) as port:
        admission = await context.guard.admit_host("site.test", port)
        await look_at_starttls(context, notes, admission, protocol, is_mx=True)
    return notes.result()


async def fact(zone: DnsServer, handler: Handler, protocol: Clear = "smtp") -> StartTlsFact:
    (found,) = (await asked(zone, handler, protocol)).facts.starttls
    return found


EHLO = b"250-site.test\r\n250-SIZE 1\r\n250 STARTTLS\r\n"
READY = b"220 go ahead\r\n"


async def test_an_smtp_server_with_a_good_certificate(zone: DnsServer) -> None:
    handler = speaks(b"220 hi\r\n", {b"EHLO": EHLO, b"STARTTLS": READY})
    found = await fact(zone, handler)
    assert (found.offered, found.is_mx, found.certificate_valid) == (True, True, True)
    assert found.asset.ip == "127.0.0.1"


async def test_a_certificate_for_another_name_is_not_valid(zone: DnsServer) -> None:
    handler = speaks(b"220 hi\r\n", {b"EHLO": EHLO, b"STARTTLS": READY}, "other.test")
    found = await fact(zone, handler)
    assert found.certificate_valid is False
    assert "certificate" in found.certificate_error


async def test_starttls_that_is_offered_and_then_refused_leaves_the_certificate_open(
    zone: DnsServer,
) -> None:
    found = await fact(zone, speaks(b"220 hi\r\n", {b"EHLO": EHLO}))
    assert (found.offered, found.certificate_valid) == (True, None)
    assert "refused" in found.certificate_error


@pytest.mark.parametrize(
    ("protocol", "greeting", "answers", "offered"),
    [
        ("smtp", b"220-a\r\n220 b\r\n", {b"EHLO": b"250-x\r\n250 AUTH PLAIN\r\n"}, False),
        ("smtp", b"220 b\r\n", {b"EHLO": b"250-NOSTARTTLS\r\n250 STARTTLSX\r\n"}, False),
        ("smtp", b"220 b\r\n", {}, False),
        ("ftp", b"220 b\r\n", {b"FEAT": b"211-Features:\r\n AUTH TLS\r\n211 End\r\n"}, True),
        ("ftp", b"220 b\r\n", {b"FEAT": b"530 Please login\r\n"}, False),
        ("pop3", b"+OK hi\r\n", {b"CAPA": b"+OK\r\nSTLS\r\n.\r\n"}, True),
        ("pop3", b"+OK hi\r\n", {b"CAPA": b"-ERR unknown\r\n"}, False),
        ("imap", b"* OK hi\r\n", {b"A001": b"* CAPABILITY IMAP4rev1\r\nA001 OK\r\n"}, False),
        ("imap", b"* OK hi\r\n", {b"A001": b"* CAPABILITY STARTTLS\r\nA001 OK\r\n"}, True),
        ("imap", b"* OK [CAPABILITY STARTTLS] hi\r\n", {b"A001": b"A001 OK\r\n"}, True),
    ],
)
async def test_each_protocol_says_it_in_its_own_way(
    zone: DnsServer, protocol: Clear, greeting: bytes, answers: dict[bytes, bytes], *, offered: bool
) -> None:
    assert (await fact(zone, speaks(greeting, answers), protocol)).offered is offered


@pytest.mark.parametrize(
    "handler",
    [
        silent(),
        drips(b"220-x\r\n", 0.02),
        floods(b"220-" + b"y" * 200 + b"\r\n"),
        says(b"220 hi\r\n"),
        speaks(b"220 hi\r\n", {b"EHLO": b""}),
    ],
)
async def test_a_service_that_hangs_or_floods_is_a_gap(zone: DnsServer, handler: Handler) -> None:
    started = time.monotonic()
    result = await asked(zone, handler, "smtp")
    assert time.monotonic() - started < 3
    assert result.facts.starttls == ()
    assert result.facts.gaps[0].covers == ("svc.smtp",)


async def test_a_handshake_that_fails_says_why(zone: DnsServer) -> None:
    async def no_tls(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 hi\r\n")
        await reader.readline()
        writer.write(EHLO)
        await reader.readline()
        writer.write(READY)
        await reader.read(10)
        writer.write(b"this is no TLS at all, and long enough to be read as a record\r\n" * 9)
        await reader.read(4096)

    found = await fact(zone, no_tls)
    assert (found.offered, found.certificate_valid) == (True, False)
    assert "tls" in found.certificate_error


async def test_no_login_is_ever_begun(zone: DnsServer) -> None:
    heard: list[bytes] = []

    async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 hi\r\n")
        while line := await reader.readline():
            heard.append(line.split()[0])
            writer.write(EHLO if line.startswith(b"EHLO") else b"500 no\r\n")

    await asked(zone, listen, "smtp")
    assert heard == [b"EHLO", b"STARTTLS"]


def test_only_protocols_that_begin_in_the_clear_are_asked() -> None:
    assert clear_protocol("imap") == "imap"
    assert clear_protocol("ssh") is None
