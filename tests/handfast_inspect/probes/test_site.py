from __future__ import annotations

import ssl

import pytest

from handfast.network.failure import Failure, FailureKind
from handfast.network.http import Answer, Fetched, FetchRequest
from handfast_inspect.facts.asset import Asset
from handfast_inspect.probes.notes import Notes
from handfast_inspect.probes.probe import Target
from handfast_inspect.probes.site import (
    Origin,
    Scheme,
    asset_of,
    fetch_home,
    find_origin,
    kept_headers,
    origin_url,
    prove_fetch,
    text_of,
    trouble_of,
)
from loopback_dns import DnsServer
from loopback_probes import SITE, context_for, site_on
from loopback_tcp import Site, http_response, silent, tcp_server
from loopback_tls import loopback_tls, server_context

REQUEST = FetchRequest("https://site.test:8443/x")


def fetched(*headers: tuple[str, str], body: bytes = b"") -> Fetched:
    answer = Answer(REQUEST.url, 200, "OK", "HTTP/1.1", headers, "192.0.2.1")
    return Fetched(REQUEST, (answer,), body)


@pytest.mark.parametrize(
    ("target", "scheme", "url"),
    [
        (SITE, "https", "https://site.test"),
        (SITE, "http", "http://site.test"),
        (Target("site.test", https_port=8443), "https", "https://site.test:8443"),
        (Target("2001:db8::1", http_port=8080), "http", "http://[2001:db8::1]:8080"),
    ],
)
def test_an_origin_names_the_port_only_where_it_must(
    target: Target, scheme: Scheme, url: str
) -> None:
    assert origin_url(target, scheme) == url


async def test_https_is_the_site_where_it_answers_and_http_otherwise(zone: DnsServer) -> None:
    page = Site({"/": http_response(b"hello")})
    tls = loopback_tls().server_context("site.test")
    async with tcp_server(page.serve) as http, tcp_server(page.serve, tls) as https:
        both = site_on(http=http, https=https)
        found = await find_origin(context_for(zone), both)
        assert found == Origin(f"https://site.test:{https}")
        assert Origin(f"https://site.test:{https}").scheme == "https"
        plain = site_on(http=http, https=1)
        found = await find_origin(context_for(zone, ports=[http]), plain)
        assert found == Origin(f"http://site.test:{http}")
    assert await find_origin(context_for(zone), both) is None


async def test_a_page_behind_a_bad_certificate_is_seen_and_marked(zone: DnsServer) -> None:
    page = Site({"/": http_response(b"hello")})
    async with tcp_server(page.serve, loopback_tls().server_context("x.test")) as port:
        context = context_for(zone)
        home = await fetch_home(context, site_on(https=port), "https")
        origin = await find_origin(context, site_on(https=port))
    assert home.body == b"hello"
    assert home.request.verify is False
    assert origin == Origin(f"https://site.test:{port}", verify=False, old_tls=True)
    assert len(page.requests) == 1


async def test_a_site_of_old_suites_is_seen_with_its_certificate_checked(zone: DnsServer) -> None:
    page = Site({"/": http_response(b"hello")})
    tls = server_context(loopback_tls().authority, "site.test", rsa=True)
    tls.set_ciphers("AES128-SHA:@SECLEVEL=0")
    tls.maximum_version = ssl.TLSVersion.TLSv1_2
    async with tcp_server(page.serve, tls) as port:
        origin = await find_origin(context_for(zone), site_on(https=port))
    assert origin == Origin(f"https://site.test:{port}", old_tls=True)


def test_an_origin_makes_requests_that_speak_its_tls() -> None:
    origin = Origin("https://site.test", verify=False, old_tls=True)
    request = origin.request("/x", headers=(("A", "b"),), max_bytes=7)
    assert request == FetchRequest(
        "https://site.test/x",
        headers=(("A", "b"),),
        max_bytes=7,
        verify=False,
        old_tls=True,
        follow=False,
    )
    assert origin.request("http://other.test/y").url == "http://other.test/y"


async def test_a_silent_site_is_asked_once(zone: DnsServer) -> None:
    async with tcp_server(silent()) as port:
        context = context_for(zone)
        home = await fetch_home(context, site_on(http=port), "http")
        assert await fetch_home(context, site_on(http=port), "http") is home
    assert context.pace.started == 1


def test_an_asset_is_a_host_an_address_a_port_and_a_url() -> None:
    assert asset_of(SITE, fetched()) == Asset("site.test", "192.0.2.1", 8443, REQUEST.url)
    assert asset_of(SITE, Fetched(REQUEST), "http://site.test/") == Asset(
        "site.test", None, 80, "http://site.test/"
    )


def test_the_values_of_cookies_are_not_kept() -> None:
    notes = Notes("test.probe")
    answer = fetched(("Set-Cookie", "sid=s3cret; Secure"), ("X-A", "sid=kept"), body=b"page")
    (name,) = prove_fetch(notes, SITE.asset, answer)
    (evidence,) = notes.result().evidence
    assert evidence.id == name
    assert evidence.redacted
    assert "sid=[6 bytes]; Secure" in evidence.text
    assert "s3cret" not in evidence.text
    assert "X-A: sid=kept" in evidence.text
    assert evidence.excerpt.endswith(b"page")


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("sid=abc; Path=/", "sid=[3 bytes]; Path=/"),
        ("sid=a=b", "sid=[3 bytes]"),
        ("secret", "=[6 bytes]"),
        ("", "=[0 bytes]"),
    ],
)
def test_headers_are_kept_without_the_values_of_cookies(line: str, kept: str) -> None:
    answer = fetched(("SET-cookie", line), ("X-A", "a=b")).answers[0]
    assert kept_headers(answer) == (("SET-cookie", kept), ("X-A", "a=b"))


def test_a_failure_is_proved_too() -> None:
    notes = Notes("test.probe")
    failure = Failure(FailureKind.REFUSED, "nobody there")
    (name,) = prove_fetch(notes, SITE.asset, Fetched(REQUEST, failure=failure))
    (evidence,) = notes.result().evidence
    assert name == evidence.id
    assert "refused: nobody there" in evidence.summary
    assert evidence.reproduce.startswith("curl")


@pytest.mark.parametrize(
    ("content_type", "body", "text"),
    [
        ("text/html; charset=GB2312", "你好".encode("gb2312"), "你好"),
        ('text/html; charset="iso-8859-1"', b"caf\xe9", "café"),
        ("text/html", "你好".encode(), "你好"),
        ("text/html; charset=zlib", b"plain", "plain"),
        ("text/html; charset=utf-7", b"+ADw-", "+ADw-"),
        ("text/html; charset=\x00", b"\xff", "\ufffd"),
    ],
)
def test_text_is_read_in_the_character_set_that_is_named(
    content_type: str, body: bytes, text: str
) -> None:
    assert text_of(fetched(("Content-Type", content_type), body=body)) == text


def test_trouble_says_why_an_answer_is_not_final() -> None:
    assert trouble_of(fetched()) == ""
    assert "not in scope" in trouble_of(Fetched(REQUEST, refused="not in scope"))
    assert trouble_of(Fetched(REQUEST, failure=Failure(FailureKind.TLS, "no"))) == "tls: no"
