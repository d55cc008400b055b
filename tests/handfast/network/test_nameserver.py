from __future__ import annotations

import asyncio
import struct

import dns.flags
import dns.message
import dns.rcode
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast.errors import UserError
from handfast.network.answer import DnsStatus, Question
from handfast.network.nameserver import Nameserver, ask, make_query, messages_over
from loopback_dns import DnsServer

SHORT = 0.15


async def test_records_come_back_as_plain_values(dns_on_loopback: DnsServer) -> None:
    dns_on_loopback.add("site.test 300 A 192.0.2.1", "site.test 300 A 192.0.2.2")
    answer = await ask(Question("site.test", "A"), dns_on_loopback.address, 2)
    assert answer.status is DnsStatus.OK
    assert sorted(record.data for record in answer.of_type("A")) == ["192.0.2.1", "192.0.2.2"]
    assert answer.records[0].ttl == 300
    assert answer.server == str(dns_on_loopback.address)
    assert answer.wire


async def test_text_records_keep_their_strings_apart(dns_on_loopback: DnsServer) -> None:
    dns_on_loopback.add('site.test 60 TXT "v=spf1 " "-all"')
    answer = await ask(Question("site.test", "TXT"), dns_on_loopback.address, 2)
    assert answer.records[0].strings == (b"v=spf1 ", b"-all")
    assert answer.records[0].text == "v=spf1 -all"


async def test_a_name_without_the_type_and_no_name_are_told_apart(
    dns_on_loopback: DnsServer,
) -> None:
    dns_on_loopback.add("site.test 60 A 192.0.2.1")
    no_data = await ask(Question("site.test", "MX"), dns_on_loopback.address, 2)
    no_name = await ask(Question("other.test", "MX"), dns_on_loopback.address, 2)
    assert (no_data.status, no_name.status) == (DnsStatus.NO_DATA, DnsStatus.NXDOMAIN)
    assert no_data.spoken
    assert no_name.spoken


@pytest.mark.parametrize(
    ("rcode", "status"),
    [
        (dns.rcode.SERVFAIL, DnsStatus.SERVFAIL),
        (dns.rcode.REFUSED, DnsStatus.REFUSED),
        (dns.rcode.NOTIMP, DnsStatus.ERROR),
    ],
)
async def test_a_failing_server_says_nothing_about_the_name(
    dns_on_loopback: DnsServer, rcode: dns.rcode.Rcode, status: DnsStatus
) -> None:
    dns_on_loopback.rcode("site.test", rcode)
    answer = await ask(Question("site.test", "A"), dns_on_loopback.address, 2)
    assert answer.status is status
    assert not answer.spoken
    assert answer.detail == dns.rcode.to_text(rcode)


async def test_a_cut_answer_is_asked_again_over_tcp(dns_on_loopback: DnsServer) -> None:
    dns_on_loopback.add("big.test 60 TXT whole")
    dns_on_loopback.cut.add("big.test")
    answer = await ask(Question("big.test", "TXT"), dns_on_loopback.address, 2)
    assert answer.records[0].text == "whole"
    assert [transport for _, _, transport in dns_on_loopback.asked] == ["udp", "tcp"]


async def test_silence_is_a_timeout(dns_on_loopback: DnsServer) -> None:
    dns_on_loopback.silence("site.test")
    answer = await ask(Question("site.test", "A"), dns_on_loopback.address, SHORT)
    assert answer.status is DnsStatus.TIMEOUT
    assert answer.seconds >= SHORT * 0.9


async def test_an_answer_to_another_question_is_not_believed(dns_on_loopback: DnsServer) -> None:
    def lie(query: dns.message.Message) -> bytes:
        other = make_query(Question("bank.test", "A"))
        other.id = query.id
        return dns.message.make_response(other).to_wire()

    dns_on_loopback.replies["site.test"] = lie
    answer = await ask(Question("site.test", "A"), dns_on_loopback.address, SHORT)
    assert answer.status is DnsStatus.MALFORMED


async def test_garbage_is_malformed(dns_on_loopback: DnsServer) -> None:
    dns_on_loopback.replies["site.test"] = lambda _: b"\xff" * 40
    answer = await ask(Question("site.test", "A"), dns_on_loopback.address, SHORT)
    assert answer.status is DnsStatus.MALFORMED


async def test_a_closed_port_is_unreachable_or_silent() -> None:
    transport, _ = await asyncio.get_running_loop().create_datagram_endpoint(
        asyncio.DatagramProtocol, local_addr=("127.0.0.1", 0)
    )
    port = transport.get_extra_info("sockname")[1]
    transport.close()
    answer = await ask(Question("site.test", "A"), Nameserver("127.0.0.1", port), SHORT)
    assert answer.status in {DnsStatus.UNREACHABLE, DnsStatus.TIMEOUT}


async def test_a_tcp_answer_cut_midway_is_malformed(dns_on_loopback: DnsServer) -> None:
    dns_on_loopback.cut.add("big.test")
    dns_on_loopback.tcp_is_cut = True
    answer = await ask(Question("big.test", "A"), dns_on_loopback.address, 1)
    assert answer.status is DnsStatus.MALFORMED


@pytest.mark.parametrize(
    "question",
    [Question("a" * 64 + ".test", "A"), Question("a..b", "A"), Question("site.test", "NOSUCHTYPE")],
)
async def test_what_no_message_can_hold_is_the_callers_error(question: Question) -> None:
    with pytest.raises(UserError, match="Cannot ask DNS for"):
        await ask(question, Nameserver("127.0.0.1", 9), SHORT)


def test_the_flags_say_what_was_asked() -> None:
    plain = make_query(Question("site.test", "A"))
    full = make_query(Question("site.test", "A", recursive=False, dnssec=True, unchecked=True))
    assert dns.flags.to_text(plain.flags) == "RD"
    assert dns.flags.to_text(full.flags) == "AD CD"
    assert full.ednsflags == dns.flags.DO


@given(st.binary(max_size=300))
async def test_any_tcp_stream_ends_without_a_crash(data: bytes) -> None:
    reader = asyncio.StreamReader()
    reader.feed_data(struct.pack("!H", len(data)) + data + b"\x00")
    reader.feed_eof()
    assert len([wire async for _, wire in messages_over(reader, 1 << 16)]) <= 1
