"""Who serves a zone, and how each server answers: delegation, zone transfer, recursion.

Name servers usually belong to somebody else. Who they are is asked of the resolver; they are spoken
to only where the scope names them.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final

import dns.message
import dns.rcode
import dns.rdatatype

from handfast import Admission
from handfast.errors import EgressDenied
from handfast.network.answer import DnsAnswer, DnsStatus, Question
from handfast.network.connect import Connection, open_connection
from handfast.network.failure import Failure
from handfast.network.nameserver import make_query, messages_over
from handfast_inspect.facts.asset import Asset
from handfast_inspect.facts.dns import (
    DelegationFact,
    NameServer,
    RecursionFact,
    ZoneTransferFact,
)
from handfast_inspect.facts.evidence import MAX_EXCERPT
from handfast_inspect.probes.lookup import Questions, zone_of
from handfast_inspect.probes.notes import Notes
from handfast_inspect.probes.probe import NO_VALUE, ProbeContext, Target
from handfast_inspect.probes.reproduce import dig_line

MAX_SERVERS: Final = 16
"""Name servers of a zone that are looked at."""

MAX_TRANSFER: Final = 256 * 1024
"""Bytes of a zone transfer that are read: enough to know that it is open."""

FOREIGN_NAME: Final = f"{NO_VALUE}.example"
"""What a server is asked for to see whether it resolves for strangers: a name that nobody holds
(RFC 2606), so that no third party but the root is bothered."""


@dataclass(frozen=True, slots=True)
class _Server:
    """One name server of the zone, and whether it may be spoken to."""

    name: str
    addresses: tuple[str, ...]
    admission: Admission | None
    refused: str


async def look_at_delegation(target: Target, context: ProbeContext, notes: Notes) -> None:
    """Lists the servers of the target's zone and asks those in scope for its SOA."""
    zone = await zone_of(context, target.host) or target.host
    questions = Questions(context, notes, Asset(zone))
    lookup = await questions.ask(zone, "NS")
    if lookup.trouble:
        notes.gap(questions.asset, ("dns.delegation",), lookup.trouble, "error")
        return
    if not lookup.values:
        notes.gap(questions.asset, ("dns.delegation",), f"{zone} is no zone of its own")
        return
    evidence = lookup.evidence
    found: list[NameServer] = []
    for server in await _servers(context, lookup.values):
        described, proof = await _describe(questions, zone, server)
        found.append(described)
        evidence += proof
    names = tuple(sorted(set(lookup.values)))
    notes.fact(DelegationFact(questions.asset, evidence, zone, (), names, tuple(found)))


async def look_for_transfer(target: Target, context: ProbeContext, notes: Notes) -> None:
    """Asks each name server in scope for the whole zone (RFC 5936)."""
    zone, servers = await _zone_servers(target, context)
    for server in servers:
        asset = Asset(zone, *_endpoint(server))
        if server.admission is None:
            notes.gap(asset, ("dns.axfr",), f"{server.name}: {server.refused}")
            continue
        found = await _transfer(context, server.admission, zone)
        evidence = notes.prove(
            asset,
            f"AXFR {zone} at {server.name}: {found.error or f'{found.records} records'}",
            found.text.encode(),
            reproduce=dig_line(zone, "AXFR", f"{asset.ip}#{asset.port}"),
        )
        notes.fact(
            ZoneTransferFact(
                asset=asset,
                evidence=evidence,
                zone=zone,
                server=server.name,
                open=found.records > 1,
                record_count=found.records,
                error=found.error,
            )
        )


async def look_for_recursion(target: Target, context: ProbeContext, notes: Notes) -> None:
    """Asks each name server in scope for a name that is not its own (RFC 5358)."""
    _, servers = await _zone_servers(target, context)
    for server in servers:
        asset = Asset(server.name, *_endpoint(server))
        questions = Questions(context, notes, asset)
        if server.admission is None:
            notes.gap(asset, ("dns.recursion",), f"{server.name}: {server.refused}")
            continue
        answer = await context.ask_server(server.admission, Question(FOREIGN_NAME, "A"))
        lookup = questions.keep(answer)
        if answer.status in {DnsStatus.TIMEOUT, DnsStatus.UNREACHABLE, DnsStatus.MALFORMED}:
            notes.gap(asset, ("dns.recursion",), lookup.trouble, "error")
            continue
        is_open = answer.recursion_available and answer.spoken and not answer.authoritative
        notes.fact(RecursionFact(asset, lookup.evidence, server.name, is_open))


