"""A gathering on loopback with nothing gathered yet."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest_asyncio

from handfast_inspect.findings.finding import ProbeClass
from handfast_inspect.gathering import Gathering
from handfast_inspect.progress import Progress
from loopback_dns import dns_server
from loopback_probes import SITE, context_for


@pytest_asyncio.fixture(name="gathering")
async def _gathering(told: list[Progress]) -> AsyncIterator[Gathering]:
    async with dns_server() as dns:
        yield Gathering(SITE, context_for(dns), frozenset(ProbeClass), told.append)


@pytest_asyncio.fixture(name="told")
async def _told() -> list[Progress]:
    return []
