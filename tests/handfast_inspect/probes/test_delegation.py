from __future__ import annotations

import dns.flags
import dns.message
import dns.rcode
import dns.rdatatype
import dns.rrset

from handfast.network.answer import Question
from handfast.network.nameserver import make_query
from handfast_inspect.facts.dns import NameServer
from handfast_inspect.probes.delegation import (
    FOREIGN_NAME,
    look_at_delegation,
    look_for_recursion,
    look_for_transfer,
)
from handfast_inspect.probes.probe import Target
from loopback_dns import DnsServer
from loopback_probes import context_for, look, reasons

SOA = "site.test 60 SOA ns.site.test. root.site.test. 1 2 3 4 5"


def delegated(zone: DnsServer) -> DnsServer:
    """A zone with one server of its own and one whose name is gone."""
    return zone.add(
        SOA,
        "site.test 60 NS ns.site.test.",
        "site.test 60 NS ns.gone.example.",
        "ns.site.test 60 A 127.0.0.1",
        "www.site.test 60 A 127.0.0.1",
    )


def transfer_of(*lines: str) -> bytes:
    """One message of a transfer."""
    response = dns.message.make_response(make_query(Question("site.test", "AXFR")))
    for line in lines:
        name, ttl, rtype, data = line.split(None, 3)
        response.answer.append(dns.rrset.from_text(name + ".", int(ttl), "IN", rtype, data))
    return response.to_wire(max_size=0xFFFF)


async def test_servers_are_listed_and_those_in_scope_asked(zone: DnsServer) -> None:
    delegated(zone).flags |= dns.flags.AA
    target = Target("www.site.test")
    (fact,) = (await look(look_at_delegation, context_for(zone), target)).facts.delegations
    assert fact.zone == "site.test"
    assert fact.child_servers == ("ns.gone.example", "ns.site.test")
    assert fact.parent_servers == ()
    assert fact.servers == (
        NameServer("ns.gone.example", (), None, "its name does not resolve"),
        NameServer("ns.site.test", ("127.0.0.1",), authoritative=True),
    )


async def test_a_third_partys_server_is_never_spoken_to(zone: DnsServer) -> None:
    zone.add(SOA, "site.test 60 NS ns.site.test.", "ns.site.test 60 A 192.0.2.53")
    context = context_for(zone)
    (fact,) = (await look(look_at_delegation, context)).facts.delegations
    assert fact.servers == (NameServer("ns.site.test", ("192.0.2.53",)),)
    result = await look(look_for_transfer, context)
    assert result.facts.zone_transfers == ()
    assert "the name server is not in the scope" in reasons(result)
    assert context.pace.started == 0


async def test_a_lame_server_refuses_or_answers_without_authority(zone: DnsServer) -> None:
    delegated(zone)
    (plain,) = (await look(look_at_delegation, context_for(zone))).facts.delegations
    assert plain.servers[1].authoritative is False
    assert plain.servers[1].error == ""
    whole = zone.replies

    def refuse_directly(query: dns.message.Message) -> bytes:
        response = dns.message.make_response(query)
        if not query.flags & dns.flags.RD:
            response.set_rcode(dns.rcode.REFUSED)
        else:
            rtype = dns.rdatatype.to_text(query.question[0].rdtype)
            response.answer += [zone.zone["site.test", rtype]]
        return response.to_wire(max_size=0xFFFF)

    whole["site.test"] = refuse_directly
    (lame,) = (await look(look_at_delegation, context_for(zone))).facts.delegations
    assert (lame.servers[1].authoritative, lame.servers[1].error) == (False, "REFUSED")


async def test_a_name_that_is_no_zone_is_a_gap(zone: DnsServer) -> None:
    result = await look(look_at_delegation, context_for(zone))
    assert "no zone of its own" in reasons(result)


async def test_an_open_transfer_is_counted_and_its_end_recognised(zone: DnsServer) -> None:
    delegated(zone)
    zone.transfer = [
        transfer_of(SOA, "secret.site.test 60 A 127.0.0.3"),
        transfer_of("site.test 60 NS ns.site.test.", SOA),
    ]
    result = await look(look_for_transfer, context_for(zone))
    (fact,) = result.facts.zone_transfers
    assert (fact.zone, fact.server, fact.open) == ("site.test", "ns.site.test", True)
    assert (fact.record_count, fact.error) == (4, "")
    assert fact.asset.port == zone.address.port
    evidence = next(item for item in result.evidence if item.id in fact.evidence)
    assert "secret.site.test. 60 IN A 127.0.0.3" in evidence.text
    assert "-t AXFR" in evidence.reproduce


async def test_a_refused_a_cut_and_an_empty_transfer_are_closed(zone: DnsServer) -> None:
    delegated(zone)
    refusal = dns.message.make_response(make_query(Question("site.test", "AXFR")))
    refusal.set_rcode(dns.rcode.REFUSED)
    zone.transfer = [refusal.to_wire()]
    (refused,) = (await look(look_for_transfer, context_for(zone))).facts.zone_transfers
    assert (refused.open, refused.error) == (False, "REFUSED")
    zone.transfer = [transfer_of(SOA)]
    zone.tcp_is_cut = True
    (cut,) = (await look(look_for_transfer, context_for(zone))).facts.zone_transfers
    assert (cut.open, cut.record_count, cut.error) == (False, 0, "no answer")


async def test_a_flooding_transfer_is_cut(zone: DnsServer) -> None:
    delegated(zone)
    many = [f"a{number}.site.test 60 A 127.0.0.3" for number in range(500)]
    zone.transfer = [transfer_of(SOA), *[transfer_of(*many)] * 60]
    (fact,) = (await look(look_for_transfer, context_for(zone))).facts.zone_transfers
    assert fact.open
    assert fact.record_count < 30_000


async def test_an_open_resolver_answers_for_a_name_that_is_not_its_own(zone: DnsServer) -> None:
    delegated(zone)
    result = await look(look_for_recursion, context_for(zone))
    (fact,) = result.facts.recursion
    assert (fact.server, fact.open) == ("ns.site.test", True)
    assert (FOREIGN_NAME, "A", "udp") in zone.asked
    assert "ns.gone.example: its name does not resolve" in reasons(result)


async def test_a_server_that_refuses_foreign_names_is_closed(zone: DnsServer) -> None:
    delegated(zone).rcode(FOREIGN_NAME, dns.rcode.REFUSED)
    (fact,) = (await look(look_for_recursion, context_for(zone))).facts.recursion
    assert fact.open is False


async def test_a_server_that_offers_no_recursion_is_closed(zone: DnsServer) -> None:
    delegated(zone).flags = dns.flags.QR
    (fact,) = (await look(look_for_recursion, context_for(zone))).facts.recursion
    assert fact.open is False


async def test_a_server_that_says_nothing_is_a_gap(zone: DnsServer) -> None:
    delegated(zone).silence(FOREIGN_NAME)
    result = await look(look_for_recursion, context_for(zone))
    assert result.facts.recursion == ()
    assert "timeout" in reasons(result)
