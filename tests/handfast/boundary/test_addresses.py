from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast.boundary.addresses import (
    AddressKind,
    classify,
    has_zone,
    parse_address,
    special_blocks,
)

KINDS = {
    "127.0.0.1": AddressKind.LOOPBACK,
    "127.255.255.254": AddressKind.LOOPBACK,
    "0.0.0.0": AddressKind.UNSPECIFIED,
    "0.1.2.3": AddressKind.RESERVED,
    "10.0.0.1": AddressKind.PRIVATE,
    "172.16.0.1": AddressKind.PRIVATE,
    "172.31.255.254": AddressKind.PRIVATE,
    "192.168.1.1": AddressKind.PRIVATE,
    "100.64.0.1": AddressKind.SHARED,
    "169.254.1.1": AddressKind.LINK_LOCAL,
    "169.254.169.254": AddressKind.METADATA,
    "169.254.170.2": AddressKind.METADATA,
    "100.100.100.200": AddressKind.METADATA,
    "192.0.0.192": AddressKind.METADATA,
    "168.63.129.16": AddressKind.METADATA,
    "161.26.0.10": AddressKind.METADATA,
    "192.0.0.1": AddressKind.RESERVED,
    "192.0.2.1": AddressKind.DOCUMENTATION,
    "198.51.100.1": AddressKind.DOCUMENTATION,
    "203.0.113.1": AddressKind.DOCUMENTATION,
    "192.88.99.1": AddressKind.RESERVED,
    "192.31.196.1": AddressKind.RESERVED,
    "192.52.193.1": AddressKind.RESERVED,
    "192.175.48.1": AddressKind.RESERVED,
    "198.18.0.1": AddressKind.BENCHMARKING,
    "198.19.255.254": AddressKind.BENCHMARKING,
    "224.0.0.1": AddressKind.MULTICAST,
    "239.255.255.255": AddressKind.MULTICAST,
    "240.0.0.1": AddressKind.RESERVED,
    "255.255.255.255": AddressKind.BROADCAST,
    "::": AddressKind.UNSPECIFIED,
    "::1": AddressKind.LOOPBACK,
    "::ffff:8.8.8.8": AddressKind.CARRIES_IPV4,
    "::ffff:0:127.0.0.1": AddressKind.CARRIES_IPV4,
    "::127.0.0.1": AddressKind.CARRIES_IPV4,
    "::8.8.8.8": AddressKind.CARRIES_IPV4,
    "64:ff9b::8.8.8.8": AddressKind.CARRIES_IPV4,
    "64:ff9b:1::7f00:1": AddressKind.CARRIES_IPV4,
    "64:ff9b:1:ffff::a9fe:a9fe": AddressKind.CARRIES_IPV4,
    "2001:0:4136:e378:8000:63bf:80ff:fffe": AddressKind.CARRIES_IPV4,
    "2002:7f00:1::": AddressKind.CARRIES_IPV4,
    "2002:808:808::1": AddressKind.CARRIES_IPV4,
    "2a00:1450::5efe:7f00:1": AddressKind.CARRIES_IPV4,
    "2a00:1450::200:5efe:8.8.8.8": AddressKind.CARRIES_IPV4,
    "fe80::5efe:7f00:1": AddressKind.LINK_LOCAL,
    "100::1": AddressKind.RESERVED,
    "2001:1::1": AddressKind.RESERVED,
    "2001:10::1": AddressKind.RESERVED,
    "2001:20::1": AddressKind.RESERVED,
    "2001:2::1": AddressKind.BENCHMARKING,
    "2001:db8::1": AddressKind.DOCUMENTATION,
    "3fff::1": AddressKind.DOCUMENTATION,
    "3ffe::1": AddressKind.RESERVED,
    "5f00::1": AddressKind.RESERVED,
    "4000::1": AddressKind.RESERVED,
    "e000::1": AddressKind.RESERVED,
    "200::1": AddressKind.RESERVED,
    "2620:4f:8000::1": AddressKind.RESERVED,
    "fc00::1": AddressKind.PRIVATE,
    "fd12:3456::1": AddressKind.PRIVATE,
    "fd00:ec2::254": AddressKind.METADATA,
    "fd20:ce::254": AddressKind.METADATA,
    "fd00:c1::a9fe:a9fe": AddressKind.METADATA,
    "fe80::1": AddressKind.LINK_LOCAL,
    "febf::1": AddressKind.LINK_LOCAL,
    "fec0::1": AddressKind.PRIVATE,
    "ff02::1": AddressKind.MULTICAST,
    "fe80::1%eth0": AddressKind.ZONE,
    "2606:4700::1%1": AddressKind.ZONE,
}

