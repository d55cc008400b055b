from __future__ import annotations

import asyncio
import socket
import ssl
import time

import pytest

from handfast.boundary.egress import Admission
from handfast.network.connect import (
    MAX_READS,
    Connection,
    Deadlines,
    Handshake,
    open_connection,
    unverified_context,
    verified_context,
)
from handfast.network.failure import Failure, FailureKind
from loopback_tcp import (
    Handler,
    StaticResolver,
    drips,
    floods,
    loopback_guard,
    says,
    silent,
    tcp_server,
)
from loopback_tls import loopback_tls, server_context

QUICK = Deadlines(connect=0.3, handshake=0.3, read=0.2, total=0.6)


async def admit(port: int, host: str = "site.test") -> Admission:
    return await loopback_guard(port).admit_host(host, port)


async def read(port: int, cap: int = 100, ending: bytes = b"\n") -> tuple[bytes, str, bool]:
    async with open_connection(await admit(port), QUICK) as connection:
        assert isinstance(connection, Connection)
        received = await connection.receive(cap, lambda data: data.endswith(ending))
        kind = received.failure.kind.value if received.failure else ""
        return received.data, kind, received.cut


async def test_the_name_is_looked_up_once_and_only_the_admitted_address_is_used() -> None:
    resolver = StaticResolver()
    async with tcp_server(says(b"hello\n")) as port:
        admission = await loopback_guard(port, resolver=resolver).admit_host("site.test", port)
        resolver.names["site.test"] = ["192.0.2.1"]
        async with open_connection(admission) as connection:
            assert isinstance(connection, Connection)
            assert connection.peer == "127.0.0.1"
            assert (await connection.receive(100)).data == b"hello\n"
    assert resolver.asked == ["site.test"]


async def test_bytes_go_both_ways() -> None:
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(await reader.readline())

    async with tcp_server(echo) as port, open_connection(await admit(port)) as connection:
        assert isinstance(connection, Connection)
        assert await connection.send(b"ping\n") is None
        assert (await connection.receive(100)).data == b"ping\n"


async def test_a_closed_port_is_refused() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        async with open_connection(await admit(taken.getsockname()[1])) as connection:
            assert isinstance(connection, Failure)
            assert connection.kind is FailureKind.REFUSED


async def test_a_port_that_takes_nobody_costs_the_connect_deadline() -> None:
    # a full queue: the kernel drops further attempts, as a filter would
    with socket.socket() as full, socket.socket() as first, socket.socket() as second:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        port = full.getsockname()[1]
        for waiting in (first, second):
            waiting.settimeout(0)
            waiting.connect_ex(("127.0.0.1", port))
        async with open_connection(await admit(port), QUICK) as connection:
            assert isinstance(connection, Failure)
            assert connection.kind is FailureKind.CONNECT_TIMEOUT


async def test_silence_costs_the_read_deadline() -> None:
    async with tcp_server(silent()) as port:
        assert await read(port) == (b"", "read timeout", False)


async def test_a_drip_costs_the_total_deadline() -> None:
    started = time.monotonic()
    async with tcp_server(drips(b"x", 0.05)) as port:
        data, kind, _ = await read(port, cap=10_000)
    assert kind == "total timeout"
    assert data
    assert time.monotonic() - started < 2


async def test_a_flood_is_cut_at_the_cap() -> None:
    async with tcp_server(floods(b"x" * 4096)) as port:
        data, kind, cut = await read(port, cap=10_000)
    assert (len(data), kind, cut) == (10_000, "", True)


async def test_a_flood_of_single_bytes_is_cut_at_a_number_of_reads() -> None:
    looked_at = 0

    def never(data: bytes) -> bool:
        nonlocal looked_at
        looked_at = len(data)
        return False

    async with tcp_server(silent()) as port, open_connection(await admit(port)) as connection:
        assert isinstance(connection, Connection)
        connection.reader = OneByteReader()
        received = await connection.receive(10**9, never)
    assert received.cut
    assert looked_at == len(received.data) == MAX_READS


