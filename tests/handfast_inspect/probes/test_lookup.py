from __future__ import annotations

import dns.rcode
import pytest

from handfast.network.answer import DnsRecord
from handfast_inspect.facts.asset import Asset
from handfast_inspect.probes.lookup import (
    MAX_LABELS,
    Questions,
    ancestors,
    answer_text,
    mail_hosts,
    plain_value,
    zone_of,
)
from handfast_inspect.probes.notes import Notes
from loopback_dns import DnsServer
from loopback_probes import context_for


async def test_an_answer_is_proved_without_what_changes_by_the_minute(zone: DnsServer) -> None:
    zone.add("site.test 60 A 127.0.0.2")
    notes = Notes("test.probe")
    questions = Questions(context_for(zone), notes, Asset("site.test"))
    lookup = await questions.ask("site.test", "A")
    (evidence,) = notes.result().evidence
    assert lookup.evidence == (evidence.id,)
    assert lookup.status == "ok"
    assert lookup.trouble == ""
    assert evidence.text == "site.test A 127.0.0.1\nsite.test A 127.0.0.2\n; ok\n"
    assert f"-p {zone.address.port}" in evidence.reproduce
    assert answer_text(lookup.answer) == evidence.excerpt


async def test_a_failure_says_nothing_about_the_name_and_why(zone: DnsServer) -> None:
    zone.rcode("site.test", dns.rcode.SERVFAIL)
    zone.silence("mute.test")
    questions = Questions(context_for(zone), Notes("test.probe"), Asset("site.test"))
    failed = await questions.ask("site.test", "MX")
    silent = await questions.ask("mute.test", "MX")
    assert (failed.status, silent.status) == ("servfail", "timeout")
    assert failed.trouble == "site.test MX: servfail (SERVFAIL)"
    assert "mute.test MX: timeout" in silent.trouble


@pytest.mark.parametrize(
    ("record", "value"),
    [
        (DnsRecord("a.test", "MX", 1, "10 Mail.Test."), "10 mail.test"),
        (DnsRecord("a.test", "MX", 1, "0 ."), "0 ."),
        (DnsRecord("a.test", "CNAME", 1, "B.Test."), "b.test"),
        (DnsRecord("a.test", "TXT", 1, '"a" "b"', (b"a", b"b")), "ab"),
        (DnsRecord("a.test", "CAA", 1, '0 issue "ca.test"'), "0 issue ca.test"),
        (DnsRecord("a.test", "A", 1, "192.0.2.1"), "192.0.2.1"),
    ],
)
def test_values_are_written_as_facts_have_them(record: DnsRecord, value: str) -> None:
    assert plain_value(record) == value


def test_climbing_ends_below_the_root_and_is_bounded() -> None:
    assert list(ancestors("a.b.test")) == ["a.b.test", "b.test", "test"]
    assert len(list(ancestors(".".join("x" * 100)))) == MAX_LABELS


async def test_the_zone_is_the_nearest_name_with_an_soa(zone: DnsServer) -> None:
    zone.add(
        "site.test 60 SOA ns.site.test. root.site.test. 1 2 3 4 5", "a.b.site.test 60 A 1.2.3.4"
    )
    context = context_for(zone)
    assert await zone_of(context, "a.b.site.test") == "site.test"
    assert await zone_of(context, "site.test") == "site.test"
    assert await zone_of(context, "other.example") is None
    zone.rcode("dead.test", dns.rcode.SERVFAIL)
    assert await zone_of(context, "dead.test") is None


async def test_mail_hosts_are_ordered_and_a_null_mx_is_none(zone: DnsServer) -> None:
    zone.add(
        "site.test 60 MX 20 b.test.", "site.test 60 MX 10 a.test.", "site.test 60 MX 30 A.test."
    )
    zone.add("null.test 60 MX 0 .")
    context = context_for(zone)
    assert mail_hosts(await context.query("site.test", "MX")) == ("a.test", "b.test")
    assert mail_hosts(await context.query("null.test", "MX")) == ()
