from __future__ import annotations

from ipaddress import IPv4Address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast.boundary.command_targets import (
    MAX_RANGE,
    address_in_scope,
    domain_in_scope,
    host_in_scope,
    host_port_in_scope,
    name_in_scope,
    network_in_scope,
    port_in_scope,
    scan_targets,
    server_in_scope,
)
from handfast.boundary.scope import Scope
from handfast.boundary.targets import port_set
from handfast.errors import CommandRefused
from lab_scopes import lab


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("lab.example", "lab.example"),
        ("APP.Lab.Example.", "app.lab.example"),
        ("203.0.113.10", "203.0.113.10"),
        ("2001:db8:10:0::5", "2001:db8:10::5"),
    ],
)
def test_a_host_in_scope_has_one_spelling(text: str, host: str, scope: Scope) -> None:
    assert host_in_scope("p", text, scope) == host


@pytest.mark.parametrize(
    "text",
    ["evil.example", "evillab.example", "lab.example.evil.example", "203.0.113.16", "203.0.113",
     "3405803786", "0xcb.0.113.10", "203.0.113.010", "2001:db8:11::1", "::ffff:203.0.113.10",
     "203.0.113.10%eth0", "2001:db8:10::1%eth0", "", "-oN", "@x", "a b", "lab.example:80",
     "203.0.113.10/32", "app。lab。example"],
)  # fmt: skip
def test_a_host_out_of_scope_is_refused(text: str, scope: Scope) -> None:
    with pytest.raises(CommandRefused):
        host_in_scope("p", text, scope)


@pytest.mark.parametrize(
    "text",
    [
        "a" * 32 + ".lab.example",
        "mfrggzdfmztwq2lknnwg23tpmfrggzdf.lab.example",
        ".".join(["abcdefghij-klmnopqrst"] * 6) + ".lab.example",
    ],
)
def test_a_name_that_carries_data_is_refused(text: str, scope: Scope) -> None:
    with pytest.raises(CommandRefused, match="data in the shape of a name"):
        host_in_scope("p", text, scope)


def test_a_long_name_of_words_passes(scope: Scope) -> None:
    name = "a-long-but-ordinary-name-of-a-machine-in-the-cellar.lab.example"
    assert host_in_scope("p", name, scope) == name


def test_a_name_is_no_address(scope: Scope) -> None:
    assert name_in_scope("p", "app.lab.example", scope) == "app.lab.example"
    with pytest.raises(CommandRefused, match="must be a name"):
        name_in_scope("p", "203.0.113.10", scope)


def test_a_name_server_is_a_target_or_listed(scope: Scope) -> None:
    assert server_in_scope("p", "9.9.9.9", scope) == "9.9.9.9"
    assert server_in_scope("p", "203.0.113.10", scope) == "203.0.113.10"
    assert server_in_scope("p", "ns.lab.example", scope) == "ns.lab.example"
    for text in ("8.8.8.8", "dns.evil.example"):
        with pytest.raises(CommandRefused):
            server_in_scope("p", text, scope)


def test_a_domain_is_a_host_or_the_reverse_name_of_one(scope: Scope) -> None:
    assert domain_in_scope("p", "_dmarc.lab.example", scope) == "_dmarc.lab.example"
    assert domain_in_scope("p", "10.113.0.203.IN-ADDR.ARPA.", scope) == "10.113.0.203.in-addr.arpa"
    reverse = "5." + "0." * 15 + "0.1.0.0.8.b.d.0.1.0.0.2.ip6.arpa"
    with pytest.raises(CommandRefused):
        domain_in_scope("p", reverse, scope)
    inside = address_in_scope("p", "2001:db8:10::5", scope).reverse_pointer
    assert domain_in_scope("p", inside, scope) == inside


@pytest.mark.parametrize(
    "text",
    ["1.100.51.198.in-addr.arpa", "113.0.203.in-addr.arpa", "a.in-addr.arpa", "5.5.ip6.arpa",
     "10.5.ip6.arpa", "in-addr.arpa", "0:0.ip6.arpa"],
)  # fmt: skip
def test_a_reverse_name_out_of_scope_or_cut_off_is_refused(text: str, scope: Scope) -> None:
    with pytest.raises(CommandRefused):
        domain_in_scope("p", text, scope)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("app.lab.example:443", ("app.lab.example", 443)),
        ("203.0.113.10:25", ("203.0.113.10", 25)),
        ("[2001:db8:10::5]:443", ("2001:db8:10::5", 443)),
    ],
)
def test_host_and_port_are_read_together(text: str, found: object, scope: Scope) -> None:
    assert host_port_in_scope("p", text, scope) == found


