from __future__ import annotations

from datetime import UTC, datetime
from functools import cache, partial

import dns.flags
import dns.message
import dns.name
import dns.opcode
import dns.rcode
import dns.rdatatype
import dns.rrset
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast_inspect.lab.address_book import AddressBook
from handfast_inspect.lab.addresses import bind_sites
from handfast_inspect.lab.dns_answers import MAX_UDP, NameServer
from handfast_inspect.lab.dns_zones import BAD, BOGUS, GOOD, build_zones
from handfast_inspect.lab.laboratory import PLANS
from handfast_inspect.lab.plan import DnsRole
from handfast_inspect.lab.site import DOMAIN
from laboratory_client import shown


def make_servers() -> dict[str, NameServer]:
    bound = bind_sites(PLANS, None, None)
    bound.close()
    zones = cache(partial(build_zones, AddressBook(bound.sites), datetime.now(UTC)))
    own: dict[str, tuple[DnsRole, list[str]]] = {
        "resolver": (DnsRole.RESOLVER, []),
        "parent": (DnsRole.AUTHORITY, ["example", DOMAIN, BOGUS]),
        "authority": (DnsRole.AUTHORITY, [GOOD]),
        "open": (DnsRole.OPEN, [BAD]),
        "lame": (DnsRole.LAME, [BAD]),
    }
    return {
        name: NameServer(zones, role, frozenset(map(dns.name.from_text, names)))
        for name, (role, names) in own.items()
    }


SERVERS = make_servers()
RESOLVER, PARENT, AUTHORITY, OPEN, LAME = SERVERS.values()


def ask(
    server: NameServer,
    name: str,
    rtype: str = "A",
    *,
    flags: int = dns.flags.RD,
    dnssec: bool = False,
    tcp: bool = False,
) -> dns.message.Message:
    query = dns.message.make_query(name, rtype, want_dnssec=dnssec, flags=flags)
    (wire,) = server.answer(query.to_wire(), over_tcp=tcp)
    answer = dns.message.from_wire(wire)
    assert query.is_response(answer)
    return answer


def records(section: list[dns.rrset.RRset]) -> list[str]:
    return [f"{dns.rdatatype.to_text(r.rdtype)} {record}" for r in section for record in shown([r])]


def test_a_name_that_exists_is_answered_without_recursion_asked_or_offered() -> None:
    answer = ask(AUTHORITY, GOOD, flags=0)
    assert records(answer.answer)[0].startswith("A 127.")
    assert answer.flags & dns.flags.AA
    assert not answer.flags & dns.flags.RA


def test_a_name_that_does_not_exist_is_said_not_to_with_the_soa() -> None:
    answer = ask(RESOLVER, f"gone.{GOOD}")
    assert answer.rcode() == dns.rcode.NXDOMAIN
    assert records(answer.authority)[0].startswith("SOA ns1.good.lab.example.")


def test_a_type_that_does_not_exist_is_no_data() -> None:
    answer = ask(RESOLVER, GOOD, "AAAA")
    assert (answer.rcode(), answer.answer) == (dns.rcode.NOERROR, [])
    assert records(answer.authority)[0].startswith("SOA ")


def test_an_empty_non_terminal_exists() -> None:
    assert ask(RESOLVER, f"_domainkey.{GOOD}", "TXT").rcode() == dns.rcode.NOERROR


def test_an_alias_is_followed_to_its_address() -> None:
    answer = ask(RESOLVER, f"www.{GOOD}")
    assert [rrset.rdtype for rrset in answer.answer] == [dns.rdatatype.CNAME, dns.rdatatype.A]
    assert len(ask(RESOLVER, f"www.{GOOD}", "CNAME").answer) == 1


def test_a_wildcard_answers_for_the_name_asked() -> None:
    (rrset,) = ask(RESOLVER, f"any.thing.{BAD}").answer
    assert rrset.name == dns.name.from_text(f"any.thing.{BAD}")


