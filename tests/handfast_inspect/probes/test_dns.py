from __future__ import annotations

import dns.rcode
import pytest

from handfast_inspect.facts.dns import CaaProperty
from handfast_inspect.probes.dns import (
    RECORD_TYPES,
    look_at_caa,
    look_at_pointers,
    look_at_records,
    look_for_wildcard,
)
from handfast_inspect.probes.probe import Target
from loopback_dns import DnsServer
from loopback_probes import context_for, look, reasons


async def test_every_type_is_listed_with_what_came(zone: DnsServer) -> None:
    zone.add("site.test 60 MX 10 mail.site.test.", 'site.test 30 TXT "hello"')
    facts = (await look(look_at_records, context_for(zone))).facts
    found = {fact.rtype: (fact.status, fact.values, fact.ttl) for fact in facts.dns_records}
    assert set(found) == set(RECORD_TYPES)
    assert found["A"] == ("ok", ("127.0.0.1",), 60)
    assert found["MX"] == ("ok", ("10 mail.site.test",), 60)
    assert found["TXT"] == ("ok", ("hello",), 30)
    assert found["AAAA"] == ("nodata", (), None)
    assert facts.gaps == ()


async def test_a_name_that_nobody_answers_for_is_a_gap_for_each_rule(zone: DnsServer) -> None:
    zone.rcode("site.test", dns.rcode.REFUSED)
    result = await look(look_at_records, context_for(zone))
    assert {fact.status for fact in result.facts.dns_records} == {"refused"}
    assert {rule for gap in result.facts.gaps for rule in gap.covers} == {
        "dns.private",
        "dns.dangling",
    }


async def test_the_nearest_caa_set_applies(zone: DnsServer) -> None:
    zone.add('site.test 60 CAA 0 issue "ca.test; a=b"', 'site.test 60 CAA 128 Iodef "mailto:a@b"')
    zone.add("www.site.test 60 A 127.0.0.1")
    facts = (await look(look_at_caa, context_for(zone), Target("www.site.test"))).facts
    (caa,) = facts.caa
    assert (caa.name, caa.found_at) == ("www.site.test", "site.test")
    assert set(caa.properties) == {
        CaaProperty(0, "issue", "ca.test; a=b"),
        CaaProperty(128, "iodef", "mailto:a@b"),
    }


async def test_no_caa_up_to_the_root_is_said_so(zone: DnsServer) -> None:
    (caa,) = (await look(look_at_caa, context_for(zone))).facts.caa
    assert caa.found_at is None
    assert len(caa.evidence) == 2


async def test_a_parent_that_does_not_answer_leaves_caa_open(zone: DnsServer) -> None:
    zone.rcode("test", dns.rcode.SERVFAIL)
    result = await look(look_at_caa, context_for(zone))
    assert result.facts.caa == ()
    assert "test CAA: servfail" in reasons(result)


async def test_pointers_are_followed_to_see_whether_they_still_lead_somewhere(
    zone: DnsServer,
) -> None:
    zone.add(
        "site.test 60 NS ns.site.test.",
        "ns.site.test 60 A 127.0.0.1",
        "site.test 60 MX 10 gone.example.",
        "site.test 60 MX 20 broken.example.",
    )
    zone.rcode("broken.example", dns.rcode.SERVFAIL)
    facts = (await look(look_at_pointers, context_for(zone))).facts
    assert {(item.rtype, item.target, item.target_exists) for item in facts.pointers} == {
        ("NS", "ns.site.test", True),
        ("MX", "gone.example", False),
        ("MX", "broken.example", None),
    }


async def test_an_alias_of_a_hosting_provider_is_named(zone: DnsServer) -> None:
    zone.add("shop.site.test 60 CNAME forgotten.github.io.")
    facts = (await look(look_at_pointers, context_for(zone), Target("shop.site.test"))).facts
    (pointer,) = facts.pointers
    assert (pointer.target, pointer.provider) == ("forgotten.github.io", "GitHub Pages")
    assert pointer.target_exists is False


async def test_a_null_mx_points_nowhere(zone: DnsServer) -> None:
    zone.add("site.test 60 MX 0 .")
    assert (await look(look_at_pointers, context_for(zone))).facts.pointers == ()


@pytest.mark.parametrize("wild", [True, False])
async def test_a_wildcard_is_seen_by_a_name_that_nobody_made(
    zone: DnsServer, *, wild: bool
) -> None:
    if wild:
        zone.add("*.site.test 60 A 127.0.0.9")
    (fact,) = (await look(look_for_wildcard, context_for(zone))).facts.wildcards
    assert fact.matched is wild
    assert fact.values == (("127.0.0.9",) if wild else ())
    assert ("no-such-label.site.test", "A", "udp") in zone.asked


async def test_a_wildcard_that_cannot_be_looked_for_is_a_gap(zone: DnsServer) -> None:
    zone.silence("no-such-label.site.test")
    result = await look(look_for_wildcard, context_for(zone))
    assert result.facts.wildcards == ()
    assert result.facts.gaps[0].covers == ("dns.wildcard",)
