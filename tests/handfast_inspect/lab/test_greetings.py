from __future__ import annotations

import asyncio
import struct

import pytest

from handfast_inspect.lab import injections
from handfast_inspect.lab.greetings import key_exchange_packet
from handfast_inspect.lab.laboratory import Laboratory
from handfast_inspect.lab.site import ServiceKind
from laboratory_client import LaboratoryClient, read_at_most

SERVICES = "services.lab.example"


@pytest.mark.parametrize(
    ("kind", "banner"),
    [
        (ServiceKind.SSH, b"SSH-2.0-OpenSSH_5.3p1\r\n"),
        (ServiceKind.FTP, b"220 (vsFTPd 2.3.4)\r\n"),
        (ServiceKind.TELNET, b"\xff\xfd\x18"),
        (ServiceKind.POP3, b"+OK Dovecot ready.\r\n"),
        (ServiceKind.IMAP, b"* OK [CAPABILITY IMAP4rev1"),
        (ServiceKind.SMTP, b"220 mail.bad.lab.example ESMTP Postfix 2.6.6\r\n"),
        (ServiceKind.REDIS, b"$54\r\n# Server\r\nredis_version:3.2.1\r\n"),
    ],
)
async def test_every_service_speaks_first(
    client: LaboratoryClient, kind: ServiceKind, banner: bytes
) -> None:
    assert (await client.exchange(SERVICES, kind, end=True)).startswith(banner)


async def test_the_length_that_the_data_store_tells_is_true(client: LaboratoryClient) -> None:
    received = await client.exchange(SERVICES, ServiceKind.REDIS, end=True)
    head, _, rest = received.partition(b"\r\n")
    assert rest[int(head[1:]) :] == b"\r\n"


@pytest.mark.parametrize(
    ("kind", "command", "answer", "absent"),
    [
        (ServiceKind.SMTP, b"EHLO me\r\nQUIT\r\n", b"250 VRFY", b"STARTTLS"),
        (ServiceKind.FTP, b"FEAT\r\nQUIT\r\n", b"211 End", b"AUTH"),
        (ServiceKind.POP3, b"CAPA\r\nQUIT\r\n", b"UIDL", b"STLS"),
        (ServiceKind.IMAP, b"A001 CAPABILITY\r\nA002 LOGOUT\r\n", b"A001 OK", b"STARTTLS"),
    ],
)
async def test_no_service_there_offers_encryption(
    client: LaboratoryClient, kind: ServiceKind, command: bytes, answer: bytes, absent: bytes
) -> None:
    received = await client.exchange(SERVICES, kind, command)
    assert answer in received
    assert absent not in received


async def test_ssh_lists_old_algorithms_in_a_packet_that_parses(client: LaboratoryClient) -> None:
    received = await client.exchange(SERVICES, ServiceKind.SSH, b"SSH-2.0-test\r\n", end=True)
    packet = received.partition(b"\r\n")[2]
    length, padding = struct.unpack("!IB", packet[:5])
    assert len(packet) == length + 4
    assert len(packet) % 8 == 0
    payload = packet[5 : 4 + length - padding]
    assert payload[0] == 20
    (first,) = struct.unpack("!I", payload[17:21])
    assert payload[21 : 21 + first].startswith(b"diffie-hellman-group1-sha1")
    assert b"ssh-dss" in payload


@pytest.mark.parametrize("names", ["", "a", "ab", "abcdefghij" * 3])
def test_every_key_exchange_packet_is_padded_to_a_block(names: str) -> None:
    packet = key_exchange_packet((names,) * 10)
    length, padding = struct.unpack("!IB", packet[:5])
    assert len(packet) == length + 4
    assert len(packet) % 8 == 0
    assert padding >= 4


async def test_the_good_mail_server_starts_tls(client: LaboratoryClient) -> None:
    address, port = client.where("mail.good.lab.example", ServiceKind.SMTP)
    async with asyncio.timeout(5):
        reader, writer = await asyncio.open_connection(address, port)
        assert (await reader.readline()).startswith(b"220 mail.good.lab.example")
        writer.write(b"EHLO me\r\n")
        lines = [await reader.readline() for _ in range(3)]
        assert lines[-1] == b"250 STARTTLS\r\n"
        writer.write(b"STARTTLS\r\n")
        assert (await reader.readline()).startswith(b"220")
        await writer.start_tls(client.trusting(), server_hostname="mail.good.lab.example")
        writer.write(b"EHLO me\r\nQUIT\r\n")
        assert (await reader.readline()).startswith(b"250-mail.good")
        writer.transport.abort()


async def test_the_bad_mail_server_refuses_tls(client: LaboratoryClient) -> None:
    received = await client.exchange(
        "mail.bad.lab.example", ServiceKind.SMTP, b"STARTTLS\r\nQUIT\r\n"
    )
    assert b"502 " in received


async def test_a_starttls_client_that_goes_on_in_plain_text_is_dropped(
    client: LaboratoryClient,
) -> None:
    address, port = client.where("mail.good.lab.example", ServiceKind.SMTP)
    async with asyncio.timeout(10):
        reader, writer = await asyncio.open_connection(address, port)
        writer.write(b"STARTTLS\r\n")
        assert (await reader.readline()).startswith(b"220 mail.good")
        assert (await reader.readline()).startswith(b"220 Ready")
        writer.write(b"this is no TLS record\r\n" * 10)
        assert b"502" not in await read_at_most(reader, 10_000)
        writer.transport.abort()


async def test_the_hostile_greeting_addresses_the_reader(client: LaboratoryClient) -> None:
    received = await client.exchange(
        "hostile.lab.example", ServiceKind.FTP, b"USER x\r\n", end=True
    )
    for text in (injections.ANSI, injections.ORDER_ENGLISH, injections.ORDER_CHINESE):
        assert text.encode() in received


async def test_commands_are_remembered(client: LaboratoryClient, laboratory: Laboratory) -> None:
    await client.exchange(SERVICES, ServiceKind.FTP, b"FEAT\r\nQUIT\r\n")
    assert [visit.what for visit in laboratory.visits] == ["connect", "FEAT", "QUIT"]
