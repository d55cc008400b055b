from __future__ import annotations

from dataclasses import replace

import pytest

from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.mail import DmarcFact, SpfFact
from handfast_inspect.rules.mail_dmarc import check_dmarc
from made_facts import NOW, PROOF, ZONE, failures, states


def dmarc(text: str, *, found_at: str = "example.test") -> DmarcFact:
    pairs = [part.partition("=") for part in text.split(";")]
    tags = tuple((key.strip().lower(), value.strip()) for key, _, value in pairs if key.strip())
    return DmarcFact(ZONE, PROOF, "example.test", found_at, (text,), tags)


RUA = "rua=mailto:a@b.test"


@pytest.mark.parametrize(
    ("fact", "expected"),
    [
        (dmarc(f"v=DMARC1; p=reject; {RUA}"), {}),
        (dmarc(f"v=DMARC1; p=Quarantine; {RUA}"), {}),
        (DmarcFact(ZONE, PROOF, "example.test", None), {"missing": "medium"}),
        (replace(dmarc("v=DMARC1; p=reject"), records=("a", "b")), {"several-records": "medium"}),
        (dmarc(f"v=DMARC1; p=none; {RUA}"), {"p-none": "low"}),
        (dmarc(f"v=DMARC1; {RUA}"), {"p-none": "low"}),
        (dmarc(f"v=DMARC1; p=oops; {RUA}"), {"p-none": "low"}),
        (dmarc("v=DMARC1; p=oops"), {"invalid": "medium"}),
        (dmarc("v=DMARC1"), {"invalid": "medium"}),
        (dmarc(f"v=DMARC1; p=reject; t=y; {RUA}"), {"test-mode": "low"}),
        (dmarc(f"v=DMARC1; p=none; t=y; {RUA}"), {"p-none": "low"}),
        (dmarc(f"v=DMARC1; p=reject; sp=none; {RUA}"), {"sp-weaker": "low"}),
        (dmarc(f"v=DMARC1; p=reject; np=quarantine; {RUA}"), {"np-weaker": "low"}),
        (dmarc(f"v=DMARC1; p=quarantine; sp=reject; {RUA}"), {}),
        (dmarc("v=DMARC1; p=reject"), {"no-rua": "info"}),
        (dmarc(f"v=DMARC1; p=reject; pct=50; ri=3600; {RUA}"), {"removed-tags": "info"}),
        (dmarc(f"v=DMARC1; p=reject; sp=none; {RUA}", found_at="test"), {"p-none": "low"}),
        (dmarc(f"v=DMARC1; p=reject; {RUA}", found_at="test"), {}),
    ],
)
def test_dmarc(fact: DmarcFact, expected: dict[str, str]) -> None:
    found = failures(check_dmarc(Facts(dmarc=(fact,)), NOW))
    assert found == {f"dmarc/{key}": value for key, value in expected.items()}


def test_a_missing_policy_is_high_when_spf_protects_nothing_either() -> None:
    none = SpfFact(ZONE, PROOF, "example.test", (), receives_mail=True)
    facts = Facts(dmarc=(DmarcFact(ZONE, PROOF, "example.test", None),), spf=(none,))
    assert failures(check_dmarc(facts, NOW)) == {"dmarc/missing": "high"}
    elsewhere = replace(facts, spf=(replace(none, domain="other.test"),))
    assert failures(check_dmarc(elsewhere, NOW)) == {"dmarc/missing": "medium"}


def test_without_facts_nothing_is_said() -> None:
    assert states(check_dmarc(Facts(), NOW)) == []
