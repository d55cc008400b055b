"""Whether what a command names lies in the scope; and its one spelling for the argument vector.

A program resolves names itself, out of our sight, so a name in a vector is a promise of the scope
and of nothing else. Where that is not enough, admit the name through `EgressGuard` first and hand
the program the checked address.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address
from itertools import product
from math import prod

from handfast.boundary.addresses import Address, Network, parse_address
from handfast.boundary.hostnames import HostError, normalise_host
from handfast.boundary.scope import Scope
from handfast.boundary.targets import ALL_PORTS, PortSet, TargetError, parse_network, union
from handfast.boundary.urls import MAX_PORT
from handfast.errors import CommandRefused

MAX_ADDRESSES = 65_536
"""Addresses that one command may touch."""

MAX_RANGE = 4_096
"""Addresses that one range in octets may stand for; each is checked by itself."""

MAX_TARGET_NAME = 120
"""Characters in a name that a command asks for; real hosts have far fewer."""

_LONG_LABEL = 32
_OCTET = re.compile(r"(0|[1-9][0-9]{0,2})(?:-(0|[1-9][0-9]{0,2}))?", re.ASCII)
_OCTETS = re.compile(r"[0-9,-]+(?:\.[0-9,-]+){3}", re.ASCII)
_HOST_PORT = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^:\[\]]+):([1-9][0-9]{0,4})", re.ASCII)
_HIGHEST_OCTET = 255


def host_in_scope(program: str, text: str, scope: Scope) -> str:
    """Checks a single host, by name or address.

    Returns:
        The name in lower case without root dot, or the address in canonical text.

    Raises:
        CommandRefused: It is malformed or out of scope.
    """
    try:
        host = normalise_host(text)
    except HostError as error:
        raise CommandRefused(f"{program}: {error}") from error
    inside = scope.covers_name(host) if isinstance(host, str) else scope.covers_address(host)
    if not inside:
        raise CommandRefused(f"{program}: {text} is not in scope")
    if isinstance(host, str) and _carries_data(host):
        raise CommandRefused(f"{program}: {text} looks like data in the shape of a name")
    return str(host)


def _carries_data(name: str) -> bool:
    # Names are how data leaves through a resolver: long labels without a word in them.
    labels = name.split(".")
    return len(name) > MAX_TARGET_NAME or any(
        len(label) >= _LONG_LABEL and "-" not in label and "_" not in label for label in labels
    )


def name_in_scope(program: str, text: str, scope: Scope) -> str:
    """Checks a name that is only sent, as SNI or EHLO is: no address.

    Raises:
        CommandRefused: It is no name, or out of scope.
    """
    host = host_in_scope(program, text, scope)
    if parse_address(host) is not None:
        raise CommandRefused(f"{program}: {text} must be a name, not an address")
    return host


def server_in_scope(program: str, text: str, scope: Scope) -> str:
    """Checks a name server: a target, or one that the scope lists.

    Raises:
        CommandRefused: It is neither.
    """
    address = parse_address(text)
    if address is not None and scope.covers_name_server(address):
        return str(address)
    return host_in_scope(program, text, scope)


def address_in_scope(program: str, text: str, scope: Scope) -> Address:
    """Checks a single address.

    Raises:
        CommandRefused: It is no address, or out of scope.
    """
    address = parse_address(text)
    if address is None or not scope.covers_address(address):
        raise CommandRefused(f"{program}: {text} is not an address in scope")
    return address


def domain_in_scope(program: str, text: str, scope: Scope) -> str:
    """Checks a name to look up: a host of the scope, or the reverse name of an address in it.

    Raises:
        CommandRefused: It is malformed or out of scope.
    """
    address = _reversed_address(text.lower().removesuffix("."))
    if address is not None:
        address_in_scope(program, str(address), scope)
        return address.reverse_pointer
    return host_in_scope(program, text, scope)


def _reversed_address(name: str) -> Address | None:
    if name.endswith(".in-addr.arpa"):
        labels = name.removesuffix(".in-addr.arpa").split(".")
        found = parse_address(".".join(reversed(labels)))
        return found if isinstance(found, IPv4Address) else None
    if name.endswith(".ip6.arpa"):
        nibbles = name.removesuffix(".ip6.arpa").split(".")
        if any(len(nibble) != 1 for nibble in nibbles):
            return None
        digits = "".join(reversed(nibbles))
        groups = [digits[start : start + 4] for start in range(0, len(digits), 4)]
        found = parse_address(":".join(groups))
        return found if isinstance(found, IPv6Address) else None
    return None


def host_port_in_scope(program: str, text: str, scope: Scope) -> tuple[str, int]:
    """Checks `host:port`, with brackets around an IPv6 address.

    Raises:
        CommandRefused: It is malformed, or host or port are out of scope.
    """
    match = _HOST_PORT.fullmatch(text)
    if match is None or int(match.group(2)) > MAX_PORT:
        raise CommandRefused(f"{program}: write the target as host:port, not {text}")
    bracketed = match.group(1).startswith("[")
    host = host_in_scope(program, match.group(1).strip("[]"), scope)
    if bracketed != (":" in host):
        raise CommandRefused(f"{program}: brackets belong around IPv6 addresses, not {text}")
    port = int(match.group(2))
    port_in_scope(program, host, port, scope)
    return host, port


def port_in_scope(program: str, host: str, port: int, scope: Scope) -> None:
    """Checks a port of a host that is in scope.

    Raises:
        CommandRefused: The scope does not have this port for it.
    """
    if not scope.covers_port(host, port):
        raise CommandRefused(f"{program}: port {port} of {host} is not in scope")


@dataclass(frozen=True, slots=True)
class ScanTarget:
    """One target of a scan, wholly in scope."""

    text: str
    """Its one spelling."""
    version: int
    """4, 6, or 0 for a name."""
    size: int
    """How many addresses it stands for."""
    ports: PortSet
    """The ports that the scope has for all of them."""


def scan_targets(program: str, texts: Sequence[str], scope: Scope) -> list[ScanTarget]:
    """Checks targets of a scan: names, addresses, blocks, and IPv4 with ranges in its parts.

    Raises:
        CommandRefused: One of them is malformed, or not wholly in scope, or they are too many.
    """
    if not texts:
        raise CommandRefused(f"{program}: no target")
    targets = [_scan_target(program, text, scope) for text in texts]
    total = sum(target.size for target in targets)
    if total > MAX_ADDRESSES:
        raise CommandRefused(f"{program}: {total} addresses are more than {MAX_ADDRESSES}")
    return targets


def _scan_target(program: str, text: str, scope: Scope) -> ScanTarget:
    if "/" in text:
        network = network_in_scope(program, text, scope)
        ports = union(scope.ports_of_network(network))
        return ScanTarget(str(network), network.version, network.num_addresses, ports)
    if _OCTETS.fullmatch(text) and ("-" in text or "," in text):
        return _octet_ranges(program, text, scope)
    host = host_in_scope(program, text, scope)
    address = parse_address(host)
    return ScanTarget(host, address.version if address else 0, 1, union(scope.ports_of(host)))


def network_in_scope(program: str, text: str, scope: Scope) -> Network:
    """Checks a block of addresses.

    Raises:
        CommandRefused: It is no block, or does not lie wholly in scope.
    """
    try:
        network = parse_network(text)
    except TargetError as error:
        raise CommandRefused(f"{program}: {error}") from error
    if not scope.covers_network(network):
        raise CommandRefused(f"{program}: {text} does not lie wholly in scope")
    return network


def _octet_ranges(program: str, text: str, scope: Scope) -> ScanTarget:
    octets = [_octet(program, part, text) for part in text.split(".")]
    size = prod(len(octet) for octet in octets)
    if size > MAX_RANGE:
        raise CommandRefused(f"{program}: {text} has more than {MAX_RANGE} addresses")
    ports = ALL_PORTS
    for parts in product(*octets):
        address = IPv4Address(bytes(parts))
        if not scope.covers_address(address):
            raise CommandRefused(f"{program}: {text} does not lie wholly in scope")
        ports = ports.intersection(union(scope.ports_of(address)))
    return ScanTarget(text, 4, size, ports)


def _octet(program: str, part: str, text: str) -> list[int]:
    values: set[int] = set()
    for item in part.split(","):
        match = _OCTET.fullmatch(item)
        low, high = (
            (int(match.group(1)), int(match.group(2) or match.group(1))) if match else (1, 0)
        )
        if not low <= high <= _HIGHEST_OCTET:
            raise CommandRefused(f"{program}: {text} is not an address or a range of addresses")
        values.update(range(low, high + 1))
    return sorted(values)
