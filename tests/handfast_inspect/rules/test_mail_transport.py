from __future__ import annotations

from dataclasses import replace

import pytest

from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.mail import DaneFact, DkimFact, MtaStsFact
from handfast_inspect.rules.mail_transport import check_dkim, check_mail_transport, matches_mx
from made_facts import NOW, PROOF, ZONE, failures, states

KEY = DkimFact(ZONE, PROOF, "example.test", "s1", exists=True, key_type="rsa", key_bits=2048)
STS = MtaStsFact(
    ZONE,
    PROOF,
    "example.test",
    ("mx.example.test",),
    "v=STSv1; id=1",
    policy_fetched=True,
    mode="enforce",
    mx_patterns=("*.example.test",),
    max_age=604800,
    tls_rpt="v=TLSRPTv1; rua=mailto:a@b.test",
)


@pytest.mark.parametrize(
    ("fact", "expected"),
    [
        (KEY, {}),
        (replace(KEY, key_bits=1023), {"weak-key": "high"}),
        (replace(KEY, key_bits=1024), {"short-key": "low"}),
        (replace(KEY, key_type="ed25519", key_bits=256), {}),
        (replace(KEY, test_flag=True), {"test-flag": "low"}),
        (replace(KEY, revoked=True, key_bits=None), {}),
        (replace(KEY, key_bits=None), {}),
    ],
)
def test_dkim_keys(fact: DkimFact, expected: dict[str, str]) -> None:
    found = failures(check_dkim(Facts(dkim=(fact,)), NOW))
    assert found == {f"dkim/s1/{key}": value for key, value in expected.items()}


def test_a_missing_selector_is_no_finding() -> None:
    assert states(check_dkim(Facts(dkim=(replace(KEY, exists=False),)), NOW)) == ["not_tested"]


@pytest.mark.parametrize(
    ("fact", "expected"),
    [
        (STS, {}),
        (replace(STS, record=None, policy_fetched=None), {"missing": "low"}),
        (replace(STS, tls_rpt=None), {"no-tls-rpt": "low"}),
        (replace(STS, mode="testing"), {"mode": "info"}),
        (replace(STS, mode="none", mx_patterns=()), {"mode": "info"}),
        (replace(STS, mx_patterns=("mx.other.test",)), {"mx-mismatch": "medium"}),
        (replace(STS, policy_fetched=False, policy_error="404"), {"policy": "low"}),
        (replace(STS, mode=""), {"policy": "low"}),
        (replace(STS, mx_hosts=(), record=None), {}),
    ],
)
def test_mta_sts_and_reporting(fact: MtaStsFact, expected: dict[str, str]) -> None:
    found = failures(check_mail_transport(Facts(mta_sts=(fact,)), NOW))
    assert found == {f"mta-sts/{key}": value for key, value in expected.items()}


def test_a_policy_that_was_not_fetched_is_not_tested() -> None:
    facts = Facts(mta_sts=(replace(STS, policy_fetched=None),))
    assert states(check_mail_transport(facts, NOW)) == ["not_tested"]


@pytest.mark.parametrize(
    ("records", "authenticated", "expected"),
    [
        (("3 1 1 ab",), True, ["pass"]),
        (("3 1 1 ab",), False, ["fail"]),
        (("3 1 1 ab",), None, ["not_tested"]),
        ((), None, ["pass"]),
    ],
)
def test_dane_needs_dnssec(
    records: tuple[str, ...],
    authenticated: bool | None,  # noqa: FBT001 - three states
    expected: list[str],
) -> None:
    fact = DaneFact(ZONE, PROOF, "mx.example.test", records, authenticated)
    assert states(check_mail_transport(Facts(dane=(fact,)), NOW)) == expected


@pytest.mark.parametrize(
    ("host", "pattern", "matches"),
    [
        ("mx.example.test", "mx.example.test", True),
        ("MX.Example.Test.", "mx.example.test", True),
        ("mx.example.test", "*.example.test", True),
        ("a.mx.example.test", "*.example.test", False),
        ("example.test", "*.example.test", False),
        ("mx.example.test", "*", False),
    ],
)
def test_a_star_stands_for_exactly_one_label(host: str, pattern: str, *, matches: bool) -> None:
    assert matches_mx(host, (pattern,)) is matches
