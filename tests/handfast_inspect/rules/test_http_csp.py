from __future__ import annotations

import pytest

from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.page import Page
from handfast_inspect.rules.http_csp import check_csp
from made_facts import GOOD_CSP, NOW, failures, response, states

WHERE = "header:content-security-policy"
REST = "object-src 'none'; base-uri 'none'; form-action 'self'"


def found(*policies: str, report_only: str = "", meta: tuple[str, ...] = ()) -> dict[str, str]:
    headers = [("Content-Security-Policy", policy) for policy in policies]
    headers += [("Content-Security-Policy-Report-Only", report_only)] if report_only else []
    facts = Facts(responses=(response(headers, page=Page(meta_csp=meta)),))
    return {
        location.removeprefix(WHERE + "/"): severity
        for location, severity in failures(check_csp(facts, NOW)).items()
    }


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        (GOOD_CSP, {}),
        (f"script-src 'nonce-r' 'strict-dynamic' https: 'unsafe-inline'; {REST}", {}),
        ("", {"invalid": "medium"}),
        ("upgrade_all", {"invalid": "medium"}),
        (f"script-src 'unsafe-inline'; {REST}", {"unsafe-inline": "medium"}),
        (f"default-src 'unsafe-inline' 'self'; {REST}", {"unsafe-inline": "medium"}),
        (f"script-src *; {REST}", {"broad-script": "medium"}),
        (f"script-src https:; {REST}", {"broad-script": "medium"}),
        (f"script-src data:; {REST}", {"broad-script": "medium"}),
        (f"script-src 'self' 'unsafe-eval'; {REST}", {"unsafe-eval": "low"}),
        (f"script-src 'self' http://a.test; {REST}", {"http-sources": "low"}),
        (f"script-src 'self'; img-src http:; {REST}", {"http-sources": "low"}),
        (f"img-src 'self'; {REST}", {"script-anything": "medium"}),
        (
            "frame-ancestors 'none'",
            {
                "script-anything": "medium",
                "no-object-src": "low",
                "no-base-uri": "low",
                "no-form-action": "low",
            },
        ),
        (
            "script-src 'self'",
            {"no-object-src": "low", "no-base-uri": "low", "no-form-action": "low"},
        ),
        ("default-src 'self'", {"no-base-uri": "low", "no-form-action": "low"}),
    ],
)
def test_policies_are_judged(policy: str, expected: dict[str, str]) -> None:
    assert found(policy) == expected


def test_no_policy_is_medium() -> None:
    assert found() == {"missing": "medium"}


def test_a_report_only_policy_is_not_a_policy() -> None:
    assert found(report_only="default-src 'none'") == {"report-only": "medium"}


def test_a_meta_policy_counts() -> None:
    assert found(meta=(GOOD_CSP,)) == {}
    assert found(meta=("frame-ancestors 'none'",)) == {"invalid": "medium"}


def test_a_second_policy_can_make_up_for_the_first() -> None:
    assert found(f"script-src 'unsafe-inline'; {REST}", "script-src 'self'") == {}


def test_what_is_no_page_needs_no_policy() -> None:
    facts = Facts(responses=(response((("Content-Type", "application/json"),), html=False),))
    assert states(check_csp(facts, NOW)) == ["pass"]


def test_a_page_that_could_not_be_read_is_judged_by_its_headers() -> None:
    facts = Facts(responses=(response((("Content-Type", "text/html"),), html=False),))
    assert failures(check_csp(facts, NOW)) == {f"{WHERE}/missing": "medium"}


def test_without_answers_nothing_is_said() -> None:
    assert states(check_csp(Facts(), NOW)) == []
