from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast.boundary.urls import MAX_URL, Destination, parse_url, resolve_location
from handfast.errors import EgressDenied


@pytest.mark.parametrize(
    ("url", "canonical"),
    [
        ("http://example.org", "http://example.org/"),
        ("HTTP://EXAMPLE.ORG/A", "http://example.org/A"),
        ("https://example.org:443/", "https://example.org/"),
        ("http://example.org:/", "http://example.org/"),
        ("http://example.org:8080/x?y=1#z", "http://example.org:8080/x?y=1"),
        ("https://example.org?q", "https://example.org/?q"),
        ("https://[2606:4700:0::1]/", "https://[2606:4700::1]/"),
        ("https://[2606:4700::1]:8443/", "https://[2606:4700::1]:8443/"),
        (
            "https://例子.测试/路径?名=值",
            "https://xn--fsqu00a.xn--0zwm56d/%E8%B7%AF%E5%BE%84?%E5%90%8D=%E5%80%BC",
        ),
        ("https://example.org/a\\b", "https://example.org/a%5Cb"),
        ("https://example.org/a%20b", "https://example.org/a%20b"),
        ("https://example.org/?to=http://127.0.0.1/", "https://example.org/?to=http://127.0.0.1/"),
        ("https://example.org/?@127.0.0.1/", "https://example.org/?@127.0.0.1/"),
        ("https://example.org/a[0]?b[1]", "https://example.org/a%5B0%5D?b[1]"),
        ("https://example.org./", "https://example.org/"),
    ],
)
def test_a_url_has_one_spelling(url: str, canonical: str) -> None:
    assert parse_url(url).url == canonical


def test_a_destination_says_all_that_a_connection_needs() -> None:
    found = parse_url("https://Example.ORG:8443/a?b")
    assert found == Destination("https", "example.org", 8443, "/a?b")
    assert found.authority == "example.org:8443"
    assert parse_url("http://1.2.3.4/").address == IPv4Address("1.2.3.4")
    assert parse_url("http://[::1]/").address == IPv6Address("::1")


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.org",
        "//example.org/",
        "http:example.org",
        "http:/example.org",
        "http:///x",
        "http://",
        "http://./",
        "http://:80/",
        "ftp://example.org/",
        "file:///etc/passwd",
        "jar:http://example.org!/",
        "http://user@example.org/",
        "http://user:pw@example.org/",
        "http://@example.org/",
        "http://example.org@127.0.0.1/",
        "http://example.org\\@127.0.0.1/",
        "http://example.org\\.evil.example/",
        "http://example.org:0/",
        "http://example.org:65536/",
        "http://example.org:080/",
        "http://example.org:+80/",
        "http://example.org:-80/",
        "http://example.org:8_0/",
        "http://example.org:８０/",
        "http://example.org:80:80/",
        "http://[::1/",
        "http://::1/",
        "http://[::1]x/",
        "http://[::1]]/",
        "http://[[::1]]/",
        "http://[127.0.0.1]/",
        "http://[example.org]/",
        "http://[v1.a]/",
        "http://[fe80::1%25eth0]/",
        "http://[fe80::1%eth0]/",
        "http://%31.1.1.1/",
        "http://example.org%2f/",
        "http://exa mple.org/",
        "http://example.org/a b",
        "http://example.org/\tx",
        "http://example.org/\r\nHost: x",
        "http://example.org/\u0085",
        "http://example.org/\u2028",
        "http://example.org/\u00a0",
        "http://example.org/\u3000",
        "http://example.org/\ud800",
        "http://example.org/%0d%0aX",
        "http://example.org/%0D",
        "http://example.org/?a=%0a",
        "http://example.org/%00",
        "http://example.org/\u560d\u560a",
        "\u0001http://example.org/",
        " http://example.org/",
        "http://example.org/" + "a" * MAX_URL,
        "hTTp\u017f://example.org/",
    ],
)
def test_what_two_parsers_read_differently_is_refused(url: str) -> None:
    with pytest.raises(EgressDenied):
        parse_url(url)


@pytest.mark.parametrize(
    "url",
    [
        "http://user:hunter2@example.org/",
        "http://user:hunter2@exa mple.org/",
        "ftp://user:hunter2@example.org/",
        "http://user:hunter2@example.org\\/",
        "http://user:hunter2@[::1/",
        "http://user:hunter2@example.org/%0d",
        "http://user:hunter2@example.org/" + "a" * MAX_URL,
        "http://user:hunter2@" + "a" * MAX_URL,
    ],
)
def test_a_refusal_never_repeats_a_password(url: str) -> None:
    with pytest.raises(EgressDenied) as caught:
        parse_url(url)
    assert "hunter2" not in str(caught.value)
    assert "hunter2" not in caught.value.url


@given(st.text(max_size=60))
def test_any_text_is_refused_or_has_a_canonical_form_that_is_stable(text: str) -> None:
    for url in (text, f"http://{text}", f"https://example.org/{text}"):
        try:
            found = parse_url(url)
        except EgressDenied:
            continue
        assert parse_url(found.url) == found
        assert found.url.isascii()
        assert found.url.isprintable()


BASE = parse_url("https://example.org:8443/a/b/c?q=1")


@pytest.mark.parametrize(
    ("location", "url"),
    [
        ("https://other.example/x", "https://other.example/x"),
        ("HTTP://other.example/", "HTTP://other.example/"),
        ("//other.example/x", "https://other.example/x"),
        ("/x", "https://example.org:8443/x"),
        ("x", "https://example.org:8443/a/b/x"),
        ("./x", "https://example.org:8443/a/b/x"),
        ("../x", "https://example.org:8443/a/x"),
        ("../../../../x", "https://example.org:8443/x"),
        ("..", "https://example.org:8443/a/"),
        (".", "https://example.org:8443/a/b/"),
        ("/a/./b/../c?x=../y#..", "https://example.org:8443/a/c?x=../y#.."),
        ("?z", "https://example.org:8443/a/b/c?z"),
        ("#z", "https://example.org:8443/a/b/c?q=1"),
        ("", "https://example.org:8443/a/b/c?q=1"),
        ("a:b", "a:b"),
        ("x\\y", "https://example.org:8443/a/b/x\\y"),
    ],
)
def test_a_location_is_resolved_as_the_rfc_says(location: str, url: str) -> None:
    assert resolve_location(BASE, location) == url


def test_a_location_without_text_keeps_a_url_without_query() -> None:
    assert resolve_location(parse_url("http://example.org/x"), "") == "http://example.org/x"


@pytest.mark.parametrize(
    "location",
    [
        "\\\\evil.example/",
        "/\\evil.example/",
        "\\/evil.example",
        "/a\r\nX: y",
        "\t/x",
        "/%0d%0a",
        "/" + "a" * MAX_URL,
    ],
)
def test_an_ambiguous_location_is_refused(location: str) -> None:
    with pytest.raises(EgressDenied):
        resolve_location(BASE, location)
