from __future__ import annotations

import socket
from ipaddress import IPv4Address

import pytest

from handfast import UserError
from handfast_inspect.lab.addresses import BoundSites, bind_sites
from handfast_inspect.lab.hazards import silence
from handfast_inspect.lab.laboratory import PLANS as ALL_PLANS
from handfast_inspect.lab.plan import DnsPlan, DnsRole, SitePlan, StreamPlan
from handfast_inspect.lab.site import ServiceKind

PLANS = (
    SitePlan("a.lab.example", "", (StreamPlan(ServiceKind.HTTP, silence),)),
    SitePlan("name.lab.example", ""),
    SitePlan("ns.lab.example", "", (DnsPlan(DnsRole.RESOLVER),), far=True),
)


def closed(bound: BoundSites) -> BoundSites:
    bound.close()
    return bound


def test_every_site_gets_an_address_of_its_own_in_loopback() -> None:
    bound = closed(bind_sites(PLANS, None, None))
    addresses = [IPv4Address(site.address) for site in bound.sites if site.services]
    assert all(address.is_loopback for address in addresses)
    assert len(set(addresses)) == len(addresses)


def test_a_far_site_stands_in_another_network() -> None:
    near, _, far = closed(bind_sites(PLANS, None, None)).sites
    assert int(IPv4Address(far.address)) - int(IPv4Address(near.address)) == 257


def test_a_name_without_services_has_no_address() -> None:
    assert closed(bind_sites(PLANS, None, None)).sites[1].address == ""


def test_ports_are_the_standard_ones_above_the_base() -> None:
    bound = closed(bind_sites(PLANS, None, 8000))
    assert [site.services[0].port for site in bound.sites if site.services] == [8080, 8053]


def test_a_name_server_is_bound_for_datagrams_on_the_same_port() -> None:
    bound = bind_sites(PLANS, None, None)
    try:
        stream = bound.streams["ns.lab.example", ServiceKind.DNS]
        assert bound.datagrams["ns.lab.example"].getsockname() == stream.getsockname()
    finally:
        bound.close()


def test_a_taken_port_moves_the_base_where_none_was_asked_for() -> None:
    first = bind_sites(PLANS, None, None)
    try:
        taken = first.sites[0]
        second = closed(bind_sites(PLANS, taken.address, None))
        assert second.sites[0].address == taken.address
        assert second.sites[0].services[0].port != taken.services[0].port
    finally:
        first.close()


def test_a_taken_port_is_a_clear_error_where_the_base_was_asked_for() -> None:
    first = bind_sites(PLANS, None, None)
    try:
        taken = first.sites[0]
        base = taken.services[0].port - 80
        with pytest.raises(UserError, match="choose another base port"):
            bind_sites(PLANS, taken.address, base)
    finally:
        first.close()


def test_nothing_stays_bound_after_a_failure() -> None:
    first = bind_sites(PLANS[2:], None, None)
    name_server = first.sites[0]
    host = str(IPv4Address(name_server.address) - 257)
    base = name_server.services[0].port - 53
    with pytest.raises(UserError):
        bind_sites(PLANS, host, base)
    first.close()
    with socket.socket() as probe:
        probe.bind((host, base + 80))


def test_sites_that_share_an_address_are_a_thousand_ports_apart() -> None:
    host = closed(bind_sites(PLANS, None, None)).sites[0].address
    bound = closed(bind_sites(PLANS, host, None, spread=False))
    near, _, far = bound.sites
    assert near.address == far.address == host
    assert far.services[0].port - near.services[0].port == 1000 + 53 - 80


def test_all_sites_of_a_laboratory_can_share_an_address() -> None:
    host = closed(bind_sites(ALL_PLANS, None, None)).sites[0].address
    bound = closed(bind_sites(ALL_PLANS, host, None, spread=False))
    ports = [service.port for site in bound.sites for service in site.services]
    assert len(set(ports)) == len(ports)


def test_the_first_shared_address_is_the_usual_one() -> None:
    assert closed(bind_sites(PLANS, None, None, spread=False)).sites[0].address == "127.0.0.1"


@pytest.mark.parametrize("host", ["192.0.2.1", "0.0.0.0", "localhost", "::1"])
def test_a_host_outside_loopback_is_refused(host: str) -> None:
    with pytest.raises(UserError, match="127"):
        bind_sites(PLANS, host, None)


@pytest.mark.parametrize("base", [-1, 65_500])
def test_a_base_out_of_range_is_refused(base: int) -> None:
    with pytest.raises(UserError, match="out of range"):
        bind_sites(PLANS, None, base)
