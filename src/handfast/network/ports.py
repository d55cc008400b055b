"""Which ports of a host take a connection, and what they say first.

A connect scan: each port gets one ordinary TCP connection at the run's pace, a short wait for a
greeting, and no byte from us. Results come as they are known, so a scan that is stopped midway
keeps what it has.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from handfast.boundary.egress import EgressGuard
from handfast.errors import EgressDenied, LimitExceeded
from handfast.network.connect import Deadlines, open_connection
from handfast.network.failure import Failure, FailureKind
from handfast.network.pace import Pace

MAX_BANNER: Final = 1024
"""Bytes of a greeting that are read."""

SCAN_DEADLINES: Final = Deadlines(connect=3.0, read=2.0, total=6.0)
"""How long one port may take by default."""


class PortState(StrEnum):
    """How a port answered."""

    OPEN = "open"
    CLOSED = "closed"
    """The host refused."""
    FILTERED = "filtered"
    """Nothing came back, or the network said no."""
    DENIED = "denied"
    """The boundary, or the run's budget, did not let us try."""


@dataclass(frozen=True, slots=True)
class PortResult:
    """One port."""

    port: int
    state: PortState
    banner: bytes = b""
    """What it said without being asked, up to `MAX_BANNER` bytes."""
    detail: str = ""
    """Why it is not open."""
    address: str = ""
    """The address that was connected to."""


async def scan(
    guard: EgressGuard,
    pace: Pace,
    host: str,
    ports: Sequence[int],
    deadlines: Deadlines = SCAN_DEADLINES,
) -> AsyncGenerator[PortResult]:
    """Tries ports of a host.

    Args:
        guard: Who admits each port.
        pace: What the run may spend.
        host: A name or an address.
        ports: What to try; each once.
        deadlines: How long one port may take; `read` is the wait for a greeting.

    Yields:
        A result for each port, in the order in which they are known.
    """

    async def one(port: int) -> PortResult:
        return await _try_port(guard, pace, host, port, deadlines)

    tasks = [asyncio.ensure_future(one(port)) for port in dict.fromkeys(ports)]
    try:
        for result in asyncio.as_completed(tasks):
            yield await result
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _try_port(
    guard: EgressGuard, pace: Pace, host: str, port: int, deadlines: Deadlines
) -> PortResult:
    try:
        admission = await guard.admit_host(host, port)
        async with pace.request(host), open_connection(admission, deadlines) as connection:
            if isinstance(connection, Failure):
                return _not_open(port, connection, str(admission.address))
            greeting = await connection.receive(MAX_BANNER, lambda data: data.endswith(b"\n"))
            pace.receive(len(greeting.data))
            return PortResult(port, PortState.OPEN, greeting.data, address=connection.peer)
    except (EgressDenied, LimitExceeded) as error:
        return PortResult(port, PortState.DENIED, detail=str(error))


def _not_open(port: int, failure: Failure, address: str) -> PortResult:
    closed = failure.kind is FailureKind.REFUSED
    state = PortState.CLOSED if closed else PortState.FILTERED
    return PortResult(port, state, detail=str(failure), address=address)
