from __future__ import annotations

from dataclasses import replace

import pytest

from handfast_inspect.facts.asset import Asset
from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.http import Hop, HttpResponseFact, PreloadFact, SchemeFact
from handfast_inspect.facts.page import Form, Page
from handfast_inspect.rules.http_transport import (
    check_hsts,
    check_login_plain,
    check_no_https,
    check_redirect,
)
from made_facts import HOST, NOW, PROOF, failures, redirects, response, states

HTTP = f"http://{HOST}/"
HTTPS = f"https://{HOST}/"
WHERE = "header:strict-transport-security"


def with_hsts(value: str | None) -> Facts:
    headers = () if value is None else (("Strict-Transport-Security", value),)
    return Facts(responses=(response(headers),))


def preload(*, on_list: bool) -> tuple[PreloadFact, ...]:
    return (PreloadFact(Asset(HOST), PROOF, preloaded=on_list, snapshot="2026-10-01"),)


@pytest.mark.parametrize(
    ("http", "https", "same", "expected"),
    [
        (True, True, True, ["pass"]),
        (True, True, None, ["pass"]),
        (False, True, None, ["pass"]),
        (False, False, None, ["pass"]),
        (True, False, None, ["fail"]),
        (True, True, False, ["fail"]),
        (True, None, None, ["not_tested"]),
        (None, True, None, ["not_tested"]),
    ],
)
def test_a_site_answers_over_https_with_the_same_content(
    http: bool | None,  # noqa: FBT001 - three states
    https: bool | None,  # noqa: FBT001 - three states
    same: bool | None,  # noqa: FBT001 - three states
    expected: list[str],
) -> None:
    facts = Facts(schemes=(SchemeFact(Asset(HOST), PROOF, http, https, same),))
    assert states(check_no_https(facts, NOW)) == expected
    assert set(failures(check_no_https(facts, NOW)).values()) <= {"high"}


@pytest.mark.parametrize(
    ("fact", "expected"),
    [
        (redirects((HTTP, 301, HTTPS), (HTTPS, 200, None)), {}),
        (redirects((HTTP, 308, HTTPS)), {}),
        (redirects(), {}),
        (redirects((HTTP, 200, None)), {"redirect/missing": "medium"}),
        (
            redirects((HTTP, 302, "/start"), (HTTP + "start", 200, None)),
            {"redirect/missing": "medium"},
        ),
        (
            redirects((HTTP, 302, "/s"), (HTTP + "s", 302, HTTPS), (HTTPS, 200, None)),
            {"redirect/first-hop-http": "low"},
        ),
        (
            redirects((HTTP, 301, "https://other.test/"), ("https://other.test/", 200, None)),
            {"redirect/first-hop-other-host": "low"},
        ),
        (
            redirects((HTTP, 301, "https://not-followed.test/")),
            {"redirect/first-hop-other-host": "low"},
        ),
        (redirects((HTTP, 301, "https://[broken/")), {"redirect/missing": "medium"}),
    ],
)
def test_http_leads_straight_to_https(fact: HttpResponseFact, expected: dict[str, str]) -> None:
    assert failures(check_redirect(Facts(responses=(fact,)), NOW)) == expected


def test_a_preloaded_host_needs_no_redirect() -> None:
    facts = Facts(responses=(redirects((HTTP, 200, None)),), preload=preload(on_list=True))
    assert states(check_redirect(facts, NOW)) == ["pass"]


def test_the_https_home_page_says_nothing_about_the_redirect() -> None:
    assert states(check_redirect(Facts(responses=(response(),)), NOW)) == []


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("max-age=63072000; includeSubDomains", {}),
        (None, {"missing": "medium"}),
        ("", {"invalid": "medium"}),
        ("max-age=oops", {"invalid": "medium"}),
        ("max-age=0; includeSubDomains", {"invalid": "medium"}),
        ("max-age=15551999; includeSubDomains", {"short": "low"}),
        ("max-age=15552000; includeSubDomains", {"under-a-year": "info"}),
        ("max-age=31536000", {"subdomains": "info"}),
        ("max-age=600", {"short": "low", "subdomains": "info"}),
    ],
)
def test_hsts_is_judged_by_its_length_and_reach(
    value: str | None, expected: dict[str, str]
) -> None:
    found = failures(check_hsts(with_hsts(value), NOW))
    assert found == {f"{WHERE}/{name}": severity for name, severity in expected.items()}


def test_a_preloaded_host_passes_whatever_its_header() -> None:
    facts = replace(with_hsts("max-age=1"), preload=preload(on_list=True))
    assert states(check_hsts(facts, NOW)) == ["pass"]


def test_a_good_header_without_preload_is_a_note_when_the_list_was_looked_at() -> None:
    good = "max-age=63072000; includeSubDomains; preload"
    facts = replace(with_hsts(good), preload=preload(on_list=False))
    assert failures(check_hsts(facts, NOW)) == {f"{WHERE}/not-preloaded": "info"}


def test_hsts_over_http_does_not_count() -> None:
    hop = Hop(HTTP, 200, hsts="max-age=63072000")
    facts = Facts(responses=(replace(redirects((HTTP, 200, None)), hops=(hop,)),))
    assert states(check_hsts(facts, NOW)) == []


def test_each_https_host_of_a_chain_needs_its_own_hsts() -> None:
    other = "https://other.test/"
    fact = replace(
        redirects(),
        hops=(Hop(HTTPS, 301, other), Hop(other, 200, hsts="max-age=63072000; includeSubDomains")),
    )
    verdicts = list(check_hsts(Facts(responses=(fact,)), NOW))
    assert [(v.asset.host, v.state.value) for v in verdicts] == [
        (HOST, "fail"),
        ("other.test", "pass"),
    ]


def test_the_header_counts_on_whichever_answer_of_the_host_it_stands() -> None:
    good = "max-age=63072000; includeSubDomains"
    hops = (Hop(HTTPS, 301, "/a"), Hop(HTTPS + "a", 301, "/b", hsts=good), Hop(HTTPS + "b", 200))
    facts = Facts(responses=(replace(redirects(), hops=hops),))
    assert states(check_hsts(facts, NOW)) == ["pass"]


def test_hsts_does_not_hold_for_addresses() -> None:
    fact = response(url="https://192.0.2.10/")
    assert states(check_hsts(Facts(responses=(fact,)), NOW)) == ["pass"]


def login(action: str, url: str = HTTPS) -> Facts:
    page = Page(forms=(Form(action, "post", has_password=True),), has_password_field=True)
    return Facts(responses=(response(url=url, page=page),))


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        (login(HTTPS + "login"), {}),
        (login("http://sso.test/login"), {"password/sent-over-http": "high"}),
        (login(HTTPS + "login", url=HTTP), {"password/page-over-http": "high"}),
        (Facts(responses=(response(page=Page(has_password_field=True)),)), {}),
        (
            Facts(responses=(response(url=HTTP, page=Page(has_password_field=True)),)),
            {"password/page-over-http": "high"},
        ),
        (Facts(responses=(response(),)), {}),
    ],
)
def test_passwords_stay_on_https(facts: Facts, expected: dict[str, str]) -> None:
    assert failures(check_login_plain(facts, NOW)) == expected


def test_an_http_page_of_a_site_with_https_is_left_to_the_redirect_rule() -> None:
    page = Page(has_password_field=True)
    facts = Facts(responses=(response(url=HTTP, page=page), response()))
    assert failures(check_login_plain(facts, NOW)) == {}
