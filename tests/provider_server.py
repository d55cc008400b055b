"""A provider on loopback that answers with canned bytes, and remembers what it was asked."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import cast


@dataclass(frozen=True)
class Canned:
    """One answer.

    Attributes:
        status: The HTTP status.
        headers: Headers besides those of the framing.
        pieces: The body, in the pieces that are written one after the other.
        cut: True closes the connection before the body's end is said.
        silent: True sends nothing at all.
        stalls: True sends the body, neither ends it nor closes the connection.
    """

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    pieces: Sequence[bytes] = ()
    cut: bool = False
    silent: bool = False
    stalls: bool = False

    def to_bytes(self) -> Iterable[bytes]:
        """The answer as it goes over the wire, in chunked coding."""
        phrase = HTTPStatus(self.status).phrase
        lines = [f"HTTP/1.1 {self.status} {phrase}", "transfer-encoding: chunked"]
        lines += [f"{name}: {value}" for name, value in self.headers.items()]
        yield ("\r\n".join(lines) + "\r\n\r\n").encode()
        for piece in self.pieces:
            if piece:
                yield b"%x\r\n%s\r\n" % (len(piece), piece)
        if not (self.cut or self.stalls):
            yield b"0\r\n\r\n"


def json_answer(body: object, status: int = 200, **headers: str) -> Canned:
    """A whole JSON body."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Canned(
        status,
        {"content-type": "application/json", **named},
        [json.dumps(body).encode()],
    )


def event_stream(*events: object, done: bool = True, cut: bool = False) -> Canned:
    """A stream of events, one piece each."""
    pieces = [f"data: {json.dumps(event)}\n\n".encode() for event in events]
    if done:
        pieces.append(b"data: [DONE]\n\n")
    return Canned(200, {"content-type": "text/event-stream"}, pieces, cut)


@dataclass(frozen=True)
class Asked:
    """A request as it arrived."""

    path: str
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> dict[str, object]:
        """Its body, which is always a JSON object."""
        return cast("dict[str, object]", json.loads(self.body))


class ProviderServer:
    """Answers requests with the canned answers in order; the last one again and again."""

    def __init__(self, answers: Iterable[Canned]) -> None:
        self._answers = deque(answers)
        self._open: dict[asyncio.Task[object] | None, asyncio.StreamWriter] = {}
        self.asked: list[Asked] = []
        self.connections = 0
        self.url = ""

    def put(self, *answers: Canned) -> None:
        """Answer with these from now on."""
        self._answers = deque(answers)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, until either side closes it."""
        self._open[asyncio.current_task()] = writer
        self.connections += 1
        try:
            while await self._exchange(reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def close(self) -> None:
        """Close every connection and wait until each is served."""
        for writer in self._open.values():
            writer.close()
        await asyncio.gather(*(task for task in self._open if task is not None))

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.strip().split("\r\n")
        headers = {name.lower(): value for name, _, value in (x.partition(": ") for x in lines)}
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        self.asked.append(Asked(first.split()[1], headers, body))
        answer = self._answers[0] if len(self._answers) == 1 else self._answers.popleft()
        if answer.silent:
            await reader.read()
            return False
        for piece in answer.to_bytes():
            writer.write(piece)
            await writer.drain()
        if answer.stalls:
            await reader.read()
            return False
        return not answer.cut


@asynccontextmanager
async def provider_server(*answers: Canned) -> AsyncGenerator[ProviderServer, None]:
    """A running server; its `url` is the base address of a provider."""
    server = ProviderServer(answers)
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    port = cast("int", listening.sockets[0].getsockname()[1])
    server.url = f"http://127.0.0.1:{port}/v1"
    try:
        yield server
    finally:
        listening.close()
        await server.close()
