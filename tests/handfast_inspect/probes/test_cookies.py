from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast_inspect.facts.http import Cookie
from handfast_inspect.probes.cookies import (
    MAX_ATTRIBUTE,
    MAX_COOKIES,
    MAX_NAME,
    read_cookie,
    read_cookies,
)


def one(line: str) -> Cookie:
    cookie = read_cookie(line, "site.test")
    assert cookie is not None
    return cookie


def test_every_attribute_is_read_and_the_value_is_not_kept() -> None:
    cookie = one(
        "sid=s3cret; Secure; HttpOnly; SameSite=Lax; Domain=.site.test; Path=/; Max-Age=60; "
        "Expires=Wed, 21 Oct 2026 07:28:00 GMT"
    )
    assert cookie == Cookie(
        name="sid",
        host="site.test",
        secure=True,
        http_only=True,
        same_site="Lax",
        domain="site.test",
        path="/",
        max_age=60,
        expires="Wed, 21 Oct 2026 07:28:00 GMT",
        value_length=6,
    )
    assert "s3cret" not in repr(cookie)


def test_attribute_names_have_no_case_and_the_last_one_counts() -> None:
    assert one("a=b; SAMESITE=Lax; samesite=None; sEcUrE").same_site == "None"


def test_an_attribute_name_inside_the_value_is_no_attribute() -> None:
    cookie = one("secure=httponly")
    assert (cookie.secure, cookie.http_only) == (False, False)


@pytest.mark.parametrize(
    ("line", "name", "length"), [("a", "", 1), ("=b", "", 1), ("a=", "a", 0), (" a = b=c ", "a", 3)]
)
def test_odd_pairs_are_read_as_a_browser_does(line: str, name: str, length: int) -> None:
    cookie = one(line)
    assert (cookie.name, cookie.value_length) == (name, length)


@pytest.mark.parametrize("line", ["", "=", " = ;Secure", ";"])
def test_a_cookie_without_name_and_value_is_none(line: str) -> None:
    assert read_cookie(line, "site.test") is None


@pytest.mark.parametrize(
    ("text", "expected"), [("0", 0), ("-1", -1), ("1e3", None), ("", None), ("9" * 40, None)]
)
def test_a_lifetime_is_a_plain_number(text: str, expected: int | None) -> None:
    assert one(f"a=b; Max-Age={text}").max_age == expected


def test_long_names_and_attributes_are_cut_or_ignored() -> None:
    assert len(one("n" * 5000 + "=v").name) == MAX_NAME
    assert one(f"a=b; Path=/{'x' * MAX_ATTRIBUTE}").path is None


def test_the_cookies_of_a_response_know_their_url_and_host() -> None:
    (cookie,) = read_cookies(("a=b", ""), "https://Site.test:8443/x")
    assert (cookie.host, cookie.url) == ("site.test", "https://Site.test:8443/x")
    assert len(read_cookies(("a=b",) * 500, "http://[")) == MAX_COOKIES


@given(st.text(max_size=200))
def test_any_line_is_read(line: str) -> None:
    read_cookie(line, "site.test")
