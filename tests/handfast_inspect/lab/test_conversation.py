from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest

from handfast_inspect.lab.address_book import AddressBook
from handfast_inspect.lab.conversation import Pace, Visitor
from handfast_inspect.lab.site import ServiceKind, Site


@asynccontextmanager
async def visitor(
    heard: bytes, *, ended: bool = True, idle_seconds: float = 5
) -> AsyncGenerator[Visitor]:
    near, far = socket.socketpair()
    reader, writer = await asyncio.open_connection(sock=near, limit=64)
    far.sendall(heard)
    if ended:
        far.shutdown(socket.SHUT_WR)
    site = Site("a.lab.example", "", "127.0.0.1")
    pace = Pace(idle_seconds=idle_seconds)
    book = AddressBook([site])
    try:
        yield Visitor(reader, writer, site, ServiceKind.FTP, book, pace, lambda _: None)
    finally:
        writer.close()
        await writer.wait_closed()
        far.close()


async def test_a_line_comes_without_its_end() -> None:
    async with visitor(b"USER x\r\nPASS y\n") as asked:
        assert [await asked.line() for _ in range(3)] == [b"USER x", b"PASS y", b""]


async def test_a_line_cut_by_the_end_is_empty() -> None:
    async with visitor(b"USER") as asked:
        assert await asked.line() == b""


@pytest.mark.parametrize("heard", [b"x" * 40 + b"\n", b"y" * 100])
async def test_a_line_beyond_the_limit_is_empty(heard: bytes) -> None:
    async with visitor(heard) as asked:
        assert await asked.line(limit=20) == b""


async def test_silence_ends_in_a_timeout() -> None:
    async with visitor(b"", ended=False, idle_seconds=0.01) as asked:
        with pytest.raises(TimeoutError):
            await asked.line()


def test_every_pace_is_finite() -> None:
    pace = Pace()
    assert pace.connection_seconds < 1000
    assert pace.flood_bytes < 2**30
