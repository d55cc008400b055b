"""Where the laboratory may stand: loopback addresses and ports, chosen and bound.

On Linux (and Windows) all of 127.0.0.0/8 is loopback, so each site gets an address of its own and
the usual port of each kind plus a base. Elsewhere all sites share one address and are 1,000 ports
apart.
"""

from __future__ import annotations

import contextlib
import errno
import secrets
import socket
from dataclasses import dataclass
from ipaddress import IPv4Address
from typing import Final

from handfast import UserError
from handfast_inspect.lab.plan import DnsPlan, SitePlan
from handfast_inspect.lab.site import STANDARD_PORTS, Service, ServiceKind, Site

DEFAULT_BASE_PORT: Final = 8000
"""Added to each standard port: http stands on 8080, https on 8443."""

_PORTS_APART: Final = 1000
_FAR: Final = 256


@dataclass(slots=True)
class BoundSites:
    """Sites with their addresses, and the sockets bound for them."""

    sites: tuple[Site, ...]
    streams: dict[tuple[str, ServiceKind], socket.socket]
    """By the site's name and the service's kind."""
    datagrams: dict[str, socket.socket]
    """Of name servers, by the site's name."""

    def close(self) -> None:
        """Closes every socket that nobody has closed yet."""
        for sock in (*self.streams.values(), *self.datagrams.values()):
            sock.close()


def bind_sites(
    plans: tuple[SitePlan, ...],
    host: str | None,
    base_port: int | None,
    *,
    spread: bool | None = None,
) -> BoundSites:
    """Gives every planned site its address and binds its ports.

    Args:
        plans: What is to be bound.
        host: The first address, in 127.0.0.0/8; None for one in a network chosen at random.
        base_port: What is added to the standard ports; None for `DEFAULT_BASE_PORT`, or another
            where ports are taken.
        spread: Whether each site gets an address of its own; None for where the system allows it.

    Raises:
        UserError: The address is not loopback, the base leads beyond port 65,535, or a port is
            taken.
    """
    if spread is None:
        spread = _whole_network_is_ours()
    failure: OSError | None = None
    for base in _bases(spread=spread) if base_port is None else (base_port,):
        first = _first_address(host, spread=spread)
        try:
            return _bind(_place(plans, first, base, spread=spread), plans)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise UserError(f"The laboratory cannot listen on {first}: {error}") from error
            failure = error
    raise UserError(
        f"A port of the laboratory is taken ({failure}): choose another base port or host, or none."
    )


def _bases(*, spread: bool) -> range:
    """The base ports to try: web ports end in 80 and 443 where there is room for it."""
    if spread:
        return range(DEFAULT_BASE_PORT, 0xFFFF - max(STANDARD_PORTS.values()), 10_000)
    return range(DEFAULT_BASE_PORT, DEFAULT_BASE_PORT + 100)


def _first_address(host: str | None, *, spread: bool) -> IPv4Address:
    if host is None:
        second, third = 1 + secrets.randbelow(250), secrets.randbelow(254)
        return IPv4Address(f"127.{second}.{third}.1") if spread else _LOOPBACK
    try:
        address = IPv4Address(host)
    except ValueError as error:
        raise UserError(f"{host!r} is no IPv4 address: write for example 127.0.0.1") from error
    if not address.is_loopback:
        raise UserError(f"{host} is not loopback: the laboratory listens in 127.0.0.0/8 only")
    return address


_LOOPBACK: Final = IPv4Address("127.0.0.1")


def _whole_network_is_ours() -> bool:
    """Whether addresses other than 127.0.0.1 can be bound."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        try:
            probe.bind(("127.0.0.2", 0))
        except OSError:
            return False
        return True


def _place(
    plans: tuple[SitePlan, ...], first: IPv4Address, base: int, *, spread: bool
) -> tuple[Site, ...]:
    sites: list[Site] = []
    position = 0
    for plan in plans:
        address = first + position + (_FAR if plan.far else 0) if spread else first
        offset = base + (0 if spread else _PORTS_APART * position)
        services = tuple(
            Service(service.kind, offset + STANDARD_PORTS[service.kind])
            for service in plan.services
        )
        if base < 0 or any(service.port > 0xFFFF for service in services):  # noqa: PLR2004 - 16 bits
            raise UserError(f"base port {base} is out of range: choose one between 1024 and 20000")
        position += 1 if plan.services else 0
        sites.append(
            Site(
                name=plan.name,
                description=plan.description,
                address=str(address) if plan.services else "",
                services=services,
                expected=plan.expected,
                exact=plan.exact,
                in_scope=plan.in_scope,
                aliases=plan.aliases,
            )
        )
    return tuple(sites)


def _bind(sites: tuple[Site, ...], plans: tuple[SitePlan, ...]) -> BoundSites:
    bound = BoundSites(sites, {}, {})
    with contextlib.ExitStack() as undo:
        undo.callback(bound.close)
        for site, plan in zip(sites, plans, strict=True):
            _bind_site(bound, site, plan)
        undo.pop_all()
    return bound


def _bind_site(bound: BoundSites, site: Site, plan: SitePlan) -> None:
    for service, planned in zip(site.services, plan.services, strict=True):
        address = (site.address, service.port)
        bound.streams[site.name, service.kind] = _socket(socket.SOCK_STREAM, address)
        if isinstance(planned, DnsPlan):
            bound.datagrams[site.name] = _socket(socket.SOCK_DGRAM, address)


def _socket(kind: socket.SocketKind, address: tuple[str, int]) -> socket.socket:
    sock = socket.socket(socket.AF_INET, kind)
    try:
        if kind is socket.SOCK_STREAM:
            # A laboratory that was just stopped leaves connections in TIME_WAIT.
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind(address)
    except OSError:
        sock.close()
        raise
    return sock
