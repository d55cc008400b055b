"""The records of a name, and what they point at: addresses, mail, CAA, aliases, wildcards."""

from __future__ import annotations

import asyncio
from typing import Final, Literal

from handfast_inspect.facts.dns import (
    CaaFact,
    CaaProperty,
    DnsRecordsFact,
    PointerFact,
    WildcardFact,
)
from handfast_inspect.probes.hosting import provider_of
from handfast_inspect.probes.lookup import Lookup, Questions, ancestors, plain_name
from handfast_inspect.probes.notes import Notes
from handfast_inspect.probes.probe import ProbeContext, Target

RECORD_TYPES: Final = ("A", "AAAA", "CNAME", "MX", "NS", "TXT", "CAA", "SOA")
"""The types that are listed for every name."""

MAX_POINTERS: Final = 32
"""Records of one type whose targets are followed."""

_COVERED: Final = {
    "A": ("dns.private",),
    "AAAA": ("dns.private",),
    "CNAME": ("dns.dangling",),
    "MX": ("dns.dangling",),
    "NS": ("dns.dangling",),
}
_POINTERS: Final[tuple[Literal["CNAME", "MX", "NS"], ...]] = ("CNAME", "MX", "NS")


async def look_at_records(target: Target, context: ProbeContext, notes: Notes) -> None:
    """Lists the records of a name."""
    questions = Questions(context, notes, target.asset)
    lookups = await asyncio.gather(*(questions.ask(target.host, rtype) for rtype in RECORD_TYPES))
    for rtype, lookup in zip(RECORD_TYPES, lookups, strict=True):
        records = lookup.answer.of_type(rtype)
        notes.fact(
            DnsRecordsFact(
                target.asset,
                lookup.evidence,
                target.host,
                rtype,
                lookup.status,
                tuple(sorted(lookup.values)),
                min((record.ttl for record in records), default=None),
            )
        )
        if lookup.trouble and rtype in _COVERED:
            notes.gap(target.asset, _COVERED[rtype], lookup.trouble, "error")


async def look_at_caa(target: Target, context: ProbeContext, notes: Notes) -> None:
    """Finds the CAA set that applies to a name (RFC 8659, section 3)."""
    questions = Questions(context, notes, target.asset)
    evidence: tuple[str, ...] = ()
    for name in ancestors(target.host):
        lookup = await questions.ask(name, "CAA")
        evidence += lookup.evidence
        if lookup.trouble:  # an authority must not issue then (section 3), and we cannot tell
            notes.gap(target.asset, ("dns.caa",), lookup.trouble, "error")
            return
        properties = tuple(_caa(record.data) for record in lookup.answer.of_type("CAA"))
        if properties:
            notes.fact(CaaFact(target.asset, lookup.evidence, target.host, name, properties))
            return
    notes.fact(CaaFact(target.asset, evidence, target.host, None))


async def look_at_pointers(target: Target, context: ProbeContext, notes: Notes) -> None:
    """Finds out whether what a name points at is still there."""
    questions = Questions(context, notes, target.asset)
    lookups = await asyncio.gather(*(questions.ask(target.host, rtype) for rtype in _POINTERS))
    for rtype, lookup in zip(_POINTERS, lookups, strict=True):
        if lookup.trouble:
            notes.gap(target.asset, ("dns.dangling",), lookup.trouble, "error")
            continue
        for value in sorted(set(lookup.values))[:MAX_POINTERS]:
            pointed_at = plain_name(value.split(" ")[-1])
            if pointed_at != ".":
                await _follow(target, questions, rtype, lookup, pointed_at)


async def look_for_wildcard(target: Target, context: ProbeContext, notes: Notes) -> None:
    """Asks for a name that nobody can have made."""
    questions = Questions(context, notes, target.asset)
    lookup = await questions.ask(f"{context.random_label()}.{target.host}", "A")
    if lookup.trouble:
        notes.gap(target.asset, ("dns.wildcard",), lookup.trouble, "error")
        return
    matched = lookup.status != "nxdomain" and bool(lookup.answer.records)
    values = tuple(sorted(lookup.values))
    notes.fact(WildcardFact(target.asset, lookup.evidence, target.host, matched, values))


async def _follow(
    target: Target,
    questions: Questions,
    rtype: Literal["CNAME", "MX", "NS"],
    pointer: Lookup,
    pointed_at: str,
) -> None:
    lookup = await questions.ask(pointed_at, "A")
    exists = None if lookup.trouble else lookup.status != "nxdomain"
    questions.notes.fact(
        PointerFact(
            target.asset,
            (*pointer.evidence, *lookup.evidence),
            target.host,
            rtype,
            pointed_at,
            exists,
            provider_of(pointed_at) if rtype == "CNAME" else None,
        )
    )


def _caa(data: str) -> CaaProperty:
    flags, _, rest = data.partition(" ")
    tag, _, value = rest.partition(" ")
    if value.startswith('"') and value.endswith('"'):
        value = value[1:-1]
    return CaaProperty(int(flags) if flags.isdecimal() else 0, tag.lower(), value)
