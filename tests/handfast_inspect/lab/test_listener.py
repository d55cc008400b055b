from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress

import pytest

from handfast_inspect.lab.address_book import AddressBook
from handfast_inspect.lab.conversation import Conversation, Pace, Visitor
from handfast_inspect.lab.hazards import silence, tarpit
from handfast_inspect.lab.listener import MAX_CONNECTIONS, Listener, Port
from handfast_inspect.lab.site import ServiceKind, Site

SITE = Site("a.lab.example", "", "127.0.0.1")


@asynccontextmanager
async def listening(
    conversation: Conversation, *, connection_seconds: float = 20
) -> AsyncGenerator[tuple[Listener, tuple[str, int]]]:
    sock = socket.socket()
    sock.bind(("127.0.0.1", 0))
    pace = Pace(drip_seconds=0.001, connection_seconds=connection_seconds)
    book = AddressBook([SITE])
    port = Port(SITE, ServiceKind.FTP, conversation, book, pace, lambda _: None)
    listener = Listener(port, sock)
    listener.start()
    address: tuple[str, int] = sock.getsockname()
    try:
        yield listener, address
    finally:
        await listener.close()


async def hear(address: tuple[str, int]) -> bytes:
    async with asyncio.timeout(10):
        reader, writer = await asyncio.open_connection(*address)
        try:
            return await reader.read()
        finally:
            writer.transport.abort()


async def say_hello(visitor: Visitor) -> None:
    await visitor.send(b"hello")


async def fail(visitor: Visitor) -> None:
    raise RuntimeError(f"a bug met {visitor.site.name}")


async def test_a_conversation_is_heard_to_its_end() -> None:
    async with listening(say_hello) as (_, address):
        assert [await hear(address) for _ in range(3)] == [b"hello"] * 3


async def test_close_ends_every_visit() -> None:
    async with listening(silence) as (listener, address):
        visits = [await asyncio.open_connection(*address) for _ in range(5)]
        await listener.close()
        for reader, writer in visits:
            with suppress(ConnectionError):
                assert await reader.read() == b""
            writer.transport.abort()
    assert listener.failures == []
    assert listener.sock.fileno() == -1


async def test_a_visitor_beyond_the_limit_is_shown_out() -> None:
    async with listening(silence) as (_, address):
        visits = [await asyncio.open_connection(*address) for _ in range(MAX_CONNECTIONS)]
        with suppress(ConnectionError):
            assert await hear(address) == b""
        for _, writer in visits:
            writer.transport.abort()


async def test_a_connection_has_an_end_of_its_own() -> None:
    async with listening(tarpit, connection_seconds=0.05) as (_, address):
        with suppress(ConnectionError):
            assert set(await hear(address)) <= set(b".")


async def test_a_bug_in_a_conversation_is_kept_and_the_next_visitor_served() -> None:
    async with listening(fail) as (listener, address):
        for _ in range(2):
            with suppress(ConnectionError):
                assert await hear(address) == b""
    assert [str(failure) for failure in listener.failures] == ["a bug met a.lab.example"] * 2


async def test_a_visitor_that_leaves_early_is_no_failure() -> None:
    async with listening(tarpit) as (listener, address):
        for _ in range(5):
            _, writer = await asyncio.open_connection(*address)
            writer.transport.abort()
    assert listener.failures == []


async def test_a_closed_listener_refuses() -> None:
    async with listening(say_hello) as (listener, address):
        await listener.close()
        with pytest.raises(ConnectionError):
            await hear(address)
