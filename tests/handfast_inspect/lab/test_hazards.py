from __future__ import annotations

import asyncio
import gzip
import ssl

import pytest

from handfast_inspect.lab.conversation import Pace
from handfast_inspect.lab.hazards import BOMB_BYTES
from handfast_inspect.lab.laboratory import Laboratory
from handfast_inspect.lab.site import ServiceKind
from laboratory_client import SECONDS, LaboratoryClient

HTTP, HTTPS = ServiceKind.HTTP, ServiceKind.HTTPS
GET = b"GET / HTTP/1.1\r\nHost: x.lab.example\r\n\r\n"


async def test_the_tarpit_drips_for_as_long_as_one_listens(client: LaboratoryClient) -> None:
    for kind in (HTTP, ServiceKind.SSH):
        assert await client.exchange("tarpit.lab.example", kind, GET, at_most=50) == b"." * 50


async def test_silence_says_nothing_until_the_visitor_is_done(client: LaboratoryClient) -> None:
    for kind in (HTTP, HTTPS):
        assert await client.exchange("silent.lab.example", kind, GET, end=True) == b""


async def test_the_drip_is_a_good_answer(client: LaboratoryClient) -> None:
    answer = await client.get("drip.lab.example")
    assert (answer.status, answer.body) == (200, b"slow")


@pytest.mark.parametrize(
    ("name", "kind", "beginning"),
    [
        ("flood.lab.example", HTTP, b"HTTP/1.1 200 OK\r\nContent-Type: text/html"),
        ("flood-headers.lab.example", HTTP, b"HTTP/1.1 200 OK\r\nX-0: yy"),
        ("flood.lab.example", ServiceKind.FTP, b"220 xx"),
    ],
)
async def test_a_flood_sends_more_than_anyone_wants(
    client: LaboratoryClient, name: str, kind: ServiceKind, beginning: bytes
) -> None:
    received = await client.exchange(name, kind, GET, at_most=2_000_000)
    assert len(received) == 2_000_000
    assert received.startswith(beginning)


async def test_closing_hangs_up(client: LaboratoryClient) -> None:
    for kind in (HTTP, HTTPS):
        assert await client.exchange("closing.lab.example", kind, GET) == b""


async def test_garbage_is_no_protocol(client: LaboratoryClient) -> None:
    for kind in (HTTP, HTTPS, ServiceKind.SSH):
        received = await client.exchange("garbage.lab.example", kind, end=True)
        assert received == bytes(range(256)) * 16
    with pytest.raises((ssl.SSLError, ConnectionError)):
        await client.get("garbage.lab.example", kind=HTTPS)


@pytest.mark.parametrize(
    ("name", "longer"), [("long-lie.lab.example", True), ("short-lie.lab.example", False)]
)
async def test_a_lie_about_the_length_goes_either_way(
    client: LaboratoryClient, name: str, *, longer: bool
) -> None:
    answer = await client.get(name)
    told = int(answer.header("content-length"))
    assert (told > len(answer.body)) is longer
    assert told != len(answer.body)


async def test_the_bomb_is_a_thousand_times_larger_inside(client: LaboratoryClient) -> None:
    answer = await client.get("bomb.lab.example")
    assert answer.header("content-encoding") == "gzip"
    assert len(answer.body) < BOMB_BYTES / 500
    assert len(gzip.decompress(answer.body)) == BOMB_BYTES


async def test_the_slow_handshake_is_a_handshake(client: LaboratoryClient) -> None:
    address, port = client.where("slow-tls.lab.example", HTTPS)
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = client.trusting().wrap_bio(incoming, outgoing, server_hostname="slow-tls.lab.example")
    with pytest.raises(ssl.SSLWantReadError):
        tls.do_handshake()
    async with asyncio.timeout(SECONDS):
        reader, writer = await asyncio.open_connection(address, port)
        writer.write(outgoing.read())
        sizes: list[int] = []
        while tls.version() is None or tls.getpeercert() is None:
            part = await reader.read(16_384)
            assert part, "the server hung up"
            sizes.append(len(part))
            incoming.write(part)
            try:
                tls.do_handshake()
            except ssl.SSLWantReadError:
                continue
        writer.transport.abort()
    assert len(sizes) > 100


async def test_a_hazard_that_is_asked_nonsense_says_nothing(client: LaboratoryClient) -> None:
    for name in ("flood.lab.example", "bomb.lab.example", "long-lie.lab.example"):
        assert await client.exchange(name, HTTP, b"nonsense\r\n\r\n") == b""


async def test_a_flood_ends_some_time() -> None:
    pace = Pace(flood_bytes=100_000)
    async with Laboratory(pace=pace) as laboratory:
        client = LaboratoryClient(laboratory)
        received = await client.exchange("flood.lab.example", HTTP, GET)
        assert 80_000 < len(received) < 101_000
