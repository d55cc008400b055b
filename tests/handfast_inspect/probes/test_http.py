from __future__ import annotations

import ssl
import time
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast_inspect.facts.http import HttpResponseFact
from handfast_inspect.probes.http import alike, look_at_home
from handfast_inspect.probes.notes import ProbeResult
from handfast_inspect.probes.site import MAX_HEADERS
from loopback_dns import DnsServer
from loopback_probes import context_for, look, reasons, site_on
from loopback_tcp import Handler, Site, drips, floods, http_response, says, silent, tcp_server
from loopback_tls import loopback_tls

HTML = [("Content-Type", "text/html; charset=utf-8")]
PAGE = b"<title>Members</title><meta name=generator content='WordPress 4.7.1'><script></script>"


def by_purpose(result: ProbeResult) -> dict[str, HttpResponseFact]:
    return {fact.purpose: fact for fact in result.facts.responses}


async def test_both_doors_are_described_with_all_their_hops(zone: DnsServer) -> None:
    tls = loopback_tls().server_context("site.test")
    cookies = [("Set-Cookie", "sid=secret; Secure"), ("Strict-Transport-Security", "max-age=1")]
    secure = Site({"/": http_response(PAGE, headers=[*HTML, *cookies])})
    async with tcp_server(secure.serve, tls) as https:
        to_https = http_response(
            status="301 Moved", headers=[("Location", f"https://site.test:{https}/")]
        )
        async with tcp_server(Site({"/": to_https}).serve) as http:
            target = site_on(http=http, https=https)
            result = await look(look_at_home, context_for(zone), target)
    facts = by_purpose(result)
    plain, safe = facts["http_home"], facts["https_home"]
    assert [hop.status for hop in plain.hops] == [301, 200]
    assert plain.hops[0].location == f"https://site.test:{https}/"
    assert plain.hops[1].hsts == "max-age=1"
    assert plain.final_url == safe.final_url == f"https://site.test:{https}/"
    assert safe.certificate_valid is True
    assert plain.certificate_valid is True
    assert safe.headers[2:] == (*HTML, ("Set-Cookie", "sid=[6 bytes]; Secure"), cookies[1])
    assert [cookie.name for cookie in safe.cookies] == ["sid"]
    assert safe.page is not None
    assert safe.page.title == "Members"
    assert safe.body_length == len(PAGE)
    (scheme,) = result.facts.schemes
    assert (scheme.http_answers, scheme.https_answers, scheme.same_content) == (True, True, None)
    assert {(item.product, item.version) for item in result.facts.products} == {
        ("wordpress", "4.7.1")
    }
    assert "secret" not in repr(result.facts)


async def test_pages_of_their_own_are_compared(zone: DnsServer) -> None:
    tls = loopback_tls().server_context("site.test")
    words = b" ".join(b"word%d" % number for number in range(50))
    one = Site({"/": http_response(words, headers=HTML)})
    other = Site({"/": http_response(b"nothing of this kind stands here", headers=HTML)})
    for second, same in ((one, True), (other, False)):
        async with tcp_server(one.serve) as http, tcp_server(second.serve, tls) as https:
            target = site_on(http=http, https=https)
            result = await look(look_at_home, context_for(zone), target)
        assert result.facts.schemes[0].same_content is same


async def test_a_bad_certificate_is_marked_and_the_headers_are_seen(zone: DnsServer) -> None:
    page = Site({"/": http_response(PAGE, headers=HTML)})
    async with tcp_server(page.serve, loopback_tls().server_context("x.test")) as port:
        result = await look(look_at_home, context_for(zone), site_on(https=port))
    fact = by_purpose(result)["https_home"]
    assert fact.certificate_valid is False
    assert fact.status == 200


