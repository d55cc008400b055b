from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.tls import CertificateFact
from handfast_inspect.rules.tls_certificate import (
    check_expiry,
    check_key,
    check_lifetime,
    check_transparency,
    check_validity,
)
from made_facts import NOW, certificate, failures, states


def only(fact: CertificateFact) -> Facts:
    return Facts(certificates=(fact,))


def test_a_valid_certificate_passes_every_rule() -> None:
    facts = only(certificate())
    for check in (check_validity, check_expiry, check_lifetime, check_key, check_transparency):
        assert states(check(facts, NOW)) == ["pass"]


def test_without_certificates_no_rule_says_anything() -> None:
    for check in (check_validity, check_expiry, check_lifetime, check_key, check_transparency):
        assert states(check(Facts(), NOW)) == []


@pytest.mark.parametrize(
    ("fact", "expected"),
    [
        (certificate(left=-1), {"certificate/expired": "high"}),
        (certificate(issued=NOW + timedelta(days=1)), {"certificate/not-yet-valid": "high"}),
        (replace(certificate(), name_matches=False), {"certificate/wrong-name": "high"}),
        (
            replace(certificate(), self_signed=True, trusted=False),
            {"certificate/self-signed": "high"},
        ),
        (
            replace(certificate(), trusted=False, chain_complete=True),
            {"certificate/untrusted": "high"},
        ),
        (
            replace(certificate(), trusted=False, chain_complete=False),
            {"certificate/incomplete-chain": "medium"},
        ),
        (
            replace(certificate(left=-1), name_matches=False, trusted=False),
            {
                "certificate/expired": "high",
                "certificate/wrong-name": "high",
                "certificate/untrusted": "high",
            },
        ),
    ],
)
def test_each_fault_of_a_certificate_is_a_finding_of_its_own(
    fact: CertificateFact, expected: dict[str, str]
) -> None:
    assert failures(check_validity(only(fact), NOW)) == expected


def test_a_chain_that_was_not_verified_is_not_tested() -> None:
    fact = replace(certificate(), trusted=None, chain_complete=None)
    assert states(check_validity(only(fact), NOW)) == ["not_tested"]


@pytest.mark.parametrize(
    ("days", "left", "expected"),
    [
        (90, 31, None),
        (90, 29, "medium"),
        (90, 14, "high"),
        (398, 200, None),
        (398, 130, "medium"),
        (398, 66, "high"),
        (47, 17, None),
        (47, 15, "medium"),
        (47, 7, "high"),
        (30, 6, "high"),
        (6, 4, None),
        (6, 1, "high"),
        (9, 2, "medium"),
    ],
)
def test_expiry_is_judged_by_the_share_of_the_lifetime_that_is_left(
    days: int, left: int, expected: str | None
) -> None:
    found = failures(check_expiry(only(certificate(days=days, left=left)), NOW))
    assert found == ({"certificate/expires-soon": expected} if expected else {})


def test_an_expired_certificate_is_left_to_the_validity_rule() -> None:
    assert states(check_expiry(only(certificate(left=-5)), NOW)) == ["not_tested"]


@pytest.mark.parametrize(
    ("issued", "days", "too_long"),
    [
        (datetime(2020, 8, 31, tzinfo=UTC), 825, False),
        (datetime(2020, 9, 1, tzinfo=UTC), 399, True),
        (datetime(2026, 3, 14, tzinfo=UTC), 398, False),
        (datetime(2026, 3, 15, tzinfo=UTC), 201, True),
        (datetime(2026, 3, 15, tzinfo=UTC), 200, False),
        (datetime(2027, 3, 15, tzinfo=UTC), 101, True),
        (datetime(2027, 3, 15, tzinfo=UTC), 100, False),
        (datetime(2029, 3, 15, tzinfo=UTC), 48, True),
        (datetime(2029, 3, 15, tzinfo=UTC), 47, False),
        (datetime(2017, 1, 1, tzinfo=UTC), 1000, False),
    ],
)
def test_the_longest_lifetime_depends_on_the_day_of_issue(
    issued: datetime, days: int, *, too_long: bool
) -> None:
    found = failures(check_lifetime(only(certificate(days=days, issued=issued)), NOW))
    assert found == ({"certificate/lifetime": "low"} if too_long else {})


def test_a_private_authority_may_issue_for_as_long_as_it_likes() -> None:
    fact = replace(certificate(days=3650, left=3000), trusted=False)
    assert states(check_lifetime(only(fact), NOW)) == ["pass"]
    assert states(check_transparency(only(replace(fact, sct_count=0)), NOW)) == ["pass"]


@pytest.mark.parametrize(
    ("key_type", "bits", "weak"),
    [
        ("rsa", 1024, True),
        ("rsa", 2048, False),
        ("ec", 224, True),
        ("ec", 256, False),
        ("ed25519", 256, False),
        ("dsa", 2048, True),
    ],
)
def test_short_keys_are_found(key_type: str, bits: int, *, weak: bool) -> None:
    fact = replace(certificate(), key_type=key_type, key_bits=bits)
    expected = {"certificate/weak-key": "high"} if weak else {}
    assert failures(check_key(only(fact), NOW)) == expected


@pytest.mark.parametrize(
    ("hash_name", "severity"), [("md5", "high"), ("sha1", "medium"), ("SHA-1", "medium")]
)
def test_weak_signature_hashes_are_found(hash_name: str, severity: str) -> None:
    fact = replace(certificate(), signature_hash=hash_name)
    assert failures(check_key(only(fact), NOW)) == {"certificate/weak-signature": severity}


def test_the_signature_of_a_self_signed_certificate_does_not_matter() -> None:
    fact = replace(certificate(), signature_hash="sha1", self_signed=True)
    assert failures(check_key(only(fact), NOW)) == {}


@pytest.mark.parametrize(
    ("count", "expected"), [(0, ["fail"]), (2, ["pass"]), (None, ["not_tested"])]
)
def test_a_public_certificate_needs_timestamps(count: int | None, expected: list[str]) -> None:
    fact = replace(certificate(), sct_count=count)
    assert states(check_transparency(only(fact), NOW)) == expected
