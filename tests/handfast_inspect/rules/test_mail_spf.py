from __future__ import annotations

from dataclasses import replace

import pytest

from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.mail import SpfFact, SpfTerm
from handfast_inspect.rules.mail_spf import check_spf, fails_to_protect
from made_facts import NOW, PROOF, ZONE, failures, states

GOOD = SpfFact(
    ZONE,
    PROOF,
    "example.test",
    ("v=spf1 mx -all",),
    receives_mail=True,
    terms=(SpfTerm("mx"), SpfTerm("all", qualifier="-")),
    effective_all="-",
    lookups=1,
    void_lookups=0,
)


@pytest.mark.parametrize(
    ("fact", "expected"),
    [
        (GOOD, {}),
        (replace(GOOD, records=()), {"missing": "medium"}),
        (replace(GOOD, records=(), receives_mail=False), {"missing": "medium"}),
        (replace(GOOD, records=GOOD.records * 2), {"several-records": "medium"}),
        (replace(GOOD, error="unknown mechanism foo"), {"syntax": "medium"}),
        (replace(GOOD, error="x", effective_all=None), {"syntax": "medium"}),
        (replace(GOOD, effective_all="+"), {"pass-all": "high"}),
        (replace(GOOD, effective_all="?"), {"neutral-all": "medium"}),
        (replace(GOOD, effective_all=None), {"no-all": "medium"}),
        (replace(GOOD, effective_all="~"), {"softfail-all": "info"}),
        (replace(GOOD, lookups=10, void_lookups=2), {}),
        (replace(GOOD, lookups=11), {"lookups": "medium"}),
        (replace(GOOD, void_lookups=3), {"void-lookups": "medium"}),
        (replace(GOOD, lookups=None, void_lookups=None), {}),
        (replace(GOOD, terms=(SpfTerm("ptr"),)), {"ptr": "low"}),
    ],
)
def test_spf(fact: SpfFact, expected: dict[str, str]) -> None:
    found = failures(check_spf(Facts(spf=(fact,)), NOW))
    assert found == {f"spf/{key}": value for key, value in expected.items()}


def test_a_domain_without_mail_is_told_to_say_so() -> None:
    facts = Facts(spf=(replace(GOOD, records=(), receives_mail=False),))
    (verdict,) = check_spf(facts, NOW)
    assert verdict.config == "v=spf1 -all"


def test_a_policy_protects_unless_something_is_medium() -> None:
    assert not fails_to_protect(GOOD)
    assert not fails_to_protect(replace(GOOD, effective_all="~"))
    assert fails_to_protect(replace(GOOD, effective_all="?"))
    assert fails_to_protect(replace(GOOD, records=()))


def test_without_facts_nothing_is_said() -> None:
    assert states(check_spf(Facts(), NOW)) == []
