"""What a name server of the laboratory answers: bytes in, bytes out, nothing else touched."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, cast

import dns.exception
import dns.flags
import dns.message
import dns.name
import dns.node
import dns.opcode
import dns.rcode
import dns.rdataclass
import dns.rdataset
import dns.rdatatype
import dns.rrset
import dns.zone

from handfast_inspect.lab.dns_zones import Zones
from handfast_inspect.lab.plan import DnsRole
from handfast_inspect.lab.site import DOMAIN

MAX_UDP: Final = 1232
"""The largest answer over UDP (DNS flag day 2020); what does not fit is cut, and TC says so."""

_PLAIN_UDP: Final = 512
_HEADER: Final = 12
_MAX_ALIASES: Final = 8
_TRANSFER_RECORDS: Final = 50
_DNSSEC_TYPES: Final = frozenset(
    {dns.rdatatype.DNSKEY, dns.rdatatype.RRSIG, dns.rdatatype.NSEC, dns.rdatatype.ANY}
)
_FAILING: Final = dns.name.from_text(f"servfail.{DOMAIN}")
_MUTE: Final = dns.name.from_text(f"mute.{DOMAIN}")


@dataclass(frozen=True, slots=True)
class NameServer:
    """One name server: what it knows and how it behaves."""

    know: Callable[[], Zones]
    """Gives what it knows; made for the first question, not before."""
    role: DnsRole
    own: frozenset[dns.name.Name] = frozenset()
    """The zones that it has authority for."""

    @property
    def _zones(self) -> Zones:
        return self.know()

    def answer(self, wire: bytes, *, over_tcp: bool) -> list[bytes]:
        """Answers one message.

        Args:
            wire: The message, without a length.
            over_tcp: Whether there is room for everything, and for zone transfers.

        Returns:
            The messages to send back: none for what deserves no answer, several for a transfer.
        """
        try:
            query = dns.message.from_wire(wire)
        except (dns.exception.DNSException, ValueError, IndexError, OverflowError):
            return _format_error(wire)
        if query.flags & dns.flags.QR:
            return []
        if query.opcode() != dns.opcode.QUERY:
            return [self._refusal(query, dns.rcode.NOTIMP)]
        if len(query.question) != 1 or query.question[0].rdclass != dns.rdataclass.IN:
            return [self._refusal(query, dns.rcode.FORMERR)]
        return self._answer_question(query, query.question[0], over_tcp=over_tcp)

    def _answer_question(
        self, query: dns.message.Message, question: dns.rrset.RRset, *, over_tcp: bool
    ) -> list[bytes]:
        if question.name == _MUTE:
            return []
        if question.rdtype in {dns.rdatatype.AXFR, dns.rdatatype.IXFR}:
            return self._transfer(query, question.name, over_tcp=over_tcp)
        response = self._response(query)
        response.set_rcode(self._look_up(query, question, response))
        if over_tcp:
            return [response.to_wire(max_size=0xFFFF)]
        limit = min(max(query.payload, _PLAIN_UDP), MAX_UDP) if query.edns >= 0 else _PLAIN_UDP
        try:
            return [response.to_wire(max_size=limit)]
        except dns.exception.TooBig:
            return [self._cut(query)]

    def _look_up(
        self, query: dns.message.Message, question: dns.rrset.RRset, response: dns.message.Message
    ) -> dns.rcode.Rcode:
        recursive = self._recurses and bool(query.flags & dns.flags.RD)
        signed = _wants_dnssec(query) or question.rdtype in _DNSSEC_TYPES
        name = question.name
        for _ in range(_MAX_ALIASES):
            zone = self._zone_for(name, question, recursive=recursive, signed=signed)
            if zone is None:
                return dns.rcode.NOERROR if response.answer else dns.rcode.REFUSED
            if name == _FAILING or self._is_bogus(zone, query, recursive=recursive):
                return dns.rcode.SERVFAIL
            found = _Lookup(zone, name, question.rdtype, wants_dnssec=_wants_dnssec(query))
            alias, rcode = found.write(response)
            if not recursive:
                response.flags |= 0 if found.is_referral else dns.flags.AA
            elif zone.origin in self._zones.secure and _wants_dnssec(query):
                response.flags |= dns.flags.AD
            if alias is None:
                return rcode
            name = alias
        return dns.rcode.SERVFAIL

    @property
    def _recurses(self) -> bool:
        return self.role in {DnsRole.RESOLVER, DnsRole.OPEN}

    def _zone_for(
        self,
        name: dns.name.Name,
        question: dns.rrset.RRset,
        *,
        recursive: bool,
        signed: bool,
    ) -> dns.zone.Zone | None:
        if self.role is DnsRole.LAME:
            return None
        if recursive:
            # The DS record of a zone is its parent's (RFC 4035 section 3.1.4.1).
            is_parents = question.rdtype == dns.rdatatype.DS and name in self._zones.by_name
            return self._zones.closest(name.parent() if is_parents else name, signed=signed)
        own = [zone for zone in self.own if name.is_subdomain(zone)]
        if question.rdtype == dns.rdatatype.DS:
            own = [zone for zone in own if zone != name] or own
        return self._zones.closest(max(own, key=len), signed=signed) if own else None

    def _is_bogus(
        self, zone: dns.zone.Zone, query: dns.message.Message, *, recursive: bool
    ) -> bool:
        unchecked = bool(query.flags & dns.flags.CD)
        return recursive and not unchecked and zone.origin in self._zones.bogus

    def _transfer(
        self, query: dns.message.Message, name: dns.name.Name, *, over_tcp: bool
    ) -> list[bytes]:
        zone = self._zones.by_name.get(name)
        if self.role is not DnsRole.OPEN or not over_tcp or zone is None or name not in self.own:
            return [self._refusal(query, dns.rcode.REFUSED)]
        soa = zone.find_rrset(name, dns.rdatatype.SOA)
        rest = [rrset for rrset in _rrsets(zone) if rrset.rdtype != dns.rdatatype.SOA]
        records = [soa, *rest, soa]
        messages: list[bytes] = []
        for at in range(0, len(records), _TRANSFER_RECORDS):
            response = self._response(query)
            response.flags |= dns.flags.AA
            response.answer = records[at : at + _TRANSFER_RECORDS]
            messages.append(response.to_wire(max_size=0xFFFF))
        return messages

    def _response(self, query: dns.message.Message) -> dns.message.Message:
        return dns.message.make_response(
            query, recursion_available=self._recurses, our_payload=MAX_UDP
        )

    def _refusal(self, query: dns.message.Message, rcode: dns.rcode.Rcode) -> bytes:
        response = self._response(query)
        response.set_rcode(rcode)
        return response.to_wire()

    def _cut(self, query: dns.message.Message) -> bytes:
        response = self._response(query)
        response.flags |= dns.flags.TC
        return response.to_wire()


class _Lookup:
    """One name in one zone: the answer, the alias, the referral or the denial."""

    def __init__(
        self,
        zone: dns.zone.Zone,
        name: dns.name.Name,
        rdtype: dns.rdatatype.RdataType,
        *,
        wants_dnssec: bool,
    ) -> None:
        self._zone = zone
        self._origin = zone.origin or dns.name.root
        self._name = name
        self._rdtype = rdtype
        self._wants_dnssec = wants_dnssec
        self._cut = self._delegation()
        self.is_referral = self._cut is not None

    def write(self, response: dns.message.Message) -> tuple[dns.name.Name | None, dns.rcode.Rcode]:
        """Writes what was found into a response; returns where an alias leads, and the code."""
        if self._cut is not None:
            self._refer(response, self._cut)
            return None, dns.rcode.NOERROR
        owner = self._owner()
        node = None if owner is None else self._zone.get_node(owner)
        if owner is None or node is None:
            self._deny(response)
            exists = any(name.is_subdomain(self._name) for name in self._zone)
            return None, dns.rcode.NOERROR if exists else dns.rcode.NXDOMAIN
        alias = self._add(response.answer, node, dns.rdatatype.CNAME)
        if alias is not None and self._rdtype not in {dns.rdatatype.CNAME, dns.rdatatype.ANY}:
            return _targets(alias)[0], dns.rcode.NOERROR
        if alias is None and not self._add_asked(response, owner, node):
            self._deny(response)
        return None, dns.rcode.NOERROR

    def _add_asked(
        self, response: dns.message.Message, owner: dns.name.Name, node: dns.node.Node
    ) -> bool:
        if self._rdtype != dns.rdatatype.ANY:
            return self._add(response.answer, node, self._rdtype) is not None
        everything = self._zone.iterate_rdatasets()
        types = {found.rdtype for name, found in everything if name == owner}
        types.discard(dns.rdatatype.RRSIG)
        for rdtype in sorted(types):
            self._add(response.answer, node, rdtype)
        return bool(types)

    def _add(
        self, section: list[dns.rrset.RRset], node: dns.node.Node, rdtype: dns.rdatatype.RdataType
    ) -> dns.rdataset.Rdataset | None:
        found = node.get_rdataset(dns.rdataclass.IN, rdtype)
        if found is None:
            return None
        _append(section, self._name, found)
        self._add_signature(section, self._name, node, rdtype)
        return found

    def _add_signature(
        self,
        section: list[dns.rrset.RRset],
        owner: dns.name.Name,
        node: dns.node.Node,
        rdtype: dns.rdatatype.RdataType,
    ) -> None:
        signature = node.get_rdataset(dns.rdataclass.IN, dns.rdatatype.RRSIG, rdtype)
        if self._wants_dnssec and signature is not None:
            _append(section, owner, signature)

    def _owner(self) -> dns.name.Name | None:
        """The name itself, or the wildcard that stands for it (RFC 4592)."""
        if self._name in self._zone:
            return self._name
        closest = self._name
        while closest != self._origin and not self._exists(closest):
            closest = closest.parent()
        wildcard = dns.name.Name((b"*", *closest.labels))
        stands_in = closest != self._name and wildcard in self._zone
        return wildcard if stands_in else None

    def _exists(self, name: dns.name.Name) -> bool:
        return any(known.is_subdomain(name) for known in self._zone)

    def _delegation(self) -> dns.name.Name | None:
        """The cut between the zone's origin and the name, where there is one."""
        labels = len(self._name) - len(self._origin)
        for depth in range(1, labels + 1):
            _, name = self._name.split(len(self._origin) + depth)
            at_cut = name == self._name and self._rdtype == dns.rdatatype.DS
            if not at_cut and self._zone.get_rdataset(name, dns.rdatatype.NS) is not None:
                return name
        return None

    def _refer(self, response: dns.message.Message, cut: dns.name.Name) -> None:
        servers = self._zone.find_rrset(cut, dns.rdatatype.NS)
        response.authority.append(servers)
        for server in _targets(servers):
            glue = self._zone.get_rrset(server, dns.rdatatype.A)
            if glue is not None:
                response.additional.append(glue)

    def _deny(self, response: dns.message.Message) -> None:
        """Adds the SOA (RFC 2308) and, where signatures are wanted, the NSEC records around."""
        apex = self._zone.find_node(self._origin)
        soa = apex.find_rdataset(dns.rdataclass.IN, dns.rdatatype.SOA)
        _append(response.authority, self._origin, soa)
        self._add_signature(response.authority, self._origin, apex, dns.rdatatype.SOA)
        if not self._wants_dnssec:
            return
        wildcard = dns.name.Name((b"*", *self._origin.labels))
        for owner in sorted({self._covering(self._name), self._covering(wildcard)}):
            node = self._zone.find_node(owner)
            nsec = node.get_rdataset(dns.rdataclass.IN, dns.rdatatype.NSEC)
            if nsec is not None:
                _append(response.authority, owner, nsec)
                self._add_signature(response.authority, owner, node, dns.rdatatype.NSEC)

    def _covering(self, name: dns.name.Name) -> dns.name.Name:
        """The last name of the zone that does not come after another (RFC 4034 section 6.1)."""
        return max((known for known in self._zone if known <= name), default=self._origin)


