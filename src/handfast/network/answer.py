"""What a name server answered, in plain values.

Hostile messages are the normal case: every field is bounded, nothing here trusts a length, and a
message that cannot be read is an answer with status `MALFORMED`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, cast

import dns.exception
import dns.flags
import dns.message
import dns.rcode
import dns.rdata
import dns.rdatatype
import dns.rdtypes.ANY.TXT
import dns.rrset

MAX_RECORDS: Final = 512
"""Records kept from each section of one message; the rest is dropped and `cut` says so."""


class DnsStatus(StrEnum):
    """How a question ended."""

    OK = "ok"
    """There are records of the type asked."""
    NO_DATA = "no_data"
    """The name exists, the type does not (RFC 2308)."""
    NXDOMAIN = "nxdomain"
    """The name does not exist (RFC 2308, RFC 8020)."""
    SERVFAIL = "servfail"
    """The server failed; a validating resolver says so when DNSSEC is bogus."""
    REFUSED = "refused"
    """The server does not want to answer."""
    ERROR = "error"
    """Another response code; `DnsAnswer.detail` has its name."""
    TIMEOUT = "timeout"
    """Nothing came back in time."""
    UNREACHABLE = "unreachable"
    """The server's address cannot be reached."""
    MALFORMED = "malformed"
    """What came back is no answer to the question."""


SPOKEN: Final = frozenset({DnsStatus.OK, DnsStatus.NO_DATA, DnsStatus.NXDOMAIN})
"""The statuses that say something about the name, as opposed to something about the server."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question to one name server."""

    name: str
    """The name in ASCII form (A-labels), with or without the final dot."""
    rtype: str
    """The record type by its mnemonic: `A`, `MX`, `TYPE65`."""
    recursive: bool = True
    """Whether the server shall look further (the RD bit)."""
    dnssec: bool = False
    """Whether signatures are asked for (the DO bit) and the AD bit is wanted."""
    unchecked: bool = False
    """Whether a validating server shall give bogus data too (the CD bit)."""


@dataclass(frozen=True, slots=True)
class DnsRecord:
    """One resource record."""

    name: str
    """The owner, without the final dot, as the server spelt it."""
    rtype: str
    """The type's mnemonic."""
    ttl: int
    """Time to live, in seconds."""
    data: str
    """The record data in presentation format (RFC 1035 section 5)."""
    strings: tuple[bytes, ...] = ()
    """The character strings of a TXT record, undecoded."""

    @property
    def text(self) -> str:
        """The strings of a TXT record joined without a space (RFC 7208 section 3.3)."""
        return b"".join(self.strings).decode("utf-8", "backslashreplace")


@dataclass(frozen=True, slots=True)
class DnsAnswer:
    """What came back for one question."""

    question: Question
    status: DnsStatus
    server: str
    """Who was asked last, as `address#port`."""
    records: tuple[DnsRecord, ...] = ()
    """The answer section: what was asked and the aliases on the way."""
    authority: tuple[DnsRecord, ...] = ()
    """The authority section: a referral, or the SOA of a negative answer."""
    additional: tuple[DnsRecord, ...] = ()
    """The additional section, without the EDNS pseudo-record."""
    authoritative: bool = False
    """The AA bit."""
    authenticated: bool = False
    """The AD bit: the resolver says that it checked the signatures."""
    recursion_available: bool = False
    """The RA bit."""
    cut: bool = False
    """Records were dropped because there were more than `MAX_RECORDS`."""
    seconds: float = 0.0
    """How long it took."""
    wire: bytes = b""
    """The message as received; empty where none was."""
    detail: str = ""
    """What went wrong, for a person."""

    def of_type(self, rtype: str) -> tuple[DnsRecord, ...]:
        """The records of one type in the answer section."""
        return tuple(record for record in self.records if record.rtype == rtype)

    @property
    def spoken(self) -> bool:
        """Whether this says something about the name: records, none, or no such name."""
        return self.status in SPOKEN


_STATUS_OF_RCODE: Final = {
    dns.rcode.NXDOMAIN: DnsStatus.NXDOMAIN,
    dns.rcode.SERVFAIL: DnsStatus.SERVFAIL,
    dns.rcode.REFUSED: DnsStatus.REFUSED,
}


def read_message(wire: bytes) -> dns.message.Message | None:
    """Reads a DNS message; None where the bytes are none.

    Equal records are kept apart: a zone transfer begins and ends with the same one.
    """
    try:
        return dns.message.from_wire(wire, ignore_trailing=True, one_rr_per_rrset=True)
    except (dns.exception.DNSException, ValueError, IndexError, OverflowError):
        # dnspython reports most damage as DNSException; record types that it hands to the
        # standard library (addresses, integers) let the errors of that through.
        return None


def answer_of(
    question: Question, message: dns.message.Message, wire: bytes, server: str, seconds: float
) -> DnsAnswer:
    """Turns a received message into values.

    Args:
        question: What was asked.
        message: The message, already matched to the question.
        wire: Its bytes.
        server: Who sent it, as `address#port`.
        seconds: How long it took.
    """
    records, answers_cut = _records(message.answer)
    authority, authority_cut = _records(message.authority)
    additional, additional_cut = _records(message.additional)
    rcode = message.rcode()
    return DnsAnswer(
        question=question,
        status=_status(rcode, question.rtype, records),
        server=server,
        records=records,
        authority=authority,
        additional=additional,
        authoritative=bool(message.flags & dns.flags.AA),
        authenticated=bool(message.flags & dns.flags.AD),
        recursion_available=bool(message.flags & dns.flags.RA),
        cut=answers_cut or authority_cut or additional_cut,
        seconds=seconds,
        wire=wire,
        detail="" if rcode == dns.rcode.NOERROR else dns.rcode.to_text(rcode),
    )


def _status(rcode: int, rtype: str, records: tuple[DnsRecord, ...]) -> DnsStatus:
    if rcode != dns.rcode.NOERROR:
        return _STATUS_OF_RCODE.get(dns.rcode.Rcode(rcode), DnsStatus.ERROR)
    if any(rtype in {record.rtype, "ANY"} for record in records):
        return DnsStatus.OK
    return DnsStatus.NO_DATA


def _records(section: list[dns.rrset.RRset]) -> tuple[tuple[DnsRecord, ...], bool]:
    kept: list[DnsRecord] = []
    for rrset in section:
        owner = rrset.name.to_text(omit_final_dot=True)
        rtype = dns.rdatatype.to_text(rrset.rdtype)
        # the library leaves the element type of a record set open
        for rdata in cast("Iterable[dns.rdata.Rdata]", rrset):
            if len(kept) >= MAX_RECORDS:
                return tuple(kept), True
            strings = rdata.strings if isinstance(rdata, dns.rdtypes.ANY.TXT.TXT) else ()
            kept.append(DnsRecord(owner, rtype, rrset.ttl, rdata.to_text(), strings))
    return tuple(kept), False
