from __future__ import annotations

import asyncio
import socket
import struct

from handfast_inspect.probes.port_names import TOP_PORTS
from handfast_inspect.probes.probe import Target
from handfast_inspect.probes.services import (
    look_at_mail_exchangers,
    look_at_services,
    ports_to_try,
)
from loopback_dns import DnsServer
from loopback_probes import SITE, context_for, look, reasons, site_on
from loopback_tcp import floods, says, silent, tcp_server


def kexinit() -> bytes:
    lists = [b"group1-sha1", b"ssh-dss", b"arcfour", b"arcfour", b"hmac-md5", b"hmac-md5"]
    payload = b"\x14" + bytes(16)
    payload += b"".join(
        struct.pack("!I", len(names)) + names for names in [*lists, b"", b"", b"", b""]
    )
    payload += bytes(5)
    return struct.pack("!IB", len(payload) + 9, 8) + payload + bytes(8)


async def test_open_ports_are_recognised_and_looked_at(zone: DnsServer) -> None:
    ftp = says(b"220 (vsFTPd 2.3.4)\r\n")
    ssh = says(b"SSH-2.0-OpenSSH_5.3\r\n" + kexinit())
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        closed = taken.getsockname()[1]
        async with tcp_server(ftp) as one, tcp_server(ssh) as two, tcp_server(silent()) as three:
            target = site_on(ports=(one, two, three, closed))
            result = await look(look_at_services, context_for(zone), target)
    facts = result.facts
    assert {fact.asset.port: fact.protocol for fact in facts.services} == {
        one: "ftp",
        two: "ssh",
        three: "",
    }
    (scan,) = facts.port_scans
    assert scan.open == tuple(sorted((one, two, three)))
    assert scan.closed == (closed,)
    (server,) = facts.ssh
    assert server.identification == "SSH-2.0-OpenSSH_5.3"
    assert (server.key_exchange, server.host_keys) == (("group1-sha1",), ("ssh-dss",))
    banner = next(fact for fact in facts.services if fact.protocol == "ftp")
    assert (banner.product, banner.version, banner.tls) == ("vsftpd", "2.3.4", False)
    assert "ftp: no reply" in reasons(result)


async def test_only_granted_ports_are_tried(zone: DnsServer) -> None:
    async with tcp_server(silent()) as port:
        context = context_for(zone, ports=[port])
        assert ports_to_try(SITE, context) == (port,)
        result = await look(look_at_services, context, site_on(ports=(port, 1, 2)))
    assert result.facts.port_scans[0].open == (port,)
    assert result.facts.port_scans[0].closed == ()


async def test_without_a_list_the_usual_and_the_named_ports_are_tried(zone: DnsServer) -> None:
    assert set(ports_to_try(SITE, context_for(zone))) == set(TOP_PORTS)
    named = ports_to_try(SITE, context_for(zone, ports=[22, 8021, 9999]))
    assert set(named) == {22, 8021, 9999}


async def test_where_no_port_is_granted_nothing_is_tried(zone: DnsServer) -> None:
    context = context_for(zone)
    result = await look(look_at_services, context, Target("other.test"))
    assert "none of the usual ports is in scope" in reasons(result)
    assert context.pace.started == 0


async def test_a_spent_budget_ends_the_scan_with_what_was_seen(zone: DnsServer) -> None:
    async with tcp_server(says(b"RFB 003.008\n")) as one, tcp_server(silent()) as two:
        context = context_for(zone, requests=1)
        result = await look(look_at_services, context, site_on(ports=(one, two)))
    assert len(result.facts.port_scans[0].open) == 1
    assert "1 ports were not tried" in reasons(result)


async def test_a_server_that_claims_to_be_ssh_and_floods_is_bounded(zone: DnsServer) -> None:
    async with tcp_server(floods(b"SSH-2.0-x\r\n" * 99)) as port:
        context = context_for(zone)
        result = await look(look_at_services, context, site_on(ports=(port,)))
    assert result.facts.ssh[0].key_exchange == ()
    assert context.pace.received < 100_000


async def test_ssh_that_says_nothing_the_second_time_is_a_gap(zone: DnsServer) -> None:
    first = True

    async def once(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal first
        if first:
            writer.write(b"SSH-2.0-x\r\n")
            first = False
        await reader.read(100)

    async with tcp_server(once) as port:
        result = await look(look_at_services, context_for(zone), site_on(ports=(port,)))
    assert result.facts.ssh == ()
    assert "no SSH identification came" in reasons(result)


async def test_mail_exchangers_in_scope_are_asked(zone: DnsServer) -> None:
    zone.add("site.test 60 MX 10 mx.site.test.", "site.test 60 MX 20 mx.outside.example.")
    zone.add("mx.site.test 60 A 127.0.0.1")

    async def plain(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 hi\r\n")
        await reader.readline()
        writer.write(b"250 fine\r\n")

    async with tcp_server(plain) as port:
        result = await look(look_at_mail_exchangers, context_for(zone, ports=[port]))
    (fact,) = result.facts.starttls
    assert (fact.asset.host, fact.asset.port, fact.is_mx) == ("mx.site.test", port, True)
    assert not fact.offered
    assert "mx.outside.example" in reasons(result)


async def test_a_domain_without_mail_is_said_so(zone: DnsServer) -> None:
    zone.add("site.test 60 MX 0 .")
    result = await look(look_at_mail_exchangers, context_for(zone))
    assert reasons(result) == "the domain has no mail exchanger"
