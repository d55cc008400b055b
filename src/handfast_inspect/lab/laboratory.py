"""The laboratory itself: everything bound, served, remembered and taken down."""

from __future__ import annotations

import asyncio
import ssl
from collections import deque
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from typing import Final, Self

import dns.name

from handfast_inspect.lab.address_book import AddressBook
from handfast_inspect.lab.addresses import BoundSites, bind_sites
from handfast_inspect.lab.certificates import CertificateAuthority
from handfast_inspect.lab.conversation import Pace
from handfast_inspect.lab.dns_answers import NameServer
from handfast_inspect.lab.dns_service import UdpNameService, dns_conversation
from handfast_inspect.lab.dns_zones import Zones, build_zones
from handfast_inspect.lab.hazards import silence, slow_handshake
from handfast_inspect.lab.listener import Listener, Port
from handfast_inspect.lab.plan import DnsPlan, ServicePlan, SitePlan, SlowTlsPlan, StreamPlan
from handfast_inspect.lab.plan_names import NAMES
from handfast_inspect.lab.plan_services import RESOLVER_NAME, SERVICE_PLANS
from handfast_inspect.lab.plan_tls import TLS_SITES
from handfast_inspect.lab.plan_web import WEB_SITES
from handfast_inspect.lab.scope_file import write_scope_files
from handfast_inspect.lab.site import ServiceKind, Site, Visit
from handfast_inspect.lab.tls import TlsProfile, server_context

PLANS: Final[tuple[SitePlan, ...]] = (*WEB_SITES, *TLS_SITES, *SERVICE_PLANS, *NAMES)
"""Every site that a laboratory has, in the order in which addresses are given out."""

MAX_VISITS: Final = 10_000
"""Visits that are remembered; older ones are forgotten."""

_MAX_NOTE: Final = 200


