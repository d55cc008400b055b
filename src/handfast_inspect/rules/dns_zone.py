"""Rules about a zone and its servers: DNSSEC, delegation, transfer, recursion."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from datetime import datetime

from handfast_inspect.facts.asset import Asset
from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.dns import DelegationFact, DnssecFact, NameServer
from handfast_inspect.findings.finding import Confidence, Effort, ProbeClass, Severity
from handfast_inspect.rules.reproduce import dig, dig_dnssec, dig_recursion, dig_transfer
from handfast_inspect.rules.rule import Doubt, Rule, Verdict, failed, passed, untested

_SHA1_ALGORITHMS = {1, 3, 5, 6, 7, 12}
"""RSAMD5, DSA, RSASHA1, their NSEC3 twins and ECC-GOST: MUST NOT sign (RFC 8624, section 3.1)."""

_SHA1_DIGEST = 1
_NETWORK_BITS = {4: 24, 6: 48}


def check_dnssec(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Judge signing and the chain of trust (RFC 4033; RFC 8624; RFC 9276; internet.nl)."""
    del now
    for fact in facts.dnssec:
        problem = _chain_problem(fact)
        weak = list(_weak_signing(fact)) if fact.ds_present else []
        if problem is not None:
            yield problem
        yield from weak
        if problem is None and not weak:
            yield (
                untested(fact, f"the chain was not validated: {fact.reason or 'unknown'}")
                if fact.validated is None
                else passed(fact, f"{fact.zone} is signed, and the chain is valid")
            )


def _chain_problem(fact: DnssecFact) -> Verdict | None:
    if fact.ds_present and not fact.dnskey_present:
        return failed(
            fact,
            Severity.HIGH,
            "dnssec/ds-without-key",
            f"The parent has a DS record for {fact.zone}, but the zone has no DNSKEY: resolvers "
            "that validate cannot resolve it.",
            observed="DS: present, DNSKEY: absent",
        )
    if fact.ds_present and fact.validated is False:
        return failed(
            fact,
            Severity.HIGH,
            "dnssec/bogus",
            f"The signatures of {fact.zone} do not validate: resolvers refuse its answers.",
            observed=fact.reason or "validation failed",
        )
    if not fact.ds_present:
        signed = "The zone is signed, but its parent has no DS record, so nobody can check it."
        return failed(
            fact,
            Severity.LOW,
            "dnssec/unsigned",
            signed if fact.dnskey_present else f"{fact.zone} is not signed with DNSSEC.",
            observed=f"DS: absent, DNSKEY: {'present' if fact.dnskey_present else 'absent'}",
        )
    return None


def _weak_signing(fact: DnssecFact) -> Iterator[Verdict]:
    algorithms = sorted(set(fact.algorithms) & _SHA1_ALGORITHMS)
    if algorithms:
        yield failed(
            fact,
            Severity.MEDIUM,
            "dnssec/sha1-algorithm",
            "The zone is signed with an algorithm that must no longer sign; validators that refuse "
            "it see the zone as unsigned.",
            observed=f"DNSKEY algorithms: {', '.join(map(str, algorithms))}",
        )
    if _SHA1_DIGEST in fact.ds_digest_types:
        alone = set(fact.ds_digest_types) == {_SHA1_DIGEST}
        yield failed(
            fact,
            Severity.MEDIUM if alone else Severity.INFO,
            "dnssec/sha1-ds",
            "The parent's DS record uses SHA-1."
            if alone
            else "One of the parent's DS records uses SHA-1; it can be removed.",
            observed=f"DS digest types: {', '.join(map(str, fact.ds_digest_types))}",
        )
    if fact.nsec3_iterations:
        yield failed(
            fact,
            Severity.INFO,
            "dnssec/nsec3-iterations",
            "NSEC3 uses extra iterations, which cost time and add no safety.",
            observed=f"NSEC3PARAM iterations: {fact.nsec3_iterations}",
        )


