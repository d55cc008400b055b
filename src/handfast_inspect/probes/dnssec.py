"""Whether a zone is signed, with what, and whether its chain of trust holds.

Whether the chain holds is asked of the resolver, in three questions: does it say that it validated
(the AD bit), does it refuse (SERVFAIL), and does it give the answer after all when told not to
check (the CD bit)? The last two together are a bogus chain (RFC 4035, section 3.2.2). The DS
records are compared with the zone's keys here, whatever the resolver thinks.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

import dns.dnssec
import dns.exception
import dns.name
import dns.rdata
import dns.rdataclass
import dns.rdatatype
import dns.rdtypes.ANY.DNSKEY
import dns.rdtypes.ANY.DS

from handfast.network.answer import DnsStatus, Question
from handfast_inspect.facts.asset import Asset
from handfast_inspect.facts.dns import DnssecFact
from handfast_inspect.probes.lookup import Lookup, Questions, zone_of
from handfast_inspect.probes.notes import Notes
from handfast_inspect.probes.probe import ProbeContext, Target

_COVERS = ("dns.dnssec",)


async def look_at_dnssec(target: Target, context: ProbeContext, notes: Notes) -> None:
    """Looks at the chain of trust of the zone that holds the target."""
    zone = await zone_of(context, target.host) or target.host
    asset = Asset(zone)
    questions = Questions(context, notes, asset)
    ds, keys, soa = await asyncio.gather(
        *(questions.ask(zone, rtype, dnssec=True) for rtype in ("DS", "DNSKEY", "SOA"))
    )
    if keys.answer.status is DnsStatus.SERVFAIL:  # a bogus zone: look at it unchecked
        keys = await _unchecked(questions, zone, "DNSKEY")
    if ds.trouble or keys.trouble:
        notes.gap(asset, _COVERS, ds.trouble or keys.trouble, "error")
        return
    validated, reason = await _validated(questions, zone, ds, keys, soa)
    nsec3 = await questions.ask(zone, "NSEC3PARAM")
    notes.fact(
        DnssecFact(
            asset=asset,
            evidence=(*ds.evidence, *keys.evidence, *soa.evidence, *nsec3.evidence),
            zone=zone,
            ds_present=bool(ds.values),
            dnskey_present=bool(keys.values),
            validated=validated,
            reason=reason,
            algorithms=tuple(sorted({_number(value, 2) for value in keys.values})),
            ds_digest_types=tuple(sorted({_number(value, 2) for value in ds.values})),
            nsec3_iterations=max((_number(value, 2) for value in nsec3.values), default=None),
        )
    )


async def _validated(
    questions: Questions, zone: str, ds: Lookup, keys: Lookup, soa: Lookup
) -> tuple[bool | None, str]:
    if not ds.values:
        return None, "the parent has no DS record"
    if keys.values and not _ds_matches(zone, ds.values, keys.values):
        return False, "no DS record of the parent matches a key of the zone"
    if soa.answer.authenticated:
        return True, ""
    if soa.answer.status is DnsStatus.SERVFAIL:
        unchecked = await _unchecked(questions, zone, "SOA")
        if unchecked.answer.status is DnsStatus.OK:
            return False, "the resolver refuses the answer and gives it only unchecked"
    return None, "the resolver does not say that it validated"


async def _unchecked(questions: Questions, zone: str, rtype: str) -> Lookup:
    question = Question(zone, rtype, dnssec=True, unchecked=True)
    return questions.keep(await questions.context.resolver.query(question))


def _ds_matches(zone: str, ds_values: Iterable[str], key_values: Iterable[str]) -> bool:
    """Whether at least one DS is the digest of one key, or none can be computed here."""
    try:
        name = dns.name.from_text(zone)
        keys = [_key(value) for value in key_values]
        for ds in map(_ds, ds_values):
            made = (dns.dnssec.make_ds(name, key, ds.digest_type, validating=True) for key in keys)
            if ds in made:
                return True
    except (dns.exception.DNSException, ValueError, TypeError):
        return True  # a digest or a key that cannot be computed here proves nothing
    return False


def _key(value: str) -> dns.rdtypes.ANY.DNSKEY.DNSKEY:
    rdata = dns.rdata.from_text(dns.rdataclass.IN, dns.rdatatype.DNSKEY, value)
    if not isinstance(rdata, dns.rdtypes.ANY.DNSKEY.DNSKEY):
        raise TypeError(value)
    return rdata


def _ds(value: str) -> dns.rdtypes.ANY.DS.DS:
    rdata = dns.rdata.from_text(dns.rdataclass.IN, dns.rdatatype.DS, value)
    if not isinstance(rdata, dns.rdtypes.ANY.DS.DS):
        raise TypeError(value)
    return rdata


def _number(value: str, position: int) -> int:
    """A number in a record's data; 0 where there is none."""
    words = value.split()
    word = words[position] if position < len(words) else ""
    return int(word) if word.isdecimal() and len(word) < 6 else 0  # noqa: PLR2004 - 16 bits
