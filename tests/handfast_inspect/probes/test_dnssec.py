from __future__ import annotations

from collections.abc import Callable

import dns.dnssec
import dns.flags
import dns.message
import dns.name
import dns.rcode
import dns.rdatatype
from cryptography.hazmat.primitives.asymmetric import ec
from dns.dnssecalgs.ecdsa import PublicECDSAP256SHA256
from dns.dnssectypes import DSDigest

from handfast_inspect.facts.dns import DnssecFact
from handfast_inspect.probes.dnssec import look_at_dnssec
from handfast_inspect.probes.probe import Target
from loopback_dns import DnsServer
from loopback_probes import context_for, look, reasons

SOA = "site.test 60 SOA ns.site.test. root.site.test. 1 2 3 4 5"


def key_and_ds(zone: str, digest: DSDigest = DSDigest.SHA256) -> tuple[str, str]:
    """A key of the zone, and the DS that a parent would have for it."""
    private = ec.generate_private_key(ec.SECP256R1())
    key = PublicECDSAP256SHA256(key=private.public_key()).to_dnskey(flags=257)
    policy = dns.dnssec.allow_all_policy
    ds = dns.dnssec.make_ds(dns.name.from_text(zone), key, digest, policy=policy)
    return key.to_text(), ds.to_text()


def bogus(server: DnsServer, name: str) -> Callable[[dns.message.Message], bytes]:
    """Answers like a validating resolver in front of a zone whose signatures do not match."""

    def reply(query: dns.message.Message) -> bytes:
        rtype = dns.rdatatype.to_text(query.question[0].rdtype)
        response = dns.message.make_response(query)
        found = server.zone.get((name, rtype))
        if rtype != "DS" and not query.flags & dns.flags.CD:
            response.set_rcode(dns.rcode.SERVFAIL)
        elif found is not None:
            response.answer.append(found)
        return response.to_wire()

    return reply


async def seen(zone: DnsServer, target: str = "site.test") -> DnssecFact:
    (fact,) = (await look(look_at_dnssec, context_for(zone), Target(target))).facts.dnssec
    return fact


async def test_an_unsigned_zone_has_neither_ds_nor_key(zone: DnsServer) -> None:
    zone.add(SOA)
    fact = await seen(zone)
    assert (fact.zone, fact.ds_present, fact.dnskey_present) == ("site.test", False, False)
    assert fact.validated is None


async def test_a_validated_zone_is_the_resolvers_word(zone: DnsServer) -> None:
    key, ds = key_and_ds("site.test")
    zone.add(SOA, f"site.test 60 DNSKEY {key}", f"site.test 60 DS {ds}")
    zone.add("site.test 60 NSEC3PARAM 1 0 12 AABB", "www.site.test 60 A 127.0.0.1")
    zone.flags |= dns.flags.AD
    fact = await seen(zone, "www.site.test")
    assert fact.zone == "site.test"
    assert fact.validated is True
    assert (fact.algorithms, fact.ds_digest_types, fact.nsec3_iterations) == ((13,), (2,), 12)


async def test_a_resolver_that_does_not_validate_leaves_it_open(zone: DnsServer) -> None:
    key, ds = key_and_ds("site.test", DSDigest.SHA1)
    zone.add(SOA, f"site.test 60 DNSKEY {key}", f"site.test 60 DS {ds}")
    fact = await seen(zone)
    assert fact.validated is None
    assert "does not say" in fact.reason
    assert fact.ds_digest_types == (1,)


async def test_a_ds_of_another_key_is_bogus_whatever_the_resolver_says(zone: DnsServer) -> None:
    key, _ = key_and_ds("site.test")
    _, other = key_and_ds("site.test")
    zone.add(SOA, f"site.test 60 DNSKEY {key}", f"site.test 60 DS {other}")
    zone.flags |= dns.flags.AD
    fact = await seen(zone)
    assert fact.validated is False
    assert "no DS record of the parent matches" in fact.reason


async def test_what_is_given_only_unchecked_is_bogus(zone: DnsServer) -> None:
    key, ds = key_and_ds("site.test")
    zone.add(SOA, f"site.test 60 DNSKEY {key}", f"site.test 60 DS {ds}")
    zone.replies["site.test"] = bogus(zone, "site.test")
    fact = await seen(zone)
    assert fact.validated is False
    assert "only unchecked" in fact.reason


async def test_a_ds_that_cannot_be_computed_proves_nothing(zone: DnsServer) -> None:
    key, _ = key_and_ds("site.test")
    zone.add(SOA, f"site.test 60 DNSKEY {key}", "site.test 60 DS 1 13 200 AABB")
    fact = await seen(zone)
    assert fact.validated is None


async def test_a_zone_that_nobody_answers_for_is_a_gap(zone: DnsServer) -> None:
    zone.rcode("site.test", dns.rcode.SERVFAIL)
    result = await look(look_at_dnssec, context_for(zone))
    assert result.facts.dnssec == ()
    assert "servfail" in reasons(result)