@pytest.mark.parametrize(
    "text",
    ["app.lab.example", "app.lab.example:", "app.lab.example:0", "app.lab.example:70000",
     "app.lab.example:https", "app.lab.example:080", "2001:db8:10::5:443", "[app.lab.example]:443",
     "[203.0.113.10]:443", "evil.example:443", "app.lab.example:443:443", ":443"],
)  # fmt: skip
def test_a_malformed_pair_is_refused(text: str, scope: Scope) -> None:
    with pytest.raises(CommandRefused):
        host_port_in_scope("p", text, scope)


def test_ports_are_those_of_the_scope(web_scope: Scope) -> None:
    port_in_scope("p", "lab.example", 443, web_scope)
    with pytest.raises(CommandRefused, match="is not in scope"):
        host_port_in_scope("p", "lab.example:22", web_scope)


def test_a_block_must_lie_wholly_in_scope(scope: Scope) -> None:
    assert network_in_scope("p", "203.0.113.10/30", scope) == ip_network("203.0.113.8/30")
    for text in ("203.0.113.10/28", "203.0.113.10/0", "203.0.113.10/x", "app.lab.example/24"):
        with pytest.raises(CommandRefused):
            network_in_scope("p", text, scope)


def test_targets_of_a_scan_say_their_size_family_and_ports(scope: Scope) -> None:
    texts = [
        "app.lab.example",
        "203.0.113.8/30",
        "203.0.113.8-11",
        "203.0.113.9,12",
        "2001:db8:10::1",
    ]
    found = scan_targets("p", texts, scope)
    assert [(target.version, target.size) for target in found] == [
        (0, 1),
        (4, 4),
        (4, 4),
        (4, 2),
        (6, 1),
    ]
    assert found[1].text == "203.0.113.8/30"
    assert 8_080 in found[2].ports
    assert scan_targets("p", ["10.1.2.3"], scope)[0].ports == port_set([22])
    assert scan_targets("p", ["10.1.0-3.1-2"], scope)[0].ports == port_set([22])


@pytest.mark.parametrize(
    "texts",
    [
        [],
        ["203.0.113.*"],
        ["203.0.113.8-200"],
        ["203.0.113.15-8"],
        ["203.0.113.8-"],
        ["203.0.113.-9"],
        ["203.0-255.113.10"],
        ["203.0.113.8-300"],
        ["203.0.113.8,,9"],
        ["203.0.113.08-9"],
        ["10.0-255.0-255.1"],
        ["10.0.0.0/8"],
        ["10.0.0.0/16", "10.1.0.0/16"],
        ["2001:db8:10::/64"],
        ["203.0.113.10", "198.51.100.7"],
        ["203.0.113.10/0"],
        ["203.0.113.10/29/29"],
    ],
)
def test_targets_that_are_not_wholly_in_scope_or_too_many_are_refused(
    texts: list[str], scope: Scope
) -> None:
    with pytest.raises(CommandRefused):
        scan_targets("p", texts, scope)


OCTET = st.one_of(
    st.integers(0, 255).map(str),
    st.tuples(st.integers(0, 255), st.integers(0, 255)).map(lambda pair: f"{pair[0]}-{pair[1]}"),
    st.tuples(st.integers(0, 255), st.integers(0, 255)).map(lambda pair: f"{pair[0]},{pair[1]}"),
)


@given(OCTET, st.sampled_from(["113", "112-113", "113,114", "0-255"]))
def test_a_range_passes_only_when_every_address_of_it_is_in_scope(last: str, third: str) -> None:
    try:
        found = scan_targets("p", [f"203.0.{third}.{last}"], lab())[0]
    except CommandRefused:
        return
    assert third == "113"
    assert found.size <= MAX_RANGE
    ends = [int(part) for part in last.replace("-", ",").split(",")]
    assert all(IPv4Address(f"203.0.113.{end}") in ip_network("203.0.113.8/29") for end in ends)
