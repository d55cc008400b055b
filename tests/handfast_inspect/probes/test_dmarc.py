from __future__ import annotations

import dns.rcode
import pytest

from handfast_inspect.facts.mail import DmarcFact
from handfast_inspect.probes.dmarc import look_at_dmarc, walk
from handfast_inspect.probes.probe import Target
from loopback_dns import DnsServer
from loopback_probes import context_for, look


async def policy(zone: DnsServer, host: str = "site.test", **records: str) -> DmarcFact:
    for name, record in records.items():
        zone.add(f'_dmarc.{name.replace("__", ".")} 60 TXT "{record}"')
    (fact,) = (await look(look_at_dmarc, context_for(zone), Target(host))).facts.dmarc
    return fact


async def test_the_domains_own_record_applies(zone: DnsServer) -> None:
    fact = await policy(
        zone, "www.site.test", www__site__test="v=DMARC1; p=Reject", site__test="v=DMARC1; p=none"
    )
    assert fact.found_at == "www.site.test"
    assert fact.tags == (("v", "DMARC1"), ("p", "Reject"))
    assert [name for name, _, _ in zone.asked] == ["_dmarc.www.site.test"]


async def test_else_that_of_the_shortest_name_above(zone: DnsServer) -> None:
    fact = await policy(
        zone, "a.b.site.test", b__site__test="v=DMARC1; p=none", site__test="v=DMARC1; p=reject"
    )
    assert fact.found_at == "site.test"
    assert fact.records == ("v=DMARC1; p=reject",)


async def test_psd_n_ends_the_walk_and_psd_y_points_one_label_below(zone: DnsServer) -> None:
    ended = await policy(
        zone,
        "a.b.site.test",
        b__site__test="v=DMARC1; p=none; psd=n",
        site__test="v=DMARC1; p=reject",
    )
    assert ended.found_at == "b.site.test"
    below = await policy(
        zone,
        "a.b.shop.example",
        b__shop__example="v=DMARC1; p=quarantine",
        shop__example="v=DMARC1; p=reject",
        example="v=DMARC1; p=none; psd=y",
    )
    assert below.found_at == "shop.example"


async def test_without_a_record_of_its_own_the_suffix_policy_applies(zone: DnsServer) -> None:
    fact = await policy(zone, "a.shop.example", example="v=DMARC1; p=reject; psd=y")
    assert fact.found_at == "example"


async def test_two_records_are_shown_and_not_used(zone: DnsServer) -> None:
    zone.add('_dmarc.site.test 60 TXT "v=DMARC1; p=none"')
    fact = await policy(zone, site__test="v=DMARC1; p=reject")
    assert fact.found_at == "site.test"
    assert len(fact.records) == 2
    assert fact.tags == ()
    assert "2 records" in fact.error


async def test_other_texts_at_the_name_do_not_count(zone: DnsServer) -> None:
    fact = await policy(zone, site__test="v=DMARC2; p=reject")
    assert (fact.found_at, fact.records) == (None, ())
    assert len(fact.evidence) == 2


async def test_a_question_that_nobody_answers_is_a_gap(zone: DnsServer) -> None:
    zone.rcode("_dmarc.test", dns.rcode.SERVFAIL)
    result = await look(look_at_dmarc, context_for(zone))
    assert result.facts.dmarc == ()
    assert result.facts.gaps[0].covers == ("dns.dmarc",)


@pytest.mark.parametrize(
    ("domain", "asked"),
    [
        ("site.test", ("site.test", "test")),
        ("test", ("test",)),
        (
            "a.b.c.d.e.f.g.h.site.test",
            (
                "a.b.c.d.e.f.g.h.site.test",
                "d.e.f.g.h.site.test",
                "e.f.g.h.site.test",
                "f.g.h.site.test",
                "g.h.site.test",
                "h.site.test",
                "site.test",
                "test",
            ),
        ),
    ],
)
def test_the_walk_takes_at_most_eight_questions(domain: str, asked: tuple[str, ...]) -> None:
    assert walk(domain) == asked
