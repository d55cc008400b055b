from __future__ import annotations

from ipaddress import ip_address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast.boundary.targets import (
    ALL_PORTS,
    HostTarget,
    NetworkTarget,
    PortSet,
    SubdomainTarget,
    TargetError,
    lies_in,
    parse_network,
    parse_target,
    port_set,
    union,
)

WEB = port_set([80, 443])
PORT_LISTS = st.lists(st.integers(1, 65_535), min_size=1, max_size=8)


def test_ports_and_ranges_are_sorted_and_joined() -> None:
    assert port_set([443, "80-81", 82, "100-200", "150-160"]).ranges == (
        (80, 82),
        (100, 200),
        (443, 443),
    )
    assert str(port_set([443, "80-82"])) == "80-82, 443"


@pytest.mark.parametrize(
    "ports",
    [[], None, 80, "80", {"a": 1}, [0], [65_536], ["80-"], ["90-80"], [True], [80.0], ["x"],
     ["٨٠"], [-1], [None], ["080"], [" 80"]],
)  # fmt: skip
def test_what_is_no_port_is_refused(ports: object) -> None:
    with pytest.raises(TargetError):
        port_set(ports)


@given(PORT_LISTS, PORT_LISTS)
def test_port_sets_behave_as_sets(one: list[int], other: list[int]) -> None:
    left, right = port_set(one), port_set(other)
    both, either = left.intersection(right), union([left, right])
    for port in {*one, *other, 1, 65_535}:
        assert (port in left) == (port in one)
        assert (port in both) == (port in one and port in other)
        assert (port in either) == (port in one or port in other)
    assert left.covers(right) == set(other).issubset(one)
    assert ALL_PORTS.covers(either)
    assert "80" not in left


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("example.org", HostTarget("example.org", WEB)),
        ("EXAMPLE.org.", HostTarget("example.org", WEB)),
        ("localhost", HostTarget("localhost", WEB)),
        ("*.example.org", SubdomainTarget("example.org", WEB)),
        ("203.0.113.7", NetworkTarget(ip_network("203.0.113.7/32"), WEB)),
        ("203.0.113.9/29", NetworkTarget(ip_network("203.0.113.8/29"), WEB)),
        ("2001:db8::1", NetworkTarget(ip_network("2001:db8::1/128"), WEB)),
    ],
)
def test_a_target_is_read(text: str, target: object) -> None:
    assert parse_target(text, WEB) == target


@pytest.mark.parametrize(
    "text",
    ["", "https://example.org", "example.org/24", "203.0.113.0/33", "0.0.0.0/0", "10.0.0.0/7",
     "::/0", "2000::/15", "*", "*.", "*.org", "*.1.2.3.4", "*.*.example.org", "a..b", "127.1",
     "fe80::1%eth0", "fe80::1%eth0/64", "exa mple.org", "example.org:80", "[::1]"],
)  # fmt: skip
def test_what_is_no_target_is_refused(text: str) -> None:
    with pytest.raises(TargetError):
        parse_target(text, WEB)


def test_each_target_covers_its_own_kind_alone() -> None:
    host = parse_target("example.org", WEB)
    below = parse_target("*.example.org", WEB)
    block = parse_target("203.0.113.8/29", WEB)
    address = ip_address("203.0.113.9")
    assert host.covers_name("example.org")
    assert not host.covers_name("www.example.org")
    assert not host.covers_address(address)
    assert below.covers_name("a.b.example.org")
    assert not below.covers_name("example.org")
    assert not below.covers_name("evilexample.org")
    assert not below.covers_address(address)
    assert block.covers_address(address)
    assert not block.covers_address(ip_address("203.0.113.16"))
    assert not block.covers_address(ip_address("::1"))
    assert not block.covers_name("203.0.113.9")


@pytest.mark.parametrize(
    ("outer", "inner", "covered"),
    [
        ("example.org", "example.org", True),
        ("example.org", "*.example.org", False),
        ("example.org", "a.example.org", False),
        ("*.example.org", "a.example.org", True),
        ("*.example.org", "*.a.example.org", True),
        ("*.example.org", "*.example.org", True),
        ("*.a.example.org", "*.example.org", False),
        ("*.example.org", "example.org", False),
        ("*.example.org", "203.0.113.1", False),
        ("203.0.113.0/24", "203.0.113.8/29", True),
        ("203.0.113.8/29", "203.0.113.0/24", False),
        ("203.0.113.0/24", "2001:db8::1", False),
        ("203.0.113.0/24", "example.org", False),
    ],
)
def test_a_target_covers_another_one_or_not(outer: str, inner: str, *, covered: bool) -> None:
    assert parse_target(outer, WEB).covers(parse_target(inner, WEB)) is covered


def test_a_target_is_shown_as_it_is_written() -> None:
    for text in ("example.org", "*.example.org", "203.0.113.7", "203.0.113.8/29"):
        assert str(parse_target(text, WEB)) == text


def test_blocks_of_two_families_never_hold_each_other() -> None:
    assert not lies_in(ip_network("::/96"), ip_network("0.0.0.0/0"))
    assert lies_in(ip_network("::1/128"), ip_network("::/96"))


@pytest.mark.parametrize("text", ["", "x", "1.2.3.4/99", "fe80::1%lo", "１.1.1.1"])
def test_what_is_no_block_is_refused(text: str) -> None:
    with pytest.raises(TargetError):
        parse_network(text)


def test_an_empty_set_of_ports_has_none() -> None:
    assert 80 not in PortSet(())
