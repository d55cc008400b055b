from __future__ import annotations

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from handfast_inspect.lab.conversation import Pace
from handfast_inspect.lab.laboratory import Laboratory
from handfast_inspect.lab.site import ServiceKind
from laboratory_client import LaboratoryClient, StandingLaboratory

HTTP = ServiceKind.HTTP
NAME = "plain.lab.example"


async def test_several_requests_share_a_connection(client: LaboratoryClient) -> None:
    one = f"GET / HTTP/1.1\r\nHost: {NAME}\r\n\r\n"
    last = f"GET /x HTTP/1.1\r\nHost: {NAME}\r\nConnection: close\r\n\r\n"
    received = await client.exchange(NAME, HTTP, (one * 3 + last).encode())
    assert received.count(b"HTTP/1.1 200 OK") == 3
    assert received.count(b"HTTP/1.1 404 Not Found") == 1


async def test_a_body_is_read_and_dropped(client: LaboratoryClient) -> None:
    post = f"POST / HTTP/1.1\r\nHost: {NAME}\r\nContent-Length: 5\r\n\r\nhello"
    last = f"GET / HTTP/1.1\r\nHost: {NAME}\r\nConnection: close\r\n\r\n"
    received = await client.exchange(NAME, HTTP, (post + last).encode())
    assert received.count(b"HTTP/1.1 200 OK") == 2


async def test_a_body_that_is_cut_ends_the_connection(client: LaboratoryClient) -> None:
    post = f"POST / HTTP/1.1\r\nHost: {NAME}\r\nContent-Length: 50\r\n\r\nhello"
    assert await client.exchange(NAME, HTTP, post.encode(), end=True) == b""


async def test_head_gets_headers_alone(client: LaboratoryClient) -> None:
    answer = await client.get(NAME, method="HEAD")
    assert answer.status == 200
    assert int(answer.header("content-length")) > 0
    assert answer.body == b""


async def test_a_head_without_an_end_is_refused_when_it_is_too_long(
    client: LaboratoryClient,
) -> None:
    received = await client.exchange(NAME, HTTP, b"GET / HTTP/1.1\r\nX: " + b"y" * 40_000)
    assert received.startswith(b"HTTP/1.1 431")


async def test_the_laboratory_remembers_every_request(
    client: LaboratoryClient, laboratory: Laboratory
) -> None:
    await client.get(NAME, "/secret")
    seen = [(visit.site, visit.what) for visit in laboratory.visits]
    assert seen == [(NAME, "connect"), (NAME, "GET /secret")]


async def test_a_visitor_that_says_nothing_is_shown_out() -> None:
    async with Laboratory(pace=Pace(idle_seconds=0.05)) as laboratory:
        address, port = LaboratoryClient(laboratory).where(NAME, HTTP)
        async with asyncio.timeout(5):
            reader, writer = await asyncio.open_connection(address, port)
            assert await reader.read() == b""
            writer.transport.abort()


@given(parts=st.lists(st.binary(max_size=200), max_size=4))
def test_garbage_never_kills_the_server(standing: StandingLaboratory, parts: list[bytes]) -> None:
    standing.run(send_garbage(standing.client, parts))


async def send_garbage(client: LaboratoryClient, parts: list[bytes]) -> None:
    received = await client.exchange(NAME, HTTP, b"".join(parts), end=True)
    assert received == b"" or received.startswith(b"HTTP/1.1 ")
    assert (await client.get(NAME)).status == 200
