"""Servers on loopback whose every byte a test decides, and scopes that allow to reach them."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from handfast.boundary.egress import EgressGuard
from handfast.boundary.scope import Scope, parse_scope

Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
"""Serves one connection; it is closed afterwards."""


class StaticResolver:
    """Names and their addresses, for names below them too, and what was asked for."""

    def __init__(self, names: Mapping[str, Sequence[str]] | None = None) -> None:
        self.names = dict({"site.test": ["127.0.0.1"]} if names is None else names)
        self.asked: list[str] = []

    async def resolve(self, host: str) -> Sequence[str]:
        self.asked.append(host)
        above = [name for name in self.names if host == name or host.endswith("." + name)]
        return self.names[max(above, key=len)] if above else ()


def loopback_scope(
    *ports: int,
    names: Sequence[str] = ("site.test", "*.site.test"),
    probes: Sequence[str] = ("passive", "read", "consent"),
    name_servers: Sequence[str] = (),
    requests: int = 2000,
) -> Scope:
    """A scope with some names and the whole of 127.0.0.1, on some ports."""
    listed: list[int | str] = [*ports] or ["1-65535"]
    targets = ", ".join(f'"{name}"' for name in ("127.0.0.1", *names))
    servers = ", ".join(f'"{server}"' for server in name_servers)
    return parse_scope(
        f"""
        probes = {list(probes)}
        ports = {listed}
        targets = [{targets}]
        name_servers = [{servers}]
        allow_private = ["127.0.0.1"]
        [authorisation]
        by = "Ada Lovelace"
        contact = "ada@site.test"
        date = 2020-01-01
        reference = "test"
        [rate]
        requests_per_second = 1000
        concurrency = 16
        [budget]
        requests = {requests}
        """
    )


def loopback_guard(*ports: int, resolver: StaticResolver | None = None) -> EgressGuard:
    """A guard that admits site.test, its subdomains and 127.0.0.1."""
    return EgressGuard(loopback_scope(*ports), resolver or StaticResolver())


@asynccontextmanager
async def tcp_server(handler: Handler, tls: ssl.SSLContext | None = None) -> AsyncGenerator[int]:
    """Listens on a free port of 127.0.0.1 until the block ends.

    Yields:
        The port.
    """
    tasks: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        try:
            with suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
                await handler(reader, writer)
                await writer.drain()
        finally:
            writer.close()
            tasks.discard(task)

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for task in tuple(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await server.wait_closed()


def silent() -> Handler:
    """Takes connections and never says a word."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        del writer
        while await reader.read(4096):
            pass

    return serve


def says(greeting: bytes) -> Handler:
    """Sends a greeting and keeps the connection."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(greeting)
        await writer.drain()
        while await reader.read(4096):
            pass

    return serve


def floods(piece: bytes, head: bytes = b"") -> Handler:
    """Sends bytes until the other side goes away."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        del reader
        writer.write(head)
        while not writer.is_closing():
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0)

    return serve


def drips(piece: bytes, seconds: float, head: bytes = b"") -> Handler:
    """Sends a piece now and then, for ever."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        del reader
        writer.write(head)
        while not writer.is_closing():
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(seconds)

    return serve


def answers(count: int, reply: bytes, until: bytes = b"\r\n\r\n") -> Handler:
    """Answers so many connections, and hangs up on every later one."""
    left = count

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal left
        await reader.readuntil(until)
        left -= 1
        if left >= 0:
            writer.write(reply)

    return serve


def http_response(
    body: bytes = b"", status: str = "200 OK", headers: Sequence[tuple[str, str]] = ()
) -> bytes:
    """A whole HTTP/1.1 response."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Connection: close"]
    lines += [f"{name}: {value}" for name, value in headers]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1") + body


@dataclass
class Site:
    """An HTTP server's routes and the requests it got."""

    routes: dict[str, bytes] = field(default_factory=dict[str, bytes])
    """From a path to a whole response; `*` is for the rest."""
    requests: list[str] = field(default_factory=list[str])
    """The heads of the requests."""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answers one request."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        self.requests.append(head)
        path = head.split(" ", 2)[1]
        fallback = self.routes.get("*", http_response(b"nothing here", "404 Not Found"))
        writer.write(self.routes.get(path, fallback))

    @property
    def paths(self) -> list[str]:
        """The paths asked for, in order."""
        return [head.split(" ", 2)[1] for head in self.requests]
