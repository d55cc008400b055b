"""The golden table of framing: each row is a question that users of other tools had to ask."""

from __future__ import annotations

import pytest

from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.http import Cookie
from handfast_inspect.facts.page import Form, Page
from handfast_inspect.rules.http_framing import check_framing, framing_problem
from made_facts import HOST, NOW, failures, response, states

XFO = "X-Frame-Options"
CSP = "Content-Security-Policy"

GOLDEN: dict[str, tuple[list[tuple[str, str]], str | None]] = {
    "deny": ([(XFO, "DENY")], None),
    "sameorigin in small letters": ([(XFO, "sameorigin")], None),
    "frame-ancestors makes X-Frame-Options unnecessary": ([(CSP, "frame-ancestors 'none'")], None),
    "frame-ancestors with self": ([(CSP, "frame-ancestors 'self'")], None),
    "frame-ancestors wins over a bad X-Frame-Options": (
        [(CSP, "frame-ancestors 'self'"), (XFO, "ALLOWALL")],
        None,
    ),
    "an open frame-ancestors makes browsers ignore DENY": (
        [(CSP, "frame-ancestors *"), (XFO, "DENY")],
        "ancestors-open",
    ),
    "a policy without frame-ancestors does not help": ([(CSP, "default-src 'none'")], "missing"),
    "report-only does not help": (
        [("Content-Security-Policy-Report-Only", "frame-ancestors 'none'")],
        "missing",
    ),
    "allow-from is ignored by browsers": ([(XFO, "ALLOW-FROM https://a.test")], "allow-from"),
    "an unknown value is ignored": ([(XFO, "SELF")], "invalid"),
    "the same value twice is fine": ([(XFO, "DENY"), (XFO, "DENY")], None),
    "two values, one of them valid, block all framing": ([(XFO, "DENY, SAMEORIGIN")], None),
    "a valid and an unknown value block as well": ([(XFO, "SAMEORIGIN, x")], None),
    "an empty value is no value": ([(XFO, "")], "missing"),
    "nothing": ([], "missing"),
}


@pytest.mark.parametrize("name", GOLDEN)
def test_framing(name: str) -> None:
    headers, expected = GOLDEN[name]
    problem = framing_problem(response(headers))
    assert (problem[0] if problem else None) == expected


def test_x_frame_options_in_a_meta_element_does_not_count() -> None:
    problem = framing_problem(response((), page=Page(meta_framing="DENY")))
    assert problem is not None
    assert problem[0] == "missing"
    assert "meta" in problem[1]


def test_frame_ancestors_in_a_meta_element_does_not_count() -> None:
    page = Page(meta_csp=("frame-ancestors 'none'",))
    problem = framing_problem(response((), page=page))
    assert problem is not None


@pytest.mark.parametrize(
    ("page", "cookies", "severity"),
    [
        (Page(), (), "low"),
        (Page(forms=(Form("https://a.test/"),)), (), "medium"),
        (Page(has_password_field=True), (), "medium"),
        (Page(), (Cookie("PHPSESSID", HOST),), "medium"),
        (Page(), (Cookie("theme", HOST),), "low"),
    ],
)
def test_forms_and_sessions_make_it_worse(
    page: Page, cookies: tuple[Cookie, ...], severity: str
) -> None:
    facts = Facts(responses=(response((), page=page, cookies=cookies),))
    assert failures(check_framing(facts, NOW)) == {"header:x-frame-options/missing": severity}


def test_pages_that_cannot_be_framed_and_files_pass() -> None:
    page = response(((XFO, "DENY"),))
    file = response((("Content-Type", "image/png"),), html=False)
    assert states(check_framing(Facts(responses=(page, file)), NOW)) == ["pass", "pass"]