def _append(
    section: list[dns.rrset.RRset], owner: dns.name.Name, rdataset: dns.rdataset.Rdataset
) -> None:
    rrset = dns.rrset.from_rdata_list(owner, rdataset.ttl, list(rdataset))
    section.append(rrset)


def _targets(rdataset: dns.rdataset.Rdataset) -> list[dns.name.Name]:
    """The names that CNAME or NS records point to."""
    records = cast("Iterable[object]", rdataset)
    found = (getattr(record, "target", None) for record in records)
    return [name for name in found if isinstance(name, dns.name.Name)]


def _rrsets(zone: dns.zone.Zone) -> Iterator[dns.rrset.RRset]:
    for name, rdataset in zone.iterate_rdatasets():
        yield dns.rrset.from_rdata_list(name, rdataset.ttl, list(rdataset))


def _wants_dnssec(query: dns.message.Message) -> bool:
    return bool(query.ednsflags & dns.flags.DO)


def _format_error(wire: bytes) -> list[bytes]:
    """Answers a damaged query with its own id; nothing that is itself an answer, or too short."""
    if len(wire) < _HEADER or wire[2] & 0x80:
        return []
    flags = bytes([0x80 | wire[2] & 0x79, dns.rcode.FORMERR])
    return [wire[:2] + flags + bytes(8)]
