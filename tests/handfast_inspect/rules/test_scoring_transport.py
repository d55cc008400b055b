from __future__ import annotations

from dataclasses import replace

import pytest

from handfast_inspect.facts.asset import Asset
from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.http import CorsFact, HttpResponseFact, PreloadFact
from handfast_inspect.rules.scoring_transport import (
    grade_cors,
    grade_hsts,
    grade_redirection,
    has_hsts,
    is_preloaded,
)
from made_facts import HOST, NOW, PROOF, SITE, redirects, response

HTTP, HTTPS = f"http://{HOST}/", f"https://{HOST}/"
HOME = response()
LISTED = Facts(preload=(PreloadFact(Asset(HOST), PROOF, preloaded=True, snapshot="2026-10-01"),))


def test_cors() -> None:
    public = CorsFact(SITE, PROOF, "https://a.test", "*", None)
    open_ = replace(public, allow_origin="https://a.test", allow_credentials="true")
    assert grade_cors(Facts(), HOME, NOW).result == "not tested"
    assert grade_cors(Facts(cors=(public,)), HOME, NOW).modifier == 0
    assert grade_cors(Facts(cors=(public, open_)), HOME, NOW).modifier == -50


@pytest.mark.parametrize(
    ("fact", "points"),
    [
        (redirects((HTTP, 301, HTTPS), (HTTPS, 200, None)), 0),
        (redirects(), 0),
        (redirects((HTTP, 301, "https://other.test/")), -5),
        (redirects((HTTP, 302, "/a"), (HTTP + "a", 302, HTTPS)), -10),
        (redirects((HTTP, 200, None)), -20),
        (replace(redirects((HTTP, 301, HTTPS)), certificate_valid=False), -20),
    ],
)
def test_redirection(fact: HttpResponseFact, points: int) -> None:
    assert grade_redirection(Facts(responses=(fact,)), HOME, NOW).modifier == points


def test_redirection_without_a_request_and_when_preloaded() -> None:
    assert grade_redirection(Facts(), HOME, NOW).result == "not tested"
    facts = replace(LISTED, responses=(redirects((HTTP, 200, None)),))
    assert grade_redirection(facts, HOME, NOW).result == "preloaded"


@pytest.mark.parametrize(
    ("value", "points"),
    [("max-age=15552000", 0), ("max-age=15551999", -10), ("max-age=0", -20), ("x", -20)],
)
def test_hsts(value: str, points: int) -> None:
    fact = response((("Strict-Transport-Security", value),))
    assert grade_hsts(Facts(), fact, NOW).modifier == points


def test_hsts_without_https_header_or_a_good_certificate() -> None:
    good = response((("Strict-Transport-Security", "max-age=15552000"),))
    assert grade_hsts(Facts(), HOME, NOW).modifier == -20
    assert grade_hsts(Facts(), response(url=HTTP), NOW).modifier == -20
    assert grade_hsts(Facts(), replace(good, certificate_valid=False), NOW).modifier == -20
    assert grade_hsts(LISTED, HOME, NOW).modifier == 5
    assert has_hsts(Facts(), good)
    assert has_hsts(LISTED, HOME)
    assert not has_hsts(Facts(), replace(good, certificate_valid=False))
    assert not has_hsts(Facts(), HOME)


def test_preloading_is_a_fact_of_one_host() -> None:
    assert is_preloaded(LISTED, HOST)
    assert not is_preloaded(LISTED, "other.test")
