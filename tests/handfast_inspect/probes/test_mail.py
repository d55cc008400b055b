from __future__ import annotations

import dns.flags
import dns.rcode

from handfast_inspect.probes.mail import look_at_mail_transport, look_at_spf
from loopback_dns import DnsServer
from loopback_probes import context_for, look, reasons, site_on
from loopback_tcp import Site, http_response, tcp_server
from loopback_tls import loopback_tls

POLICY = b"version: STSv1\nmode: enforce\nmx: mail.site.test\nmax_age: 86400\n"
POLICY_PATH = "/.well-known/mta-sts.txt"


def with_mail(zone: DnsServer) -> DnsServer:
    """A domain that takes mail and announces an MTA-STS policy and TLS reports."""
    return zone.add(
        "site.test 60 MX 10 mail.site.test.",
        'site.test 60 TXT "v=spf1 mx -all"',
        "mail.site.test 60 A 127.0.0.1",
        "mta-sts.site.test 60 A 127.0.0.1",
        '_mta-sts.site.test 60 TXT "v=STSv1; id=1"',
        '_smtp._tls.site.test 60 TXT "v=TLSRPTv1; rua=mailto:tls@site.test"',
    )


async def test_the_spf_record_is_read_and_followed(zone: DnsServer) -> None:
    with_mail(zone)
    (fact,) = (await look(look_at_spf, context_for(zone))).facts.spf
    assert fact.records == ("v=spf1 mx -all",)
    assert [term.name for term in fact.terms] == ["mx", "all"]
    assert (fact.effective_all, fact.lookups, fact.void_lookups) == ("-", 1, 0)
    assert fact.receives_mail is True


async def test_a_domain_without_mail_and_spf_is_said_so(zone: DnsServer) -> None:
    zone.add("site.test 60 MX 0 .", 'site.test 60 TXT "not spf"')
    (fact,) = (await look(look_at_spf, context_for(zone))).facts.spf
    assert (fact.records, fact.receives_mail, fact.lookups) == ((), False, None)


async def test_spf_that_nobody_answers_for_is_a_gap(zone: DnsServer) -> None:
    zone.silence("site.test")
    result = await look(look_at_spf, context_for(zone))
    assert result.facts.spf == ()
    assert result.facts.gaps[0].covers == ("dns.spf",)


async def test_terms_that_could_not_be_followed_leave_the_count_open(zone: DnsServer) -> None:
    zone.add('site.test 60 TXT "v=spf1 include:down.test -all"')
    zone.rcode("down.test", dns.rcode.SERVFAIL)
    result = await look(look_at_spf, context_for(zone))
    assert result.facts.spf[0].lookups is None
    assert result.facts.spf[0].effective_all == "-"
    assert "not every term was followed" in reasons(result)


async def test_the_policy_is_fetched_over_checked_https(zone: DnsServer) -> None:
    with_mail(zone)
    site = Site({POLICY_PATH: http_response(POLICY)})
    context = loopback_tls().server_context("mta-sts.site.test")
    async with tcp_server(site.serve, context) as port:
        result = await look(look_at_mail_transport, context_for(zone), site_on(https=port))
    (fact,) = result.facts.mta_sts
    assert (fact.record, fact.tls_rpt) == ("v=STSv1; id=1", "v=TLSRPTv1; rua=mailto:tls@site.test")
    assert (fact.policy_fetched, fact.mode, fact.max_age) == (True, "enforce", 86400)
    assert fact.mx_patterns == fact.mx_hosts == ("mail.site.test",)
    assert "curl" in next(e.reproduce for e in result.evidence if e.summary.startswith("GET"))


async def test_a_policy_behind_a_wrong_certificate_or_a_404_is_not_fetched(
    zone: DnsServer,
) -> None:
    with_mail(zone)
    wrong = loopback_tls().server_context("other.site.test")
    async with tcp_server(Site().serve, wrong) as port:
        result = await look(look_at_mail_transport, context_for(zone), site_on(https=port))
    assert result.facts.mta_sts[0].policy_fetched is False
    assert "certificate" in result.facts.mta_sts[0].policy_error
    right = loopback_tls().server_context("mta-sts.site.test")
    async with tcp_server(Site().serve, right) as port:
        result = await look(look_at_mail_transport, context_for(zone), site_on(https=port))
    assert result.facts.mta_sts[0].policy_error == "status 404"


async def test_a_passive_inspection_fetches_nothing(zone: DnsServer) -> None:
    with_mail(zone)
    context = context_for(zone, probes=["passive"])
    (fact,) = (await look(look_at_mail_transport, context)).facts.mta_sts
    assert fact.record is not None
    assert fact.policy_fetched is None
    assert context.pace.started == 0


async def test_a_policy_host_out_of_scope_is_a_gap(zone: DnsServer) -> None:
    with_mail(zone)
    result = await look(look_at_mail_transport, context_for(zone, ports=[80]))
    assert result.facts.mta_sts[0].policy_fetched is None
    assert "the policy was not fetched" in reasons(result)


async def test_two_records_count_as_none(zone: DnsServer) -> None:
    with_mail(zone).add('_mta-sts.site.test 60 TXT "v=STSv1; id=2"')
    (fact,) = (await look(look_at_mail_transport, context_for(zone))).facts.mta_sts
    assert fact.record is None


async def test_tlsa_records_count_only_under_dnssec(zone: DnsServer) -> None:
    zone.add("site.test 60 MX 10 mail.site.test.", "_25._tcp.mail.site.test 60 TLSA 3 1 0 AABB")
    (unsigned,) = (await look(look_at_mail_transport, context_for(zone))).facts.dane
    assert (unsigned.records, unsigned.authenticated) == (("3 1 0 aabb",), False)
    zone.add("site.test 60 DS 1 13 200 AABB")
    (unknown,) = (await look(look_at_mail_transport, context_for(zone))).facts.dane
    assert unknown.authenticated is None
    zone.flags |= dns.flags.AD
    (signed,) = (await look(look_at_mail_transport, context_for(zone))).facts.dane
    assert signed.authenticated is True


async def test_mail_questions_that_nobody_answers_are_gaps(zone: DnsServer) -> None:
    zone.rcode("_mta-sts.site.test", dns.rcode.SERVFAIL)
    result = await look(look_at_mail_transport, context_for(zone))
    assert result.facts.mta_sts == ()
    with_mail(zone).replies.clear()
    zone.rcode("_25._tcp.mail.site.test", dns.rcode.SERVFAIL)
    result = await look(look_at_mail_transport, context_for(zone, probes=["passive"]))
    assert len(result.facts.mta_sts) == 1
    assert result.facts.dane == ()
    assert "TLSA" in reasons(result)