async def test_https_that_browsers_refuse_counts_as_none_and_its_headers_are_seen(
    zone: DnsServer,
) -> None:
    page = Site({"/": http_response(PAGE, headers=HTML)})
    tls = loopback_tls().server_context("site.test")
    tls.set_ciphers("ALL:@SECLEVEL=0")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        tls.minimum_version, tls.maximum_version = ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1
    async with tcp_server(page.serve) as http, tcp_server(page.serve, tls) as https:
        result = await look(look_at_home, context_for(zone), site_on(http=http, https=https))
    (scheme,) = result.facts.schemes
    assert (scheme.http_answers, scheme.https_answers) == (True, False)
    assert "TLSv1.1, which browsers refuse" in scheme.detail
    assert by_purpose(result)["https_home"].status == 200
    assert by_purpose(result)["https_home"].certificate_valid is True


async def test_a_site_without_https_is_said_so_by_its_closed_port(zone: DnsServer) -> None:
    async with tcp_server(silent()) as closed:
        pass
    async with tcp_server(Site({"/": http_response(PAGE, headers=HTML)}).serve) as port:
        target = site_on(http=port, https=closed)
        result = await look(look_at_home, context_for(zone), target)
    (scheme,) = result.facts.schemes
    assert (scheme.http_answers, scheme.https_answers) == (True, False)
    assert "refused" in scheme.detail
    assert by_purpose(result)["https_home"].error.startswith("refused")
    assert result.facts.gaps == ()


async def test_a_port_out_of_scope_is_not_known_and_a_gap(zone: DnsServer) -> None:
    async with tcp_server(Site({"/": http_response(PAGE, headers=HTML)}).serve) as port:
        context = context_for(zone, ports=[port])
        result = await look(look_at_home, context, site_on(http=port))
    assert result.facts.schemes[0].https_answers is None
    assert "https was not tried" in reasons(result)


async def test_a_redirect_out_of_scope_is_kept_and_not_followed(zone: DnsServer) -> None:
    away = http_response(status="302 Found", headers=[("Location", "http://169.254.169.254/")])
    async with tcp_server(Site({"/": away}).serve) as port:
        result = await look(look_at_home, context_for(zone), site_on(http=port))
    fact = by_purpose(result)["http_home"]
    assert fact.hops[-1].location == "http://169.254.169.254/"
    assert fact.status is None
    assert "not followed" in fact.error


@pytest.mark.parametrize(
    "handler",
    [
        silent(),
        drips(b"H", 0.05),
        drips(b"x", 0.05, b"HTTP/1.1 200 OK\r\n\r\n"),
        floods(b"X: y\r\n" * 500, b"HTTP/1.1 200 OK\r\n"),
        says(b"\x00\xff" * 100 + b"\r\n\r\n"),
    ],
)
async def test_a_hostile_site_costs_its_deadline_and_is_a_gap(
    zone: DnsServer, handler: Handler
) -> None:
    started = time.monotonic()
    async with tcp_server(handler) as port:
        result = await look(look_at_home, context_for(zone), site_on(http=port))
    assert time.monotonic() - started < 6
    assert by_purpose(result)["http_home"].status is None
    assert "gave no whole answer" in reasons(result)


async def test_a_body_without_end_is_a_page_cut_short(zone: DnsServer) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>Flood</title>"
    async with tcp_server(floods(b"<p>" * 1000, head)) as port:
        result = await look(look_at_home, context_for(zone), site_on(http=port))
    fact = by_purpose(result)["http_home"]
    assert fact.page is not None
    assert fact.page.title == "Flood"
    assert fact.body_length == 256 * 1024


async def test_headers_are_capped(zone: DnsServer) -> None:
    many = [(f"X-{number}", "y") for number in range(2 * MAX_HEADERS)]
    async with tcp_server(Site({"/": http_response(b"", headers=many)}).serve) as port:
        result = await look(look_at_home, context_for(zone), site_on(http=port))
    assert len(by_purpose(result)["http_home"].headers) == MAX_HEADERS


def test_pages_are_alike_by_their_words() -> None:
    assert alike("", "")
    assert alike("hello world token 8371", "hello world token 9921")
    assert not alike("hello world", "something else")


@given(st.text(max_size=200), st.text(max_size=200))
def test_being_alike_goes_both_ways(first: str, second: str) -> None:
    assert alike(first, second) is alike(second, first)
    assert alike(first, first)
