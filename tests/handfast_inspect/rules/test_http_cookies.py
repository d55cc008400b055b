from __future__ import annotations

from dataclasses import replace

import pytest

from handfast_inspect.facts.asset import Asset
from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.http import Cookie, PreloadFact
from handfast_inspect.findings.finding import State
from handfast_inspect.rules.http_cookies import (
    check_http_only,
    check_same_site,
    check_scope,
    check_secure,
    show_cookie,
)
from made_facts import HOST, NOW, PROOF, failures, response, states

SESSION = Cookie(
    "__Host-session",
    HOST,
    secure=True,
    http_only=True,
    same_site="Lax",
    path="/",
    url=f"https://{HOST}/",
)
HSTS = (("Strict-Transport-Security", "max-age=63072000"),)


def setting(cookie: Cookie, headers: tuple[tuple[str, str], ...] = ()) -> Facts:
    return Facts(responses=(response(headers, cookies=(cookie,)),))


def test_a_good_session_cookie_passes_every_rule() -> None:
    for check in (check_secure, check_http_only, check_same_site, check_scope):
        assert states(check(setting(SESSION), NOW)) == ["pass"]


def test_answers_without_cookies_pass() -> None:
    deleted = replace(SESSION, max_age=0, secure=False, http_only=False)
    for check in (check_secure, check_http_only, check_same_site, check_scope):
        assert states(check(Facts(responses=(response(),)), NOW)) == ["pass"]
        assert states(check(setting(deleted), NOW)) == ["pass"]
        assert states(check(Facts(), NOW)) == []


@pytest.mark.parametrize(
    ("name", "headers", "severity"),
    [
        ("sid", (), "high"),
        ("sid", HSTS, "medium"),
        ("sid", (("Strict-Transport-Security", "max-age=0"),), "high"),
        ("theme", (), "low"),
        ("theme", HSTS, "low"),
    ],
)
def test_cookies_without_secure(
    name: str, headers: tuple[tuple[str, str], ...], severity: str
) -> None:
    facts = setting(replace(SESSION, name=name, secure=False), headers)
    assert failures(check_secure(facts, NOW)) == {f"cookie:{name}/secure": severity}


def test_a_preloaded_host_is_under_hsts() -> None:
    preload = PreloadFact(Asset(HOST), PROOF, preloaded=True, snapshot="2026-10-01")
    facts = replace(setting(replace(SESSION, secure=False)), preload=(preload,))
    assert set(failures(check_secure(facts, NOW)).values()) == {"medium"}


def test_only_sessions_need_http_only() -> None:
    session = replace(SESSION, http_only=False)
    assert failures(check_http_only(setting(session), NOW)) == {
        "cookie:__Host-session/httponly": "medium"
    }
    for name in ("theme", "csrftoken"):
        other = replace(session, name=name)
        assert states(check_http_only(setting(other), NOW)) == ["pass"]


@pytest.mark.parametrize(
    ("cookie", "expected"),
    [
        (replace(SESSION, same_site=None), {"samesite": "low"}),
        (replace(SESSION, name="theme", same_site=None), {"samesite": "info"}),
        (replace(SESSION, name="csrftoken", same_site=None), {"samesite": "low"}),
        (replace(SESSION, same_site="whatever"), {"samesite-invalid": "low"}),
        (replace(SESSION, same_site=""), {"samesite-invalid": "low"}),
        (replace(SESSION, same_site="None"), {}),
        (replace(SESSION, same_site="none", secure=False), {"samesite-none": "medium"}),
        (replace(SESSION, same_site="STRICT"), {}),
    ],
)
def test_same_site_is_judged(cookie: Cookie, expected: dict[str, str]) -> None:
    found = failures(check_same_site(setting(cookie), NOW))
    assert found == {f"cookie:{cookie.name}/{key}": value for key, value in expected.items()}


@pytest.mark.parametrize(
    ("cookie", "expected"),
    [
        (replace(SESSION, name="sid", domain="example.test"), {"cookie:sid/domain": "low"}),
        (replace(SESSION, name="sid", domain=".example.test"), {"cookie:sid/domain": "low"}),
        (replace(SESSION, name="sid", domain=HOST), {"cookie:sid/prefix": "info"}),
        (replace(SESSION, name="sid"), {"cookie:sid/prefix": "info"}),
        (replace(SESSION, name="theme", domain="example.test"), {}),
    ],
)
def test_sessions_stay_on_their_host(cookie: Cookie, expected: dict[str, str]) -> None:
    assert failures(check_scope(setting(cookie), NOW)) == expected


def test_that_a_cookie_holds_a_session_is_a_guess_and_said_so() -> None:
    facts = setting(replace(SESSION, name="sid", http_only=False))
    (failure,) = (v for v in check_http_only(facts, NOW) if v.state is State.FAIL)
    assert failure.doubt is not None
    assert "name" in failure.doubt.reason


def test_a_shown_cookie_has_no_value() -> None:
    cookie = replace(SESSION, domain="example.test")
    assert show_cookie(cookie) == (
        "Set-Cookie: __Host-session=(value not shown); Domain=example.test; Path=/; Secure; "
        "HttpOnly; SameSite=Lax"
    )
    assert show_cookie(Cookie("a", HOST)) == "Set-Cookie: a=(value not shown)"


def test_a_cookie_that_http_and_https_set_is_judged_once_as_https_sets_it() -> None:
    plain = replace(SESSION, http_only=False, url=f"http://{HOST}/")
    on_http = response(url=f"http://{HOST}/", cookies=(plain,))
    on_https = response(cookies=(SESSION,))
    for responses in ((on_http, on_https), (on_https, on_http)):
        assert states(check_http_only(Facts(responses=responses), NOW)) == ["pass"]
    assert states(check_http_only(Facts(responses=(on_http,)), NOW)) == ["fail"]


def test_a_cookie_belongs_to_the_host_that_set_it() -> None:
    cookie = Cookie("sid", "login.test", url="https://login.test/x")
    assets = [v.asset for v in check_secure(setting(cookie), NOW)]
    assert [(asset.host, asset.url) for asset in assets] == [("login.test", "https://login.test/")]
