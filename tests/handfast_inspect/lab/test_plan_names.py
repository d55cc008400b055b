from __future__ import annotations

import dns.rcode
import pytest
from dns.rdtypes.ANY.TXT import TXT

from handfast_inspect.lab.injections import PLANTED
from handfast_inspect.lab.plan_names import BIG_STRINGS, NAMES, planted_txt
from laboratory_client import LaboratoryClient, rdatas, shown


async def texts(client: LaboratoryClient, name: str, rtype: str = "TXT") -> list[str]:
    answer = await client.ask(name, rtype, tcp=True)
    return shown(answer.answer)


@pytest.mark.parametrize(
    ("name", "beginnings"),
    [
        ("spf-many", ['"v=spf1 include:spf-0']),
        ("spf-two", ['"v=spf1 -all"', '"v=spf1 ~all"']),
        ("spf-void", ['"v=spf1 a:gone1']),
        ("spf-broken", ['"v=spf1 ipv4:']),
        ("spf-soft", ['"v=spf1 mx ptr ~all"']),
        ("spf-open-end", ['"v=spf1 mx"']),
        ("spf-loop", ['"v=spf1 redirect=spf-loop']),
        ("no-mail", ['"v=spf1 -all"']),
        ("_dmarc.monitor", ['"v=DMARC1; p=none;']),
        ("_dmarc.weak-key", ['"v=DMARC1; p=reject; sp=none; t=y;']),
        ("default._domainkey.weak-key", ['"v=DKIM1; k=rsa; t=y; p=MIGf']),
        ("_mta-sts.testing", ['"v=STSv1;']),
    ],
)
async def test_each_policy_is_as_weak_as_it_is_meant_to_be(
    client: LaboratoryClient, name: str, beginnings: list[str]
) -> None:
    found = sorted(await texts(client, f"{name}.lab.example"))
    assert len(found) == len(beginnings)
    assert all(text.startswith(start) for text, start in zip(found, beginnings, strict=True))


async def test_the_many_includes_exist_and_cost_more_than_ten_look_ups(
    client: LaboratoryClient,
) -> None:
    (policy,) = await texts(client, "spf-many.lab.example")
    included = [word.removeprefix("include:") for word in policy.split() if "include:" in word]
    costs = len(included)
    for name in included:
        (inner,) = await texts(client, name)
        costs += sum(word.startswith(("a:", "mx")) for word in inner.split())
    assert costs > 10


@pytest.mark.parametrize("name", ["forgotten", "lost"])
async def test_what_dangles_leads_to_a_name_that_does_not_exist(
    client: LaboratoryClient, name: str
) -> None:
    rtype = "A" if name == "forgotten" else "MX"
    answer = await client.ask(f"{name}.lab.example", rtype)
    (record,) = shown(answer.answer)
    target = record.split()[-1]
    assert (await client.ask(target, "A")).rcode() == dns.rcode.NXDOMAIN


async def test_the_null_exchanger_says_that_no_mail_is_taken(client: LaboratoryClient) -> None:
    assert await texts(client, "no-mail.lab.example", "MX") == ["0 ."]


@pytest.mark.parametrize(
    ("name", "rtype", "address"),
    [
        ("intranet", "A", "10.20.30.40"),
        ("mapped", "AAAA", "::ffff:127.0.0.1"),
        ("six", "AAAA", "2001:db8::6"),
        ("anything.wild", "A", "198.51.100.80"),
    ],
)
async def test_addresses_are_told_as_they_are(
    client: LaboratoryClient, name: str, rtype: str, address: str
) -> None:
    assert await texts(client, f"{name}.lab.example", rtype) == [address]


async def test_one_public_and_one_loopback_address_stand_side_by_side(
    client: LaboratoryClient,
) -> None:
    found = sorted(await texts(client, "rebind.lab.example", "A"))
    assert found == ["127.0.0.1", "203.0.113.80"]


async def test_an_alias_in_a_circle_fails(client: LaboratoryClient) -> None:
    assert (await client.ask("circle.lab.example", "A")).rcode() == dns.rcode.SERVFAIL


async def test_the_big_answer_has_every_string(client: LaboratoryClient) -> None:
    found = await texts(client, "big.lab.example")
    assert sum("long text" in text for text in found) == BIG_STRINGS


async def test_the_hostile_name_says_everything_that_is_planted(client: LaboratoryClient) -> None:
    answer = await client.ask("hostile.lab.example", "TXT", tcp=True)
    records = (record for rrset in answer.answer for record in rdatas(rrset))
    said = [b"".join(record.strings) for record in records if isinstance(record, TXT)]
    assert sorted(said) == sorted({text.encode()[:255] for text in PLANTED.values()})


async def test_a_name_can_be_markup(client: LaboratoryClient) -> None:
    answer = await client.ask(r"<script>alert\(1\)</script>.lab.example", "A")
    assert answer.rcode() == dns.rcode.NOERROR
    assert len(answer.answer) == 1


def test_planted_records_are_ascii_whatever_they_say() -> None:
    assert planted_txt("x").isascii()
    assert planted_txt("x").count("\n") == len(PLANTED)


async def test_every_name_is_there(client: LaboratoryClient) -> None:
    silent = {"mute.lab.example", "servfail.lab.example", "bogus.lab.example", "circle.lab.example"}
    for plan in NAMES:
        if plan.name in silent:
            continue
        for rtype in ("SOA", "CAA"):
            rcode = (await client.ask(plan.name, rtype)).rcode()
            gone = plan.name == "forgotten.lab.example"
            assert (plan.name, rcode == dns.rcode.NXDOMAIN) == (plan.name, gone)
