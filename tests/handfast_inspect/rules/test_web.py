from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast_inspect.facts.container import Facts
from handfast_inspect.rules.web import (
    answers,
    has_header,
    header,
    headers,
    host_of,
    is_html,
    is_https,
    origin_asset,
    page_asset,
    pages,
    redirect_chain,
    same_site,
    split_url,
)
from made_facts import HOST, redirects, response


def test_http_answers_count_only_where_there_is_no_https() -> None:
    plain = response(url=f"http://{HOST}/")
    secure = response()
    other = response(url="http://old.test/")
    assert answers(Facts(responses=(plain, secure, other))) == (secure, other)


def test_answers_without_a_status_do_not_count() -> None:
    assert answers(Facts(responses=(redirects(),))) == ()


def test_only_html_answers_are_pages() -> None:
    page, file = response(), response((("Content-Type", "image/png"),), html=False)
    assert [fact for fact, _ in pages(Facts(responses=(page, file)))] == [page]
    assert is_html(page)
    assert not is_html(file)
    assert is_html(
        response(
            (("Content-Type", "application/xhtml+xml"), ("content-type", "x/HTML")), html=False
        )
    )


def test_header_names_are_read_in_any_case_and_repeated_ones_are_joined() -> None:
    fact = response((("X-A", "1"), ("x-a", "2"), ("X-B", "")))
    assert headers(fact, "x-a") == ("1", "2")
    assert header(fact, "x-a") == "1, 2"
    assert has_header(fact, "x-b")
    assert not has_header(fact, "x-c")


def test_assets_drop_path_query_and_fragment() -> None:
    fact = response(url="https://www.example.test:8443/a/b?token=1#x")
    assert origin_asset(fact).url == "https://www.example.test:8443/"
    assert origin_asset(fact).port == 8443
    assert page_asset(fact).url == "https://www.example.test:8443/a/b"


def test_the_chain_ends_with_what_was_pointed_at() -> None:
    chain = redirect_chain(redirects((f"http://{HOST}/", 301, "/next")))
    assert chain == (f"http://{HOST}/", f"http://{HOST}/next")
    assert redirect_chain(redirects()) == ()


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("www.example.com", "cdn.example.com", True),
        ("example.com", "example.com", True),
        ("example.com", "example.net", False),
        ("a.example.co.uk", "b.example.co.uk", True),
        ("example.co.uk", "other.co.uk", False),
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8::1", "2001:db8::2", False),
        ("localhost", "localhost", True),
    ],
)
def test_hosts_of_one_registered_domain_are_the_same_site(
    first: str, second: str, *, same: bool
) -> None:
    assert same_site(first, second) is same


@pytest.mark.parametrize("url", ["https://[broken", "https://a.test:99999/", "http://a:b/"])
def test_a_malformed_url_has_no_parts(url: str) -> None:
    assert split_url(url).scheme == ""
    assert host_of(url) == ""


@given(st.text())
def test_any_text_can_be_split_as_a_url(text: str) -> None:
    assert isinstance(host_of(text), str)
    assert is_https(text) in {True, False}
    assert split_url(text).port is None or split_url(text).port in range(65536)
