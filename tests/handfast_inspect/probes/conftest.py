"""A name server for site.test, whose address is loopback."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest_asyncio

from loopback_dns import DnsServer, dns_server


@pytest_asyncio.fixture(name="zone")
async def _zone() -> AsyncIterator[DnsServer]:
    async with dns_server() as server:
        server.add("site.test 60 A 127.0.0.1")
        yield server