class Laboratory:
    """A small hostile internet on loopback, up for as long as the `async with` block.

        async with Laboratory() as laboratory:
            scope = laboratory.write_scope(Path("handfast-lab"))
            ...  # inspect bad.lab.example inside that scope

    Args:
        host: The first loopback address; None chooses a network in 127.0.0.0/8 at random, so that
            several laboratories can stand side by side.
        base_port: Added to the standard ports (80, 443, 53 …); None for 8000, or another where
            that is taken.
        lifetime: Seconds after which it stops by itself; None for as long as the block.
        pace: How slow the slow services are, and how long any connection may last.
        now: What certificates and signatures count their validity from; None for the clock.
    """

    def __init__(
        self,
        *,
        host: str | None = None,
        base_port: int | None = None,
        lifetime: float | None = None,
        pace: Pace | None = None,
        now: datetime | None = None,
    ) -> None:
        self._host = host
        self._base_port = base_port
        self._lifetime = lifetime
        self._pace = pace or Pace()
        self.now = now or datetime.now(UTC)
        """What certificates, signatures and the scope count from."""
        self._book = AddressBook(())
        self._authority = CertificateAuthority(self.now)
        self._visits: deque[Visit] = deque(maxlen=MAX_VISITS)
        self._running = AsyncExitStack()
        self._stopping = asyncio.Lock()
        self._expiry: asyncio.Task[None] | None = None
        self._failures: list[BaseException] = []
        self.ended = asyncio.Event()
        """Set when it no longer listens; whoever waits for that may be woken by setting it."""

    @property
    def sites(self) -> tuple[Site, ...]:
        """Every site with its address, its services and the findings expected there."""
        return self._book.sites

    @property
    def book(self) -> AddressBook:
        """Where each site stands, for making URLs."""
        return self._book

    @property
    def resolver(self) -> tuple[str, int]:
        """Address and port of the name server that knows every site."""
        return (
            self._book.address(RESOLVER_NAME),
            self._book.port(RESOLVER_NAME, ServiceKind.DNS),
        )

    @property
    def ca_pem(self) -> bytes:
        """The certificate of the authority that the good sites' certificates lead to."""
        return self._authority.root_pem

    @property
    def visits(self) -> tuple[Visit, ...]:
        """What visitors did, oldest first."""
        return tuple(self._visits)

    @property
    def trespasses(self) -> tuple[Visit, ...]:
        """Visits to sites outside the scope: an inspection must cause none."""
        return tuple(v for v in self._visits if not self._book.site(v.site).in_scope)

    def write_scope(self, folder: Path) -> Path:
        """Writes `scope.toml` and `ca.pem` for an inspection of this laboratory.

        Args:
            folder: Where to; made if it is not there.

        Returns:
            The path of the scope file.

        Raises:
            UserError: The folder cannot be written.
        """
        return write_scope_files(folder, self._book, self.resolver, self.ca_pem, self.now)

    async def __aenter__(self) -> Self:
        """Binds and serves every site.

        Raises:
            UserError: The host or the base port cannot be used.
        """
        bound = bind_sites(PLANS, self._host, self._base_port)
        self._book = AddressBook(bound.sites)
        async with AsyncExitStack() as starting:
            starting.callback(self.ended.set)
            starting.callback(bound.close)
            await self._serve(starting, bound)
            self._running = starting.pop_all()
        if self._lifetime is not None:
            self._expiry = asyncio.create_task(self._expire(self._lifetime))
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        """Ends every connection and closes every socket.

        Raises:
            BaseExceptionGroup: A conversation of the laboratory itself failed: a bug in it.
        """
        del exc_info
        await self._stop()
        if self._expiry is not None:
            self._expiry.cancel()
            await asyncio.gather(self._expiry, return_exceptions=True)
        if self._failures:
            raise BaseExceptionGroup("the laboratory failed", self._failures)

    async def _expire(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
        await self._stop()

    async def _stop(self) -> None:
        async with self._stopping:
            await self._running.aclose()

    async def _serve(self, starting: AsyncExitStack, bound: BoundSites) -> None:
        zones = cache(partial(build_zones, self._book, self.now))
        for plan in PLANS:
            site = self._book.site(plan.name)
            for service in plan.services:
                port = self._port(site, service, zones)
                listener = Listener(port, bound.streams[site.name, service.kind], self._failures)
                starting.push_async_callback(listener.close)
                listener.start()
                if isinstance(service, DnsPlan):
                    await _serve_datagrams(starting, bound, site, _name_server(service, zones))

    def _port(self, site: Site, plan: ServicePlan, zones: Callable[[], Zones]) -> Port:
        port = Port(
            site=site,
            kind=plan.kind,
            conversation=silence,
            book=self._book,
            pace=self._pace,
            note=self._noting(site.name, plan.kind),
        )
        match plan:
            case StreamPlan():
                return replace(
                    port,
                    conversation=plan.conversation,
                    tls=self._tls(plan.tls) if plan.tls else None,
                    starttls=self._tls(plan.starttls) if plan.starttls else None,
                )
            case SlowTlsPlan():
                return replace(port, conversation=slow_handshake(self._tls(plan.tls)))
            case DnsPlan():
                talk = dns_conversation(_name_server(plan, zones))
                return replace(port, conversation=talk)

    def _tls(self, profile: TlsProfile) -> Callable[[], ssl.SSLContext]:
        """Makes a context at the first visit and keeps it: most sites are never visited."""
        return cache(lambda: server_context(profile, self._authority.issue(profile.certificate)))

    def _noting(self, site: str, kind: ServiceKind) -> Callable[[str], None]:
        def note(what: str) -> None:
            self._visits.append(Visit(site, kind, what[:_MAX_NOTE]))

        return note


def _name_server(plan: DnsPlan, zones: Callable[[], Zones]) -> NameServer:
    own = frozenset(dns.name.from_text(zone) for zone in plan.zones)
    return NameServer(zones, plan.role, own)


async def _serve_datagrams(
    starting: AsyncExitStack, bound: BoundSites, site: Site, server: NameServer
) -> None:
    transport, protocol = await asyncio.get_running_loop().create_datagram_endpoint(
        lambda: UdpNameService(server), sock=bound.datagrams[site.name]
    )

    async def close() -> None:
        transport.close()
        await protocol.closed

    starting.push_async_callback(close)
