from __future__ import annotations

import dns.flags
import dns.rcode
import pytest

from handfast import Scope, UserError, parse_scope
from handfast.network.nameserver import Nameserver
from handfast.network.resolver import ResolverLimits
from handfast_inspect.name_servers import find_resolver
from loopback_dns import DnsServer, dns_server

SCOPE = """
probes = ["passive"]
targets = ["site.test"]
name_servers = [{servers}]
allow_private = ["127.0.0.1"]
[authorisation]
by = "a"
contact = "b"
date = 2026-11-30
reference = "c"
"""


def listing(*servers: Nameserver) -> Scope:
    quoted = ", ".join(f'"{each.address}:{each.port}"' for each in servers)
    return parse_scope(SCOPE.format(servers=quoted))


def known(server: DnsServer) -> DnsServer:
    server.add("site.test 60 A 127.0.0.1")
    return server


def closed_port() -> Nameserver:
    return Nameserver("127.0.0.1", 1)


async def test_a_listed_server_that_resolves_for_us_is_taken() -> None:
    async with dns_server() as server:
        known(server)
        resolver = await find_resolver(listing(server.address), "site.test", ())
        assert resolver.nameservers == (server.address,)


async def test_a_listed_server_of_a_zone_is_passed_over_for_the_systems() -> None:
    async with dns_server() as zone, dns_server() as system:
        known(zone).flags = dns.flags.QR | dns.flags.AA
        known(system)
        resolver = await find_resolver(listing(zone.address), "site.test", (system.address,))
        assert resolver.nameservers == (system.address,)


async def test_a_listed_server_of_a_zone_will_do_where_the_system_names_none() -> None:
    async with dns_server() as zone:
        known(zone).flags = dns.flags.QR | dns.flags.AA
        resolver = await find_resolver(listing(zone.address), "site.test", ())
        assert resolver.nameservers == (zone.address,)


async def test_without_a_list_the_systems_server_is_taken() -> None:
    async with dns_server() as system:
        known(system)
        resolver = await find_resolver(listing(), "site.test", (system.address,))
        assert resolver.nameservers == (system.address,)


async def test_one_silent_server_does_not_spoil_the_list() -> None:
    async with dns_server() as server:
        known(server)
        scope = listing(closed_port(), server.address)
        assert (await find_resolver(scope, "site.test", ())).nameservers == (server.address,)


async def test_when_the_listed_servers_are_silent_no_other_view_is_asked() -> None:
    async with dns_server() as system:
        known(system)
        with pytest.raises(UserError, match=r"No name server answers \(127\.0\.0\.1 port 1\)"):
            await find_resolver(listing(closed_port()), "site.test", (system.address,))
        assert system.asked == []


async def test_a_silent_system_is_an_error_that_says_what_to_do() -> None:
    with pytest.raises(UserError, match="check the network, or list another one"):
        await find_resolver(listing(), "site.test", (closed_port(),))


async def test_no_server_at_all_is_an_error_that_says_what_to_do() -> None:
    with pytest.raises(UserError, match=r"list one in the scope file.*name_servers"):
        await find_resolver(listing(), "site.test", ())


async def test_a_name_that_does_not_exist_is_refused() -> None:
    async with dns_server() as server:
        known(server)
        with pytest.raises(UserError, match=r"knows no sute\.test: check the spelling"):
            await find_resolver(listing(server.address), "sute.test", ())


async def test_an_alias_of_a_name_that_is_gone_exists() -> None:
    async with dns_server() as server:
        known(server).add("old.test 60 CNAME gone.test.")
        resolver = await find_resolver(listing(server.address), "old.test", ())
        assert resolver.nameservers == (server.address,)


@pytest.mark.parametrize("rcode", [dns.rcode.SERVFAIL, dns.rcode.REFUSED])
async def test_a_name_that_fails_is_inspected_all_the_same(rcode: dns.rcode.Rcode) -> None:
    async with dns_server() as server:
        known(server).rcode("site.test", rcode)
        resolver = await find_resolver(listing(), "site.test", (server.address,))
        assert resolver.nameservers == (server.address,)


async def test_a_name_that_nobody_answers_for_is_no_fault_of_the_server() -> None:
    async with dns_server() as server:
        known(server).silence("site.test")
        quick = ResolverLimits(attempt_seconds=0.2, total_seconds=0.3, rounds=1)
        resolver = await find_resolver(listing(server.address), "site.test", (), quick)
        assert resolver.nameservers == (server.address,)


@pytest.mark.parametrize("address", ["127.0.0.1", "::1"])
async def test_an_address_is_not_looked_up(address: str) -> None:
    async with dns_server() as server:
        known(server)
        await find_resolver(listing(server.address), address, ())
        assert {name for name, _, _ in server.asked} == {"."}
