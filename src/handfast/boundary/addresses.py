"""What an IP address is good for: public, or the reason why it is not.

The rule allows, it does not deny: an address is public only when it lies in global unicast space
and in none of the blocks below. The blocks come from the IANA special-purpose registries (RFC 6890,
https://www.iana.org/assignments/iana-ipv4-special-registry and iana-ipv6-special-registry), the
IANA IPv6 address space registry and, for clouds, the vendors' own manuals. The standard library's
`is_global` is not enough: it says yes to several carriers of IPv4, to multicast and to host
services with public-looking addresses.

One form cannot be recognised from the address alone: NAT64 with a prefix of the operator's own
(RFC 6052, section 2.2). Where such a translator exists, name its prefix in no scope.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import TypeAlias

Address: TypeAlias = IPv4Address | IPv6Address
"""An IP address of either family."""

Network: TypeAlias = IPv4Network | IPv6Network
"""A block of addresses of either family."""


class AddressKind(StrEnum):
    """The classes that the boundary tells apart; only `PUBLIC` is reachable by default."""

    PUBLIC = "public"
    LOOPBACK = "loopback"
    UNSPECIFIED = "unspecified"
    PRIVATE = "private"
    SHARED = "carrier-grade NAT"
    LINK_LOCAL = "link-local"
    MULTICAST = "multicast"
    BROADCAST = "broadcast"
    RESERVED = "reserved"
    DOCUMENTATION = "documentation"
    BENCHMARKING = "benchmarking"
    METADATA = "cloud metadata or host service"
    CARRIES_IPV4 = "carries an IPv4 address"
    ZONE = "has a zone id"


@dataclass(frozen=True, slots=True)
class AddressClass:
    """What an address is, and where that is written."""

    kind: AddressKind
    """The class."""
    reason: str
    """The class in words for a person, with the source."""

    @property
    def public(self) -> bool:
        """Whether the address may be reached without being named in a scope."""
        return self.kind is AddressKind.PUBLIC


_PUBLIC = AddressClass(AddressKind.PUBLIC, "global unicast")
_NO_UNICAST = AddressClass(
    AddressKind.RESERVED, "outside 2000::/3, not global unicast (IANA IPv6 address space)"
)
_ZONE = AddressClass(AddressKind.ZONE, "a zone id names an interface of this host (RFC 4007)")
_ISATAP = AddressClass(AddressKind.CARRIES_IPV4, "ISATAP carries an IPv4 address (RFC 5214)")

_V4_BLOCKS: tuple[tuple[str, AddressKind, str], ...] = (
    ("169.254.169.254/32", AddressKind.METADATA, "cloud instance metadata (AWS, Azure, Google)"),
    ("169.254.170.2/32", AddressKind.METADATA, "AWS ECS task credentials"),
    ("169.254.170.23/32", AddressKind.METADATA, "AWS EKS Pod Identity"),
    ("169.254.0.23/32", AddressKind.METADATA, "Tencent Cloud metadata"),
    ("169.254.42.42/32", AddressKind.METADATA, "Scaleway metadata"),
    ("100.100.100.200/32", AddressKind.METADATA, "Alibaba Cloud metadata"),
    ("192.0.0.192/32", AddressKind.METADATA, "Oracle Cloud metadata"),
    ("168.63.129.16/32", AddressKind.METADATA, "Azure host service (WireServer)"),
    ("161.26.0.0/16", AddressKind.METADATA, "IBM Cloud host services"),
    ("166.8.0.0/14", AddressKind.METADATA, "IBM Cloud host services"),
    ("0.0.0.0/32", AddressKind.UNSPECIFIED, "unspecified, connects to this host (RFC 1122)"),
    ("0.0.0.0/8", AddressKind.RESERVED, "this network (RFC 791)"),
    ("10.0.0.0/8", AddressKind.PRIVATE, "private (RFC 1918)"),
    ("100.64.0.0/10", AddressKind.SHARED, "carrier-grade NAT (RFC 6598)"),
    ("127.0.0.0/8", AddressKind.LOOPBACK, "loopback (RFC 1122)"),
    ("169.254.0.0/16", AddressKind.LINK_LOCAL, "link-local (RFC 3927)"),
    ("172.16.0.0/12", AddressKind.PRIVATE, "private (RFC 1918)"),
    ("192.0.0.0/24", AddressKind.RESERVED, "IETF protocol assignments (RFC 6890)"),
    ("192.0.2.0/24", AddressKind.DOCUMENTATION, "documentation TEST-NET-1 (RFC 5737)"),
    ("192.31.196.0/24", AddressKind.RESERVED, "AS112 sink (RFC 7535)"),
    ("192.52.193.0/24", AddressKind.RESERVED, "multicast tunnelling AMT (RFC 7450)"),
    ("192.88.99.0/24", AddressKind.RESERVED, "6to4 relay anycast, deprecated (RFC 7526)"),
    ("192.168.0.0/16", AddressKind.PRIVATE, "private (RFC 1918)"),
    ("192.175.48.0/24", AddressKind.RESERVED, "AS112 sink (RFC 7534)"),
    ("198.18.0.0/15", AddressKind.BENCHMARKING, "benchmarking (RFC 2544)"),
    ("198.51.100.0/24", AddressKind.DOCUMENTATION, "documentation TEST-NET-2 (RFC 5737)"),
    ("203.0.113.0/24", AddressKind.DOCUMENTATION, "documentation TEST-NET-3 (RFC 5737)"),
    ("224.0.0.0/4", AddressKind.MULTICAST, "multicast (RFC 5771)"),
    ("255.255.255.255/32", AddressKind.BROADCAST, "limited broadcast (RFC 919)"),
    ("240.0.0.0/4", AddressKind.RESERVED, "reserved (RFC 1112)"),
)

_V6_BLOCKS: tuple[tuple[str, AddressKind, str], ...] = (
    ("fd00:ec2::/32", AddressKind.METADATA, "AWS metadata over IPv6"),
    ("fd20:ce::254/128", AddressKind.METADATA, "Google Cloud metadata over IPv6"),
    ("fd00:c1::a9fe:a9fe/128", AddressKind.METADATA, "Oracle Cloud metadata over IPv6"),
    ("fd00:42::42/128", AddressKind.METADATA, "Scaleway metadata over IPv6"),
    ("::/128", AddressKind.UNSPECIFIED, "unspecified, connects to this host (RFC 4291)"),
    ("::1/128", AddressKind.LOOPBACK, "loopback (RFC 4291)"),
    ("::ffff:0:0/96", AddressKind.CARRIES_IPV4, "IPv4-mapped (RFC 4291)"),
    ("::ffff:0:0:0/96", AddressKind.CARRIES_IPV4, "IPv4-translated (RFC 2765)"),
    ("::/96", AddressKind.CARRIES_IPV4, "IPv4-compatible, deprecated (RFC 4291)"),
    ("64:ff9b::/96", AddressKind.CARRIES_IPV4, "NAT64 well-known prefix (RFC 6052)"),
    ("64:ff9b:1::/48", AddressKind.CARRIES_IPV4, "NAT64 local-use prefix (RFC 8215)"),
    ("100::/64", AddressKind.RESERVED, "discard-only (RFC 6666)"),
    ("2001::/32", AddressKind.CARRIES_IPV4, "Teredo carries IPv4 addresses (RFC 4380)"),
    ("2001:2::/48", AddressKind.BENCHMARKING, "benchmarking (RFC 5180)"),
    ("2001:db8::/32", AddressKind.DOCUMENTATION, "documentation (RFC 3849)"),
    ("2001::/23", AddressKind.RESERVED, "IETF protocol assignments (RFC 2928)"),
    ("2002::/16", AddressKind.CARRIES_IPV4, "6to4 carries an IPv4 address (RFC 3056)"),
    ("2620:4f:8000::/48", AddressKind.RESERVED, "AS112 sink (RFC 7534)"),
    ("3ffe::/16", AddressKind.RESERVED, "6bone, returned (RFC 3701)"),
    ("3fff::/20", AddressKind.DOCUMENTATION, "documentation (RFC 9637)"),
    ("5f00::/16", AddressKind.RESERVED, "segment routing SIDs (RFC 9602)"),
    ("fc00::/7", AddressKind.PRIVATE, "unique local (RFC 4193)"),
    ("fe80::/10", AddressKind.LINK_LOCAL, "link-local (RFC 4291)"),
    ("fec0::/10", AddressKind.PRIVATE, "site-local, deprecated (RFC 3879)"),
    ("ff00::/8", AddressKind.MULTICAST, "multicast (RFC 4291)"),
)

_V4: tuple[tuple[IPv4Network, AddressClass], ...] = tuple(
    (IPv4Network(block), AddressClass(kind, reason)) for block, kind, reason in _V4_BLOCKS
)
_V6: tuple[tuple[IPv6Network, AddressClass], ...] = tuple(
    (IPv6Network(block), AddressClass(kind, reason)) for block, kind, reason in _V6_BLOCKS
)
_GLOBAL_UNICAST = IPv6Network("2000::/3")
_ISATAP_MARKS = frozenset({0x0000_5EFE, 0x0200_5EFE})


def parse_address(text: str) -> Address | None:
    """Reads an address in canonical text: no short forms, no leading zeros, no brackets.

    Args:
        text: What may be an address. A zone id is kept, and `classify` refuses it.

    Returns:
        The address, None when the text is not one.
    """
    if not text.isascii():
        return None
    try:
        return ip_address(text)
    except ValueError:
        return None


def has_zone(address: Address) -> bool:
    """Whether an address names an interface of this host; `in` a block takes no notice of that."""
    return isinstance(address, IPv6Address) and address.scope_id is not None


def classify(address: Address) -> AddressClass:
    """Says what an address is.

    Args:
        address: Any address; a zone id makes it an address of an interface of this host.

    Returns:
        Its class; `public` is True for global unicast addresses alone.
    """
    if isinstance(address, IPv4Address):
        return next((found for block, found in _V4 if address in block), _PUBLIC)
    if has_zone(address):
        return _ZONE
    for block, found in _V6:
        if address in block:
            return found
    if address not in _GLOBAL_UNICAST:
        return _NO_UNICAST
    if (int(address) >> 32) & 0xFFFF_FFFF in _ISATAP_MARKS:
        return _ISATAP
    return _PUBLIC


def special_blocks(network: Network) -> list[tuple[Network, AddressClass]]:
    """Finds the blocks of addresses that are not public and that a block overlaps.

    Args:
        network: Any block; ISATAP addresses are found only in blocks of one IPv6 subnet (/96).

    Returns:
        The overlapping blocks with what they are; outside of global unicast, the block itself.
    """
    if isinstance(network, IPv4Network):
        return [(block, found) for block, found in _V4 if block.overlaps(network)]
    found_blocks: list[tuple[Network, AddressClass]] = [
        (block, found) for block, found in _V6 if block.overlaps(network)
    ]
    for end in (network.network_address, network.broadcast_address):
        found = classify(end)
        if not found.public and not found_blocks:
            found_blocks.append((network, found))
    return found_blocks
