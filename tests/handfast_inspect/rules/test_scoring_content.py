from __future__ import annotations

from dataclasses import replace

import pytest

from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.http import Cookie
from handfast_inspect.facts.page import Page, ScriptReference
from handfast_inspect.rules.scoring_content import grade_cookies, grade_csp, grade_integrity
from made_facts import HOST, NOW, response

CSP = "Content-Security-Policy"


@pytest.mark.parametrize(
    ("policy", "points"),
    [
        ("default-src 'none'; form-action 'self'", 10),
        ("default-src; form-action 'none'", 10),
        ("default-src 'none'", 5),
        ("default-src 'self'", 5),
        ("default-src 'self'; style-src 'unsafe-inline'", 0),
        ("default-src 'self'; img-src http:", -10),
        ("default-src 'self'; script-src 'self' 'unsafe-eval'", -10),
        ("default-src 'self' 'unsafe-inline'", -20),
        ("default-src *", -20),
        ("default-src 'self'; object-src *", -20),
        ("img-src 'self'", -20),
        ("default-src 'self'; script-src http://a.test", -20),
        ("nonsense", -25),
    ],
)
def test_csp(policy: str, points: int) -> None:
    assert grade_csp(Facts(), response(((CSP, policy),)), NOW).modifier == points


def test_csp_missing_report_only_and_meta() -> None:
    assert grade_csp(Facts(), response(), NOW).modifier == -25
    only = response(((f"{CSP}-Report-Only", "default-src 'none'"),))
    assert (grade_csp(Facts(), only, NOW).result, grade_csp(Facts(), only, NOW).modifier) == (
        "report-only",
        -25,
    )
    meta = response(page=Page(meta_csp=("default-src 'self'",)))
    assert grade_csp(Facts(), meta, NOW).modifier == 5


GOOD = Cookie("sid", HOST, secure=True, http_only=True, same_site="Lax")
HSTS = (("Strict-Transport-Security", "max-age=63072000"),)


@pytest.mark.parametrize(
    ("cookie", "plain", "under_hsts"),
    [
        (GOOD, 5, 5),
        (replace(GOOD, same_site=None), 0, 0),
        (replace(GOOD, secure=False), -40, -10),
        (replace(GOOD, http_only=False), -30, -30),
        (replace(GOOD, same_site="x"), -20, -20),
        (replace(GOOD, name="theme", secure=False), -20, -5),
        (replace(GOOD, name="csrftoken", same_site=None), -20, -20),
        (replace(GOOD, name="theme", http_only=False), 5, 5),
        (replace(GOOD, secure=False, max_age=0), 0, 0),
    ],
)
def test_cookies(cookie: Cookie, plain: int, under_hsts: int) -> None:
    assert grade_cookies(Facts(), response((), cookies=(cookie,)), NOW).modifier == plain
    assert grade_cookies(Facts(), response(HSTS, cookies=(cookie,)), NOW).modifier == under_hsts


def test_the_worst_cookie_decides() -> None:
    fact = response((), cookies=(GOOD, replace(GOOD, http_only=False)))
    assert grade_cookies(Facts(), fact, NOW).modifier == -30


HASH = "sha384-" + "A" * 64
OTHER = "https://cdn.other.test/x.js"


@pytest.mark.parametrize(
    ("scripts", "points"),
    [
        ((), 0),
        ((ScriptReference(f"https://{HOST}/x.js"),), 0),
        ((ScriptReference(OTHER, integrity=HASH),), 5),
        ((ScriptReference(OTHER),), -5),
        ((ScriptReference(OTHER, integrity=HASH), ScriptReference(OTHER)), -5),
        ((ScriptReference(OTHER.replace("https", "http"), integrity=HASH),), -20),
        ((ScriptReference(OTHER.replace("https", "http")),), -50),
    ],
)
def test_integrity(scripts: tuple[ScriptReference, ...], points: int) -> None:
    fact = response(page=Page(scripts=scripts))
    assert grade_integrity(Facts(), fact, NOW).modifier == points


def test_integrity_on_a_page_over_http() -> None:
    page = Page(scripts=(ScriptReference(OTHER, integrity=HASH),))
    fact = response(page=page, url=f"http://{HOST}/")
    assert grade_integrity(Facts(), fact, NOW).modifier == -20