class OneByteReader(asyncio.StreamReader):
    """A stream of single bytes without end."""

    async def read(self, n: int = -1) -> bytes:
        del n
        return b"x"


async def test_what_came_before_the_end_is_kept() -> None:
    async def short(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"half")

    async with tcp_server(short) as port:
        assert await read(port) == (b"half", "closed", False)


async def test_a_peer_that_reads_nothing_does_not_hang_us() -> None:
    async def deaf(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        del writer
        await asyncio.Event().wait()

    async with tcp_server(deaf) as port, open_connection(await admit(port), QUICK) as connection:
        assert isinstance(connection, Connection)
        failure = await connection.send(bytes(50_000_000))
        assert failure is not None
        assert failure.kind is FailureKind.READ_TIMEOUT


async def handshake(
    port: int, context: ssl.SSLContext, host: str = "site.test"
) -> Handshake | Failure:
    async with open_connection(await admit(port, host), QUICK) as connection:
        assert isinstance(connection, Connection)
        return await connection.start_tls(context)


async def test_the_certificate_is_checked_against_the_name() -> None:
    authority = loopback_tls()
    context = verified_context(authority.trust)
    async with tcp_server(silent(), authority.server_context("site.test")) as port:
        agreed = await handshake(port, context)
        assert isinstance(agreed, Handshake)
        assert agreed.version == "TLSv1.3"
        assert agreed.cipher
        assert len(agreed.chain) >= 1
        other = await handshake(port, context, "other.site.test")
    assert isinstance(other, Failure)
    assert other.kind is FailureKind.CERTIFICATE
    assert "other.site.test" in other.detail


async def test_an_address_is_checked_against_the_addresses_of_the_certificate() -> None:
    authority = loopback_tls()
    context = verified_context(authority.trust)
    async with tcp_server(silent(), authority.server_context("127.0.0.1")) as port:
        assert isinstance(await handshake(port, context, "127.0.0.1"), Handshake)
        assert isinstance(await handshake(port, context, "site.test"), Failure)


async def test_an_unknown_authority_is_refused_by_default_and_can_be_looked_at() -> None:
    server = loopback_tls().server_context("other.test")
    async with tcp_server(silent(), server) as port:
        refused = await handshake(port, verified_context())
        assert isinstance(refused, Failure)
        assert refused.kind is FailureKind.CERTIFICATE
        assert refused.verify_code is not None
        assert isinstance(await handshake(port, unverified_context()), Handshake)


async def test_the_whole_chain_is_seen_as_served() -> None:
    context = server_context(loopback_tls().authority.create_child_ca(), "site.test")
    async with tcp_server(silent(), context) as port:
        agreed = await handshake(port, unverified_context())
    assert isinstance(agreed, Handshake)
    assert len(agreed.chain) == 2
    assert all(certificate.startswith(b"\x30") for certificate in agreed.chain)


@pytest.mark.parametrize(
    ("handler", "kind"),
    [
        (silent(), FailureKind.HANDSHAKE_TIMEOUT),
        (says(b"220 hello\r\n" * 50), FailureKind.TLS),
        (drips(b"\x16", 0.05), FailureKind.HANDSHAKE_TIMEOUT),
    ],
)
async def test_a_port_that_speaks_no_tls_is_a_failure(handler: Handler, kind: FailureKind) -> None:
    async with tcp_server(handler) as port:
        failure = await handshake(port, unverified_context())
    assert isinstance(failure, Failure)
    assert failure.kind in {kind, FailureKind.TLS}


async def test_a_cancelled_attempt_leaves_no_socket_open() -> None:
    with socket.socket() as full, socket.socket() as first:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        first.settimeout(0)
        first.connect_ex(full.getsockname())
        admission = await admit(full.getsockname()[1])

        async def attempt() -> None:
            async with open_connection(admission):
                pass

        task = asyncio.ensure_future(attempt())
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