def test_a_wildcard_does_not_stand_in_for_what_exists() -> None:
    assert ask(RESOLVER, f"mail.{BAD}", "TXT").answer == []


def test_the_parent_refers_to_the_children_with_glue() -> None:
    answer = ask(PARENT, f"www.{GOOD}", flags=0)
    assert answer.answer == []
    assert sorted(records(answer.authority)) == [f"NS ns1.{GOOD}.", f"NS ns2.{GOOD}."]
    assert len(answer.additional) == 2
    assert not answer.flags & dns.flags.AA


def test_the_parent_and_the_bad_child_name_different_servers() -> None:
    parent = set(records(ask(PARENT, BAD, "NS", flags=0).authority))
    child = set(records(ask(OPEN, BAD, "NS", flags=0).answer))
    assert child - parent == {"NS ns3.vanished.example."}


@pytest.mark.parametrize("name", ["example.org", "localhost", "."])
def test_names_outside_the_laboratory_are_refused(name: str) -> None:
    for server in SERVERS.values():
        assert ask(server, name).rcode() == dns.rcode.REFUSED


def test_an_authority_refuses_what_is_not_its_own() -> None:
    assert ask(AUTHORITY, BAD).rcode() == dns.rcode.REFUSED
    assert ask(LAME, BAD).rcode() == dns.rcode.REFUSED


def test_the_open_server_resolves_for_everybody() -> None:
    answer = ask(OPEN, GOOD)
    assert answer.flags & dns.flags.RA
    assert len(answer.answer) == 1
    assert ask(OPEN, GOOD, flags=0).rcode() == dns.rcode.REFUSED


def test_only_the_open_server_hands_out_its_zone_and_only_over_tcp() -> None:
    query = dns.message.make_query(BAD, "AXFR").to_wire()
    wires = OPEN.answer(query, over_tcp=True)
    messages = [dns.message.from_wire(wire, one_rr_per_rrset=True) for wire in wires]
    handed = [rrset for message in messages for rrset in message.answer]
    assert handed[0].rdtype == handed[-1].rdtype == dns.rdatatype.SOA
    assert {rrset.name.to_text() for rrset in handed} >= {f"vpn-gateway.{BAD}.", f"notes.{BAD}."}
    for server, zone, tcp in [(OPEN, BAD, False), (OPEN, GOOD, True), (LAME, BAD, True),
                              (AUTHORITY, GOOD, True), (PARENT, DOMAIN, True)]:  # fmt: skip
        assert ask(server, zone, "AXFR", tcp=tcp).rcode() == dns.rcode.REFUSED


def test_an_answer_too_large_for_udp_is_cut_and_whole_over_tcp() -> None:
    name = f"big.{DOMAIN}"
    query = dns.message.make_query(name, "TXT", payload=4096).to_wire()
    (wire,) = RESOLVER.answer(query, over_tcp=False)
    assert len(wire) <= MAX_UDP
    assert dns.message.from_wire(wire).flags & dns.flags.TC
    assert len(ask(RESOLVER, name, "TXT", tcp=True).to_wire()) > MAX_UDP


def test_signatures_come_when_they_are_asked_for() -> None:
    assert len(ask(RESOLVER, GOOD).answer) == 1
    signed = ask(RESOLVER, GOOD, dnssec=True)
    assert [rrset.rdtype for rrset in signed.answer] == [dns.rdatatype.A, dns.rdatatype.RRSIG]
    assert signed.flags & dns.flags.AD
    assert not ask(RESOLVER, BAD, dnssec=True).flags & dns.flags.AD


def test_a_denial_is_proved_in_a_signed_zone() -> None:
    denied = ask(RESOLVER, f"nope.{GOOD}", dnssec=True)
    kinds = {dns.rdatatype.to_text(rrset.rdtype) for rrset in denied.authority}
    assert kinds == {"SOA", "RRSIG", "NSEC"}