def check_delegation(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Judge who serves the zone (RFC 2182; RFC 1912, section 2.8)."""
    del now
    for fact in facts.delegations:
        problems = [*_lame(fact), *_few(fact), *_differing(fact)]
        yield from problems
        if not problems:
            asked = all(server.authoritative is not None for server in fact.servers)
            yield (
                passed(fact, f"{len(fact.servers)} servers answer with authority")
                if asked and fact.servers
                else untested(fact, "not every name server was asked, so lame ones may be missed")
            )


def _lame(fact: DelegationFact) -> Iterator[Verdict]:
    for server in fact.servers:
        if server.authoritative is False or (server.authoritative is None and server.error):
            certain = server.authoritative is False
            yield failed(
                fact,
                Severity.MEDIUM,
                f"delegation/lame/{server.name}",
                f"{server.name} is listed for {fact.zone} but does not serve it.",
                observed=f"{server.name}: {server.error or 'answer without authority'}",
                doubt=None
                if certain
                else Doubt(Confidence.MEDIUM, "a server that gives no answer may be down for now"),
            )


def _few(fact: DelegationFact) -> Iterator[Verdict]:
    names = fact.child_servers or fact.parent_servers
    shown = f"NS: {', '.join(names)}"
    if len(names) == 1:
        words = f"{fact.zone} has one name server; when it fails, everything does."
        yield failed(fact, Severity.LOW, "delegation/one-server", words, observed=shown)
        return
    networks = {network for server in fact.servers for network in _networks(server)}
    every = bool(fact.servers) and all(server.addresses for server in fact.servers)
    if every and len(networks) == 1:
        words = f"All name servers of {fact.zone} are in one network."
        shown = f"{shown} in {next(iter(networks))}"
        yield failed(fact, Severity.LOW, "delegation/one-network", words, observed=shown)


def _networks(server: NameServer) -> Iterator[str]:
    for text in server.addresses:
        try:
            address = ipaddress.ip_address(text)
        except ValueError:
            continue
        bits = _NETWORK_BITS[address.version]
        yield str(ipaddress.ip_network(f"{text}/{bits}", strict=False))


def _differing(fact: DelegationFact) -> Iterator[Verdict]:
    parent, child = set(fact.parent_servers), set(fact.child_servers)
    if parent and child and parent != child:
        yield failed(
            fact,
            Severity.LOW,
            "delegation/parent-child",
            f"The parent and {fact.zone} itself name different servers.",
            observed=(
                f"only parent: {', '.join(sorted(parent - child)) or '-'}\n"
                f"only zone: {', '.join(sorted(child - parent)) or '-'}"
            ),
        )


def check_transfer(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Refuse zone transfers to strangers (RFC 5936, section 6)."""
    del now
    for fact in facts.zone_transfers:
        asset = Asset(fact.zone, fact.asset.ip, fact.asset.port)
        if fact.open:
            yield failed(
                fact,
                Severity.HIGH,
                f"axfr/{fact.server}",
                f"{fact.server} hands out the whole zone {fact.zone} to anybody.",
                observed=f"AXFR {fact.zone} @{fact.server}: {fact.record_count} records",
                asset=asset,
            )
        else:
            said = fact.error or "refused"
            yield passed(fact, f"{fact.server} gives no transfer ({said})", asset=asset)


def check_recursion(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Refuse open resolvers (RFC 5358)."""
    del now
    for fact in facts.recursion:
        if fact.open:
            yield failed(
                fact,
                Severity.MEDIUM,
                "recursion/open",
                f"{fact.server} resolves foreign names for anybody.",
                observed=f"recursive answer from {fact.server}",
            )
        else:
            yield passed(fact, f"{fact.server} refuses foreign names")


DNS_DNSSEC = Rule(
    id="dns.dnssec",
    title="DNSSEC is missing, broken or weak",
    probe_class=ProbeClass.PASSIVE,
    check=check_dnssec,
    needs="DS and DNSKEY records were not looked up",
    impact="Answers can be forged; with a broken chain the zone is gone for careful resolvers.",
    remediation="Sign with algorithm 13 and give the DS record (SHA-256) to the registrar.",
    config="dnssec-policy default;",
    reproduce=dig_dnssec,
    references=(
        "https://www.rfc-editor.org/rfc/rfc4033",
        "https://www.rfc-editor.org/rfc/rfc8624",
        "https://www.rfc-editor.org/rfc/rfc9276",
    ),
    cwe=345,
    effort=Effort.MEDIUM,
)

DNS_DELEGATION = Rule(
    id="dns.delegation",
    title="The delegation is faulty or fragile",
    probe_class=ProbeClass.PASSIVE,
    check=check_delegation,
    needs="the name servers were not looked up",
    impact="Names resolve slowly, sometimes, or not at all; a lame server's name may be for sale.",
    remediation="Remove lame servers, keep two in different networks, and align the parent.",
    reproduce=dig("NS"),
    references=(
        "https://www.rfc-editor.org/rfc/rfc2182",
        "https://www.rfc-editor.org/rfc/rfc1912#section-2.8",
    ),
    effort=Effort.MEDIUM,
    would_change="Servers behind one anycast address are in many places although in one network.",
)

DNS_AXFR = Rule(
    id="dns.axfr",
    title="The zone can be downloaded",
    probe_class=ProbeClass.CONSENT,
    check=check_transfer,
    needs="no zone transfer was tried: the name servers are not named in the scope",
    impact="Every host of the zone is known at once, internal names included.",
    remediation="Allow transfers to the secondary servers only, with TSIG.",
    config="allow-transfer { key secondary; };",
    reproduce=dig_transfer,
    references=("https://www.rfc-editor.org/rfc/rfc5936#section-6",),
    cwe=200,
    would_change="A zone that is published on purpose makes this void.",
)

DNS_RECURSION = Rule(
    id="dns.recursion",
    title="A name server is an open resolver",
    probe_class=ProbeClass.CONSENT,
    check=check_recursion,
    needs="no name server was asked for a foreign name",
    impact="It can be used to flood others, and its cache can be poisoned.",
    remediation="Allow recursion for your own networks only.",
    config="allow-recursion { localnets; };",
    reproduce=dig_recursion,
    references=("https://www.rfc-editor.org/rfc/rfc5358",),
    cwe=406,
    would_change="A public resolver with rate limits is meant to be open.",
)
