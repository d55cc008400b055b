from __future__ import annotations

import asyncio
import struct

import dns.asyncquery
import dns.flags
import dns.message
import dns.rcode
import dns.zone
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast_inspect.lab.site import ServiceKind
from laboratory_client import LaboratoryClient, StandingLaboratory, shown

DNS = ServiceKind.DNS
RESOLVER = "resolver.lab.example"


@pytest.mark.parametrize("tcp", [False, True])
async def test_a_question_is_answered_over_udp_and_tcp(
    client: LaboratoryClient, *, tcp: bool
) -> None:
    answer = await client.ask("good.lab.example", "A", tcp=tcp)
    assert shown(answer.answer) == [client.laboratory.book.address("good.lab.example")]


async def test_a_cut_answer_leads_to_tcp(client: LaboratoryClient) -> None:
    address, port = client.where(RESOLVER, DNS)
    query = dns.message.make_query("big.lab.example", "TXT")
    answer, over_tcp = await dns.asyncquery.udp_with_fallback(query, address, 5, port)
    assert over_tcp
    assert len(answer.answer[0]) > 10


async def test_the_bad_zone_can_be_transferred(client: LaboratoryClient) -> None:
    address, port = client.where("ns1.bad.lab.example", DNS)
    zone = dns.zone.Zone("bad.lab.example")
    await dns.asyncquery.inbound_xfr(address, zone, port=port, lifetime=5)
    assert "vpn-gateway" in {name.to_text() for name in zone}


async def test_several_questions_share_a_connection(client: LaboratoryClient) -> None:
    query = dns.message.make_query("good.lab.example", "A").to_wire()
    sent = (struct.pack("!H", len(query)) + query) * 3
    received = await client.exchange(RESOLVER, DNS, sent, end=True)
    assert received.count(query[:2]) >= 3


@pytest.mark.parametrize("server", ["ns1.good.lab.example", "ns2.good.lab.example"])
async def test_the_good_name_servers_answer_with_authority(
    client: LaboratoryClient, server: str
) -> None:
    answer = await client.ask("good.lab.example", "SOA", server=server, recursive=False)
    assert answer.flags & dns.flags.AA
    assert (await client.ask("bad.lab.example", "A", server=server)).rcode() == dns.rcode.REFUSED


async def test_the_lame_name_server_refuses(client: LaboratoryClient) -> None:
    answer = await client.ask("bad.lab.example", "SOA", server="ns2.bad.lab.example")
    assert answer.rcode() == dns.rcode.REFUSED


@given(datagrams=st.lists(st.binary(max_size=100), max_size=5), stream=st.binary(max_size=200))
def test_garbage_never_kills_the_server(
    standing: StandingLaboratory, datagrams: list[bytes], stream: bytes
) -> None:
    standing.run(send_garbage(standing.client, datagrams, stream))


async def send_garbage(client: LaboratoryClient, datagrams: list[bytes], stream: bytes) -> None:
    transport, _ = await asyncio.get_running_loop().create_datagram_endpoint(
        asyncio.DatagramProtocol, remote_addr=client.where(RESOLVER, DNS)
    )
    for datagram in datagrams:
        transport.sendto(datagram)
    transport.close()
    await client.exchange(RESOLVER, DNS, stream, end=True)
    assert (await client.ask("good.lab.example", "A")).rcode() == dns.rcode.NOERROR
