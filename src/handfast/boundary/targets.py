"""What a scope names: a host, the hosts below a name, a block of addresses; and their ports."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from ipaddress import ip_network
from typing import TypeAlias, cast

from handfast.boundary.addresses import Address, Network, has_zone
from handfast.boundary.hostnames import HostError, normalise_host
from handfast.boundary.urls import MAX_PORT

_PORT_RANGE = re.compile(r"([1-9][0-9]{0,4})(?:-([1-9][0-9]{0,4}))?", re.ASCII)
_WIDEST = {4: 8, 6: 16}


class TargetError(ValueError):
    """A target or a port that is not written as a scope has to be."""


@dataclass(frozen=True, slots=True)
class PortSet:
    """A set of TCP ports, kept as sorted ranges."""

    ranges: tuple[tuple[int, int], ...]
    """First and last port of each range, both included."""

    def __contains__(self, port: object) -> bool:
        return isinstance(port, int) and any(low <= port <= high for low, high in self.ranges)

    def __str__(self) -> str:
        return ", ".join(str(low) if low == high else f"{low}-{high}" for low, high in self.ranges)

    def covers(self, other: PortSet) -> bool:
        """Whether every port of another set is in this one."""
        return all(
            any(low <= first and last <= high for low, high in self.ranges)
            for first, last in other.ranges
        )

    def intersection(self, other: PortSet) -> PortSet:
        """The ports that are in both sets."""
        return PortSet(
            tuple(
                (max(low, first), min(high, last))
                for low, high in self.ranges
                for first, last in other.ranges
                if max(low, first) <= min(high, last)
            )
        )


ALL_PORTS = PortSet(((1, MAX_PORT),))
"""Every TCP port."""


def port_set(ports: object) -> PortSet:
    """Makes a set from what a scope file has: an array of ports and of ranges as text.

    Args:
        ports: For example `[80, 443, "8000-8010"]`.

    Raises:
        TargetError: The value is no array, is empty, or has something that is no port.
    """
    if not isinstance(ports, list | tuple) or not ports:
        raise TargetError('must be an array of ports, for example [80, 443, "8000-8010"]')
    return _joined(_port_range(port) for port in cast("Sequence[object]", ports))


def union(sets: Iterable[PortSet]) -> PortSet:
    """The ports that are in any of some sets."""
    return _joined(found for ports in sets for found in ports.ranges)


def _joined(ranges: Iterable[tuple[int, int]]) -> PortSet:
    joined: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if joined and low <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(high, joined[-1][1]))
        else:
            joined.append((low, high))
    return PortSet(tuple(joined))


def _port_range(port: object) -> tuple[int, int]:
    match = None if isinstance(port, bool) else _PORT_RANGE.fullmatch(str(port))
    if match is None or not isinstance(port, int | str):
        raise TargetError(f'{port!r} is no port; write 443 or a range as "8000-8010"')
    low, high = int(match.group(1)), int(match.group(2) or match.group(1))
    if not low <= high <= MAX_PORT:
        raise TargetError(f"{port!r} is no range of ports between 1 and {MAX_PORT}")
    return low, high


@dataclass(frozen=True, slots=True)
class HostTarget:
    """One host by its name, exactly."""

    name: str
    ports: PortSet

    def __str__(self) -> str:
        return self.name

    def covers_name(self, name: str) -> bool:
        """Whether the normalised name is this one."""
        return name == self.name

    def covers_address(self, address: Address) -> bool:
        """Never: a name says nothing about an address that is asked for as such."""
        del address
        return False

    def covers(self, other: Target) -> bool:
        """Whether another target lies wholly in this one, its ports aside."""
        return isinstance(other, HostTarget) and other.name == self.name


@dataclass(frozen=True, slots=True)
class SubdomainTarget:
    """Every host below a name, at any depth, and not the name itself."""

    parent: str
    ports: PortSet

    def __str__(self) -> str:
        return f"*.{self.parent}"

    def covers_name(self, name: str) -> bool:
        """Whether the normalised name lies below the parent."""
        return name.endswith("." + self.parent)

    def covers_address(self, address: Address) -> bool:
        """Never: a name says nothing about an address that is asked for as such."""
        del address
        return False

    def covers(self, other: Target) -> bool:
        """Whether another target lies wholly in this one, its ports aside."""
        if isinstance(other, HostTarget):
            return self.covers_name(other.name)
        return isinstance(other, SubdomainTarget) and (
            other.parent == self.parent or self.covers_name(other.parent)
        )


@dataclass(frozen=True, slots=True)
class NetworkTarget:
    """A block of addresses; a single address is a block of one."""

    network: Network
    ports: PortSet

    def __str__(self) -> str:
        if self.network.num_addresses == 1:
            return str(self.network.network_address)
        return str(self.network)

    def covers_name(self, name: str) -> bool:
        """Never: a name may point anywhere tomorrow."""
        del name
        return False

    def covers_address(self, address: Address) -> bool:
        """Whether the address lies in the block; one with a zone id never does."""
        return address in self.network and not has_zone(address)

    def covers(self, other: Target) -> bool:
        """Whether another target lies wholly in this one, its ports aside."""
        return isinstance(other, NetworkTarget) and lies_in(other.network, self.network)


Target: TypeAlias = HostTarget | SubdomainTarget | NetworkTarget
"""What a scope may name."""


def lies_in(inner: Network, outer: Network) -> bool:
    """Whether a block lies wholly in another one; blocks of two families never do."""
    return (
        inner.version == outer.version
        and inner.network_address in outer
        and inner.broadcast_address in outer
    )


def parse_network(text: str) -> Network:
    """Reads an address or a block; the block may be written by any of its addresses.

    Args:
        text: For example `203.0.113.8/29` or `2001:db8::1`.

    Raises:
        TargetError: The text is neither, or has a zone id.
    """
    try:
        network = ip_network(text, strict=False)
    except ValueError as error:
        raise TargetError(f"{text!r} is neither an address nor a block of addresses") from error
    if "%" in text or not text.isascii():
        raise TargetError(f"{text!r} must be written without a zone id")
    return network


def parse_target(text: str, ports: PortSet) -> Target:
    """Reads a target as it stands in a scope.

    Args:
        text: `example.org`, `*.example.org`, `203.0.113.7`, `203.0.113.0/28`.
        ports: The ports that go with it.

    Raises:
        TargetError: The text is none of these, or a block that nobody can have authorised.
    """
    if "://" in text:
        raise TargetError(f"{text!r} is a URL; write only its host, ports go into ports = [...]")
    if "/" in text:
        network = parse_network(text)
        if network.prefixlen < _WIDEST[network.version]:
            raise TargetError(
                f"{text!r} is wider than /{_WIDEST[network.version]}; name what was authorised"
            )
        return NetworkTarget(network, ports)
    below = text.startswith("*.")
    try:
        host = normalise_host(text.removeprefix("*."))
    except HostError as error:
        raise TargetError(f"{error}; write example.org, *.example.org or 203.0.113.0/28") from error
    if isinstance(host, str):
        if below and "." not in host:
            raise TargetError(f"{text!r} is a whole top-level domain; name what was authorised")
        return SubdomainTarget(host, ports) if below else HostTarget(host, ports)
    if below or "%" in text:
        raise TargetError(f"{text!r} must be written without star or zone id")
    return NetworkTarget(parse_network(str(host)), ports)
