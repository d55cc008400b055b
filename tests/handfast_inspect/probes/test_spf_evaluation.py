from __future__ import annotations

import dns.rcode
import pytest

from handfast_inspect.facts.asset import Asset
from handfast_inspect.probes.lookup import Questions
from handfast_inspect.probes.notes import Notes
from handfast_inspect.probes.spf import read_spf
from handfast_inspect.probes.spf_evaluation import MAX_LOOKUPS, SpfEvaluation, evaluate_spf
from loopback_dns import DnsServer
from loopback_probes import context_for


async def evaluated(zone: DnsServer, record: str) -> SpfEvaluation:
    questions = Questions(context_for(zone), Notes("test.probe"), Asset("site.test"))
    return await evaluate_spf(questions, "site.test", read_spf(record))


def publish(zone: DnsServer, name: str, record: str) -> None:
    zone.add(f'{name} 60 TXT "{record}"')


async def test_includes_are_counted_with_what_is_inside_them(zone: DnsServer) -> None:
    zone.add("site.test 60 MX 10 site.test.")
    publish(zone, "a.test", "v=spf1 a:site.test include:b.test -all")
    publish(zone, "b.test", "v=spf1 ip4:192.0.2.1 mx:site.test -all")
    found = await evaluated(zone, "v=spf1 include:a.test a mx ip4:192.0.2.0/24 ~all")
    assert found.lookups == 6
    assert found.void_lookups == 0
    assert found.effective_all == "~"
    assert found.error == ""


async def test_what_stands_behind_all_is_not_looked_at(zone: DnsServer) -> None:
    found = await evaluated(zone, "v=spf1 -all include:gone.test redirect=gone.test")
    assert (found.lookups, found.effective_all) == (0, "-")


async def test_the_all_of_an_include_does_not_decide(zone: DnsServer) -> None:
    publish(zone, "a.test", "v=spf1 +all")
    assert (await evaluated(zone, "v=spf1 include:a.test")).effective_all is None


async def test_a_redirect_hands_the_decision_on(zone: DnsServer) -> None:
    publish(zone, "a.test", "v=spf1 ip4:192.0.2.1 ?all")
    found = await evaluated(zone, "v=spf1 redirect=a.test")
    assert (found.lookups, found.effective_all) == (1, "?")


async def test_names_that_do_not_exist_are_void(zone: DnsServer) -> None:
    zone.add("six.test 60 AAAA 2001:db8::1", "empty.test 60 TXT x")
    found = await evaluated(
        zone, "v=spf1 a:gone.test exists:gone.test a:six.test a:empty.test -all"
    )
    assert (found.lookups, found.void_lookups) == (4, 3)


@pytest.mark.parametrize(
    ("record", "error"),
    [
        ("v=spf1 include:gone.test -all", "include:gone.test has no SPF record"),
        ("v=spf1 include:two.test -all", "include:two.test has 2 SPF records"),
        ("v=spf1 include:bad.test -all", "bad.test: 'oops' is no mechanism"),
        ("v=spf1 redirect=gone.test", "redirect:gone.test has no SPF record"),
    ],
)
async def test_a_permanent_error_inside_is_named(zone: DnsServer, record: str, error: str) -> None:
    publish(zone, "two.test", "v=spf1 -all")
    publish(zone, "two.test", "v=spf1 ~all")
    publish(zone, "bad.test", "v=spf1 oops -all")
    assert (await evaluated(zone, record)).error == error


async def test_macros_are_counted_and_not_followed(zone: DnsServer) -> None:
    found = await evaluated(zone, "v=spf1 exists:%{i}.x.test include:%{d}.y.test redirect=%{o}.z")
    assert found.lookups == 3
    assert zone.asked == []


async def test_circles_and_fans_end(zone: DnsServer) -> None:
    publish(zone, "loop.test", "v=spf1 include:loop.test redirect=loop.test")
    looped = await evaluated(zone, "v=spf1 redirect=loop.test")
    assert 10 < looped.lookups <= MAX_LOOKUPS
    for number in range(8):
        terms = " ".join(f"include:f{number + 1}.test" for _ in range(8))
        publish(zone, f"f{number}.test", f"v=spf1 {terms} -all")
    fanned = await evaluated(zone, "v=spf1 include:f0.test -all")
    assert fanned.lookups == MAX_LOOKUPS


async def test_a_name_that_no_message_can_hold_is_trouble_and_no_crash(zone: DnsServer) -> None:
    for name in ("a" * 70 + ".test", "a..test", "\u200b.test", "\ud800.test"):
        found = await evaluated(zone, f"v=spf1 include:{name} -all")
        assert "Cannot ask DNS for" in found.trouble
        assert found.effective_all == "-"


async def test_a_question_that_nobody_answers_is_trouble_and_no_error(zone: DnsServer) -> None:
    zone.rcode("down.test", dns.rcode.SERVFAIL)
    found = await evaluated(zone, "v=spf1 include:down.test -all")
    assert "down.test TXT: servfail" in found.trouble
    assert found.error == ""