PUBLIC = [
    "1.1.1.1",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.1",
    "168.63.129.15",
    "169.253.255.255",
    "169.255.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "192.0.1.0",
    "192.0.3.0",
    "192.167.255.255",
    "192.169.0.0",
    "198.17.255.255",
    "198.20.0.0",
    "203.0.112.255",
    "203.0.114.0",
    "223.255.255.255",
    "2606:4700:4700::1111",
    "2001:4860:4860::8888",
    "2001:200::1",
    "2a00:1450:4001:81b::200e",
    "2003::1",
]


@pytest.mark.parametrize(("text", "kind"), KINDS.items())
def test_an_address_that_is_not_public_is_told_by_its_kind(text: str, kind: AddressKind) -> None:
    found = classify(ip_address(text))
    assert found.kind is kind
    assert not found.public
    assert found.reason


@pytest.mark.parametrize("text", PUBLIC)
def test_the_neighbours_of_every_block_are_public(text: str) -> None:
    assert classify(ip_address(text)).public


@given(st.ip_addresses(v=4))
def test_whatever_the_library_calls_private_is_never_public(address: IPv4Address) -> None:
    if not address.is_global or address.is_multicast or address.is_reserved:
        assert not classify(address).public


@given(st.ip_addresses(v=6))
def test_only_global_unicast_is_public_in_ipv6(address: IPv6Address) -> None:
    if classify(address).public:
        assert int(address) >> 125 == 1
        assert address.is_global
        assert address.ipv4_mapped is None
        assert address.sixtofour is None
        assert address.teredo is None


@given(st.ip_addresses(v=4))
def test_no_ipv6_form_of_an_ipv4_address_is_public(address: IPv4Address) -> None:
    number = int(address)
    prefixes = (0, 0xFFFF << 32, 0xFFFF << 48, 0x64FF9B << 96, (0x64FF9B << 96) | (1 << 80))
    forms = [IPv6Address(prefix | number) for prefix in prefixes]
    forms.append(IPv6Address((0x2002 << 112) | (number << 80)))
    forms.append(IPv6Address((0x20010000 << 96) | (number << 64)))
    forms.append(IPv6Address((0x20010000 << 96) | (number ^ 0xFFFFFFFF)))
    forms.append(IPv6Address((0x2A001450 << 96) | (0x5EFE << 32) | number))
    assert not any(classify(form).public for form in forms)


@pytest.mark.parametrize(
    "text",
    [
        "127.1",
        "0x7f000001",
        "2130706433",
        "0177.0.0.1",
        "127.0.0.01",
        "1.2.3.4 ",
        "",
        "[::1]",
        "a",
        "١.١.١.١",
        "1.2.3.4/32",
        "::1/128",
    ],
)
def test_only_canonical_text_is_an_address(text: str) -> None:
    assert parse_address(text) is None


def test_canonical_text_is_read() -> None:
    assert parse_address("1.2.3.4") == IPv4Address("1.2.3.4")
    assert parse_address("2606:4700::1") == IPv6Address("2606:4700::1")


@pytest.mark.parametrize("block", ["8.0.0.0/8", "2600::/16", "1.1.1.1/32", "2a00:1450::1/128"])
def test_a_public_block_has_no_special_part(block: str) -> None:
    assert special_blocks(ip_network(block)) == []


@pytest.mark.parametrize(
    ("block", "part"),
    [
        ("192.0.0.0/8", "192.168.0.0/16"),
        ("10.1.2.0/24", "10.0.0.0/8"),
        ("168.0.0.0/8", "168.63.129.16/32"),
        ("2001::/16", "2001:db8::/32"),
        ("4000::/8", "4000::/8"),
        ("2a00:1450::5efe:0:0/112", "2a00:1450::5efe:0:0/112"),
    ],
)
def test_the_special_parts_of_a_block_are_found(block: str, part: str) -> None:
    assert ip_network(part) in [found for found, _ in special_blocks(ip_network(block))]


def test_a_zone_id_is_noticed() -> None:
    assert has_zone(ip_address("fe80::1%eth0"))
    assert not has_zone(ip_address("fe80::1"))
    assert not has_zone(ip_address("1.2.3.4"))