def _endpoint(server: _Server) -> tuple[str | None, int | None]:
    if server.admission is None:
        return (server.addresses[0] if server.addresses else None), None
    return str(server.admission.address), server.admission.port


async def _zone_servers(target: Target, context: ProbeContext) -> tuple[str, list[_Server]]:
    zone = await zone_of(context, target.host) or target.host
    answer = await context.query(zone, "NS")
    names = tuple(record.data.rstrip(".").lower() for record in answer.of_type("NS"))
    return zone, await _servers(context, names)


async def _servers(context: ProbeContext, names: tuple[str, ...]) -> list[_Server]:
    return [await _server(context, name) for name in sorted(set(names))[:MAX_SERVERS]]


async def _server(context: ProbeContext, name: str) -> _Server:
    addresses = await context.resolver.resolve(name)
    refused = "its name does not resolve"
    for address in addresses:
        try:
            return _Server(name, addresses, await context.admit_name_server(address), "")
        except EgressDenied as error:
            refused = error.reason
    return _Server(name, addresses, None, refused)


async def _describe(
    questions: Questions, zone: str, server: _Server
) -> tuple[NameServer, tuple[str, ...]]:
    if server.admission is None:
        error = "" if server.addresses else server.refused
        return NameServer(server.name, server.addresses, None, error), ()
    question = Question(zone, "SOA", recursive=False)
    lookup = questions.keep(await questions.context.ask_server(server.admission, question))
    answer = lookup.answer
    told = answer.authoritative if _spoke(answer) else None
    error = "" if answer.status is DnsStatus.OK else answer.detail or str(answer.status)
    return NameServer(server.name, server.addresses, told, error), lookup.evidence


def _spoke(answer: DnsAnswer) -> bool:
    """Whether the server said anything, be it a refusal."""
    silent = {DnsStatus.TIMEOUT, DnsStatus.UNREACHABLE, DnsStatus.MALFORMED}
    return answer.status not in silent


@dataclass(slots=True)
class _Transfer:
    """What one transfer has brought so far."""

    records: int = 0
    starts: int = 0
    """SOA records: the second one ends a transfer (RFC 5936, section 2.2)."""
    error: str = ""
    text: str = ""

    def take(self, message: dns.message.Message) -> bool:
        """Counts the records of one message; says whether more are to come."""
        if message.rcode() != dns.rcode.NOERROR:
            self.error = dns.rcode.to_text(message.rcode())
            return False
        for rrset in message.answer:
            self.records += len(rrset)
            self.starts += len(rrset) if rrset.rdtype == dns.rdatatype.SOA else 0
            if len(self.text) < MAX_EXCERPT:
                self.text += rrset.to_text() + "\n"
        return bool(message.answer) and self.starts < 2  # noqa: PLR2004 - the first SOA and the last


async def _transfer(context: ProbeContext, admission: Admission, zone: str) -> _Transfer:
    query = make_query(Question(zone, "AXFR", recursive=False))
    transfer = _Transfer()
    async with (
        context.pace.request(admission.host),
        open_connection(admission, context.deadlines) as connection,
    ):
        if isinstance(connection, Failure):
            transfer.error = str(connection)
            return transfer
        try:
            async with asyncio.timeout(context.deadlines.total):
                await connection.send(query.to_wire(prepend_length=True))
                await _receive(context, connection, query, transfer)
        except TimeoutError:
            transfer.error = f"not done in {context.deadlines.total:g} s"
        except OSError as error:
            transfer.error = str(error)
    if not transfer.records and not transfer.error:
        transfer.error = "no answer"
    return transfer


async def _receive(
    context: ProbeContext,
    connection: Connection,
    query: dns.message.QueryMessage,
    transfer: _Transfer,
) -> None:
    async for message, wire in messages_over(connection.reader, MAX_TRANSFER):
        context.pace.receive(len(wire))
        if not query.is_response(message, xfr_continuation=True) or not transfer.take(message):
            return
