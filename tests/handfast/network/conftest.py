"""Servers on loopback for the network's tests."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest_asyncio

from loopback_dns import DnsServer, dns_server


@pytest_asyncio.fixture(name="dns_on_loopback")
async def _dns_on_loopback() -> AsyncIterator[DnsServer]:
    async with dns_server() as server:
        yield server
