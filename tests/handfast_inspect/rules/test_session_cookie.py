from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast_inspect.facts.http import Cookie
from handfast_inspect.rules.session_cookie import is_csrf_cookie, is_deletion, is_session_cookie
from made_facts import HOST, NOW


@pytest.mark.parametrize(
    "name",
    [
        "PHPSESSID",
        "JSESSIONID",
        "ASP.NET_SessionId",
        "sessionid",
        "session",
        "sid",
        "connect.sid",
        "laravel_session",
        "_session_id",
        "auth_token",
        "jwt",
        "access_token",
        "__Host-session",
        "__Secure-SID",
        "wordpress_logged_in_sess",
        "loginToken",
    ],
)
def test_session_cookies_are_known_by_name(name: str) -> None:
    assert is_session_cookie(Cookie(name, HOST))


@pytest.mark.parametrize(
    "name",
    [
        "theme",
        "lang",
        "_ga",
        "_gid",
        "__cf_bm",
        "csrftoken",
        "XSRF-TOKEN",
        "cart",
        "",
        "side",
        "cookieconsent_session",
    ],
)
def test_other_cookies_are_not_sessions(name: str) -> None:
    assert not is_session_cookie(Cookie(name, HOST))


def test_anti_csrf_cookies_are_known_by_name() -> None:
    assert is_csrf_cookie(Cookie("csrftoken", HOST))
    assert is_csrf_cookie(Cookie("__RequestVerificationToken", HOST))
    assert not is_csrf_cookie(Cookie("sid", HOST))


PAST, FUTURE = "Thu, 01 Jan 1970 00:00:00 GMT", "Fri, 01 Jan 2100 00:00:00 GMT"


@pytest.mark.parametrize(
    ("max_age", "expires", "deletes"),
    [
        (0, None, True),
        (-1, None, True),
        (60, PAST, False),
        (None, PAST, True),
        (None, FUTURE, False),
        (None, "Thu, 01 Jan 1970 00:00:00 -0000", True),
        (None, "not a date", False),
        (None, None, False),
    ],
)
def test_a_cookie_that_is_being_deleted_is_not_set(
    max_age: int | None, expires: str | None, *, deletes: bool
) -> None:
    cookie = replace(Cookie("a", HOST), max_age=max_age, expires=expires)
    assert is_deletion(cookie, NOW) is deletes


@given(st.text(), st.text())
def test_any_name_and_date_can_be_judged(name: str, expires: str) -> None:
    cookie = Cookie(name, HOST, expires=expires)
    assert is_session_cookie(cookie) in {True, False}
    assert is_deletion(cookie, NOW) in {True, False}
