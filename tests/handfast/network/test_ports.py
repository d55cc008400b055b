from __future__ import annotations

import socket
import time

from handfast.boundary.egress import EgressGuard
from handfast.boundary.scope import Rate, ScopeBudget
from handfast.network.connect import Deadlines
from handfast.network.pace import Pace
from handfast.network.ports import MAX_BANNER, PortResult, PortState, scan
from loopback_tcp import (
    StaticResolver,
    drips,
    floods,
    loopback_guard,
    loopback_scope,
    says,
    silent,
    tcp_server,
)

QUICK = Deadlines(connect=0.3, read=0.2, total=0.6)


async def scanned(*ports: int, guard: EgressGuard | None = None) -> dict[int, PortResult]:
    found = scan(
        guard or loopback_guard(*ports), Pace.of(loopback_scope()), "site.test", ports, QUICK
    )
    return {result.port: result async for result in found}


async def test_open_closed_and_denied_ports_are_told_apart() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        closed = taken.getsockname()[1]
        async with tcp_server(says(b"220 mail ready\r\n")) as port:
            found = await scanned(port, closed, 1, guard=loopback_guard(port, closed))
    assert found[port] == PortResult(
        port, PortState.OPEN, b"220 mail ready\r\n", address="127.0.0.1"
    )
    assert found[closed].state is PortState.CLOSED
    assert found[1].state is PortState.DENIED
    assert "not in scope" in found[1].detail


async def test_a_port_that_takes_nobody_is_filtered() -> None:
    with socket.socket() as full, socket.socket() as first, socket.socket() as second:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        for waiting in (first, second):
            waiting.settimeout(0)
            waiting.connect_ex(full.getsockname())
        port = full.getsockname()[1]
        assert (await scanned(port))[port].state is PortState.FILTERED


async def test_nothing_is_sent() -> None:
    heard: list[bytes] = []

    async def listen(reader: object, writer: object) -> None:
        del writer
        heard.append(await reader.read(100))  # type: ignore[attr-defined]  # a stream reader

    async with tcp_server(listen) as port:
        assert (await scanned(port))[port].banner == b""
    assert heard in ([b""], [])


async def test_a_silent_a_dripping_and_a_flooding_port_are_open_and_bounded() -> None:
    started = time.monotonic()
    async with (
        tcp_server(silent()) as quiet,
        tcp_server(drips(b"x", 0.05)) as slow,
        tcp_server(floods(b"y" * 5000)) as loud,
    ):
        found = await scanned(quiet, slow, loud)
    assert {result.state for result in found.values()} == {PortState.OPEN}
    assert found[quiet].banner == b""
    assert found[slow].banner.startswith(b"x")
    assert len(found[loud].banner) == MAX_BANNER
    assert time.monotonic() - started < 3


async def test_results_come_as_they_are_known_and_a_stopped_scan_cleans_up() -> None:
    async with tcp_server(says(b"hi\n")) as quick, tcp_server(silent()) as slow:
        deadlines = Deadlines(connect=1, read=30, total=30)
        pace = Pace.of(loopback_scope())
        results = scan(loopback_guard(quick, slow), pace, "site.test", [slow, quick], deadlines)
        first = await anext(results)
        await results.aclose()
    assert first.port == quick


async def test_each_port_is_tried_once_and_within_the_budget() -> None:
    connections = 0

    async def count(reader: object, writer: object) -> None:
        nonlocal connections
        del reader, writer
        connections += 1

    async with tcp_server(count) as port:
        guard = EgressGuard(loopback_scope(port), StaticResolver())
        pace = Pace(Rate(1000, 1), ScopeBudget(requests=1))
        again = [result async for result in scan(guard, pace, "site.test", [port, port])]
        refused = [result async for result in scan(guard, pace, "site.test", [port])]
    assert [result.state for result in again] == [PortState.OPEN]
    assert [result.state for result in refused] == [PortState.DENIED]
    assert connections == 1
