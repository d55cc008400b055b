from __future__ import annotations

from dataclasses import replace

import pytest

from handfast_inspect.facts.asset import Asset
from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.dns import (
    CaaFact,
    CaaProperty,
    CtNamesFact,
    DnsRecordsFact,
    PointerFact,
    WildcardFact,
)
from handfast_inspect.rules.dns_names import (
    check_caa,
    check_ct_names,
    check_dangling,
    check_private,
    check_wildcard,
)
from made_facts import HOST, NOW, PROOF, ZONE, certificate, failures, states

POINTER = PointerFact(ZONE, PROOF, "shop.example.test", "CNAME", "shop.host.test", True)  # noqa: FBT003 - the target exists


def caa(*properties: tuple[str, str], found_at: str | None = "example.test") -> CaaFact:
    listed = tuple(CaaProperty(0, tag, value) for tag, value in properties)
    return CaaFact(Asset(HOST), PROOF, HOST, found_at, listed)


LE = ("issue", "letsencrypt.org")


@pytest.mark.parametrize(
    ("fact", "expected"),
    [
        (caa(LE), {}),
        (caa(found_at=None), {"caa/missing": "low"}),
        (caa(("issuewild", "letsencrypt.org")), {"caa/only-issuewild": "info"}),
        (caa(("iodef", "mailto:a@b.test")), {"caa/no-issue": "info"}),
        (caa(("issue", "digicert.com")), {"caa/issuer-not-listed": "medium"}),
        (caa(("issue", ";")), {"caa/issuer-not-listed": "medium"}),
        (caa(("issue", "digicert.com"), LE), {}),
        (caa(("ISSUE", "LetsEncrypt.org; accounturi=x")), {}),
    ],
)
def test_caa_with_a_live_certificate(fact: CaaFact, expected: dict[str, str]) -> None:
    facts = Facts(caa=(fact,), certificates=(certificate(),))
    assert failures(check_caa(facts, NOW)) == expected


def test_wildcard_certificates_are_judged_by_issuewild() -> None:
    wild = replace(certificate(), dns_names=("*.example.test",))
    fact = caa(("issue", "digicert.com"), ("issuewild", "letsencrypt.org"))
    assert failures(check_caa(Facts(caa=(fact,), certificates=(wild,)), NOW)) == {}
    exact = certificate()
    assert failures(check_caa(Facts(caa=(fact,), certificates=(exact,)), NOW)) == {
        "caa/issuer-not-listed": "medium"
    }


def test_unknown_and_private_issuers_are_not_compared() -> None:
    fact = caa(("issue", "digicert.com"))
    unknown = replace(certificate(), issuer_organization="Example CA")
    private = replace(certificate(), trusted=False)
    for live in (unknown, private):
        assert states(check_caa(Facts(caa=(fact,), certificates=(live,)), NOW)) == ["pass"]


@pytest.mark.parametrize(
    ("fact", "expected"),
    [
        (POINTER, ["pass"]),
        (replace(POINTER, target_exists=None), ["not_tested"]),
        (replace(POINTER, target_exists=False), ["fail"]),
        (replace(POINTER, unclaimed_signature="There is no such site"), ["fail"]),
    ],
)
def test_dangling_records(fact: PointerFact, expected: list[str]) -> None:
    assert states(check_dangling(Facts(pointers=(fact,)), NOW)) == expected


def test_a_provider_signature_is_worse_than_a_missing_target() -> None:
    facts = Facts(
        pointers=(
            replace(POINTER, target_exists=False),
            replace(POINTER, rtype="MX", provider="Host", unclaimed_signature="no such site"),
        )
    )
    assert failures(check_dangling(facts, NOW)) == {
        "dns:shop.example.test/CNAME/shop.host.test": "medium",
        "dns:shop.example.test/MX/shop.host.test": "high",
    }


@pytest.mark.parametrize(
    ("rtype", "value", "private"),
    [
        ("A", "93.184.216.34", False),
        ("A", "10.0.0.5", True),
        ("A", "127.0.0.1", True),
        ("A", "100.64.0.1", True),
        ("AAAA", "2606:2800:220:1::1", False),
        ("AAAA", "fd00::1", True),
        ("AAAA", "::1", True),
        ("A", "not an address", False),
    ],
)
def test_internal_addresses_in_public_dns(rtype: str, value: str, *, private: bool) -> None:
    fact = DnsRecordsFact(ZONE, PROOF, "intra.example.test", rtype, "ok", (value,))
    expected = {f"dns:intra.example.test/{rtype}/private": "low"} if private else {}
    assert failures(check_private(Facts(dns_records=(fact,)), NOW)) == expected


def test_only_answered_address_records_are_judged() -> None:
    text = DnsRecordsFact(ZONE, PROOF, "example.test", "TXT", "ok", ("10.0.0.1",))
    none = DnsRecordsFact(ZONE, PROOF, "example.test", "A", "nxdomain")
    assert states(check_private(Facts(dns_records=(text, none)), NOW)) == []


def test_wildcards_are_a_note() -> None:
    fact = WildcardFact(ZONE, PROOF, "example.test", matched=True, values=("192.0.2.1",))
    facts = Facts(wildcards=(fact, replace(fact, matched=False)))
    assert failures(check_wildcard(facts, NOW)) == {"dns/wildcard": "info"}
    assert states(check_wildcard(facts, NOW)) == ["fail", "pass"]


def test_names_outside_the_scope_are_listed_and_cut() -> None:
    names = tuple(f"h{n:02}.example.test" for n in range(60))
    fact = CtNamesFact(ZONE, PROOF, "example.test", names, names[:5])
    (verdict,) = check_ct_names(Facts(ct_names=(fact,)), NOW)
    assert verdict.observed.endswith("… and 5 more")
    all_in = replace(fact, in_scope=names)
    assert states(check_ct_names(Facts(ct_names=(all_in,)), NOW)) == ["pass"]