def test_a_bogus_zone_fails_unless_checking_is_disabled() -> None:
    assert ask(RESOLVER, BOGUS).rcode() == dns.rcode.SERVFAIL
    unchecked = ask(RESOLVER, BOGUS, flags=dns.flags.RD | dns.flags.CD)
    assert len(unchecked.answer) == 1


def test_the_ds_record_is_the_parent_s() -> None:
    for server in (RESOLVER, PARENT):
        assert len(ask(server, GOOD, "DS").answer) == 1
        assert len(ask(server, DOMAIN, "DS").answer) == 1
        assert ask(server, BAD, "DS").answer == []
    assert ask(AUTHORITY, GOOD, "DS").answer == []


def test_the_key_of_a_zone_is_told_without_asking_for_signatures() -> None:
    assert len(ask(RESOLVER, GOOD, "DNSKEY").answer) == 1


def test_everything_may_be_asked_for_at_once() -> None:
    kinds = {rrset.rdtype for rrset in ask(RESOLVER, BAD, "ANY").answer}
    assert kinds >= {dns.rdatatype.A, dns.rdatatype.MX, dns.rdatatype.NS, dns.rdatatype.TXT}


def test_some_names_fail_and_one_is_not_answered() -> None:
    assert ask(RESOLVER, f"servfail.{DOMAIN}").rcode() == dns.rcode.SERVFAIL
    query = dns.message.make_query(f"mute.{DOMAIN}", "A").to_wire()
    assert RESOLVER.answer(query, over_tcp=False) == []


def test_an_answer_is_not_answered() -> None:
    answer = dns.message.make_response(dns.message.make_query(GOOD, "A")).to_wire()
    assert RESOLVER.answer(answer, over_tcp=False) == []
    assert RESOLVER.answer(b"\x00" * 11, over_tcp=False) == []


def test_other_kinds_of_message_are_refused_politely() -> None:
    notify = dns.message.make_query(GOOD, "SOA")
    notify.set_opcode(dns.opcode.NOTIFY)
    chaos = dns.message.make_query("version.bind", "TXT", "CH")
    for query, rcode in [(notify, dns.rcode.NOTIMP), (chaos, dns.rcode.FORMERR)]:
        (wire,) = RESOLVER.answer(query.to_wire(), over_tcp=False)
        assert dns.message.from_wire(wire).rcode() == rcode


@given(wire=st.binary(max_size=120), tcp=st.booleans())
def test_garbage_gets_an_answer_or_none_and_never_kills(wire: bytes, *, tcp: bool) -> None:
    for server in SERVERS.values():
        for answer in server.answer(wire, over_tcp=tcp):
            assert answer[:2] == wire[:2]
            assert answer[2] & 0x80


LABELS = st.lists(st.binary(min_size=1, max_size=20), max_size=5)


@given(
    labels=LABELS,
    rtype=st.integers(1, 300),
    flags=st.sampled_from([0, dns.flags.RD, dns.flags.RD | dns.flags.CD]),
    below=st.sampled_from([GOOD, BAD, BOGUS, DOMAIN, "example", "."]),
)
def test_every_question_gets_one_message(
    labels: list[bytes], rtype: int, flags: int, below: str
) -> None:
    name = dns.name.Name([*labels, *dns.name.from_text(below).labels])
    query = dns.message.make_query(name, f"TYPE{rtype}", want_dnssec=True, flags=flags)
    for server in SERVERS.values():
        for wire in server.answer(query.to_wire(), over_tcp=False):
            assert query.is_response(dns.message.from_wire(wire))


@given(position=st.integers(0, 60), value=st.integers(0, 255))
def test_a_query_with_one_wrong_byte_never_kills(position: int, value: int) -> None:
    wire = bytearray(dns.message.make_query(f"www.{GOOD}", "A", want_dnssec=True).to_wire())
    wire[position % len(wire)] = value
    for server in SERVERS.values():
        assert isinstance(server.answer(bytes(wire), over_tcp=True), list)
