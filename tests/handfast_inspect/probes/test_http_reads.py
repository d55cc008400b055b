from __future__ import annotations

import asyncio

import pytest

from handfast_inspect.probes.http_reads import (
    FOREIGN_ORIGIN,
    MAX_EXCERPT,
    USUAL_DIRECTORIES,
    look_at_cors,
    look_at_directories,
    look_at_error_page,
    look_at_methods,
)
from handfast_inspect.probes.probe import Look
from loopback_dns import DnsServer
from loopback_probes import context_for, look, reasons, site_on
from loopback_tcp import Handler, Site, answers, http_response, silent, tcp_server

HTML = [("Content-Type", "text/html")]


async def test_cors_is_asked_with_a_foreign_origin_and_with_null(zone: DnsServer) -> None:
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        origin = next((line[8:] for line in head.split("\r\n") if line.startswith("Origin: ")), "")
        headers = [
            ("Access-Control-Allow-Origin", origin),
            ("Access-Control-Allow-Credentials", "true"),
        ]
        writer.write(http_response(b"", headers=headers))

    async with tcp_server(echo) as port:
        result = await look(look_at_cors, context_for(zone), site_on(http=port))
    assert [(fact.sent_origin, fact.allow_origin) for fact in result.facts.cors] == [
        (FOREIGN_ORIGIN, FOREIGN_ORIGIN),
        ("null", "null"),
    ]
    assert all(fact.allow_credentials == "true" for fact in result.facts.cors)
    assert any(f"-H 'Origin: {FOREIGN_ORIGIN}'" in item.reproduce for item in result.evidence)


async def test_methods_are_read_from_allow_and_only_options_is_sent(zone: DnsServer) -> None:
    site = Site({"/": http_response(b"", headers=[("Allow", "get, PUT,,put"), ("Allow", "TRACE")])})
    async with tcp_server(site.serve) as port:
        result = await look(look_at_methods, context_for(zone), site_on(http=port))
    (fact,) = result.facts.methods
    assert fact.allowed == ("GET", "PUT", "TRACE")
    assert fact.trace_echoed is None
    assert {head.split(" ")[0] for head in site.requests} == {"GET", "OPTIONS"}


async def test_without_an_allow_header_nothing_is_known(zone: DnsServer) -> None:
    async with tcp_server(Site({"/": http_response(b"")}).serve) as port:
        result = await look(look_at_methods, context_for(zone), site_on(http=port))
    assert result.facts.methods[0].allowed is None


async def test_an_impossible_path_shows_the_error_page(zone: DnsServer) -> None:
    trace = b"Traceback (most recent call last):" + b"x" * 9999
    site = Site({"/": http_response(b""), "/no-such-label": http_response(trace, "500 Oops", HTML)})
    async with tcp_server(site.serve) as port:
        result = await look(look_at_error_page, context_for(zone), site_on(http=port))
    (fact,) = result.facts.error_pages
    assert (fact.status, fact.content_type) == (500, "text/html")
    assert fact.excerpt.startswith("Traceback")
    assert len(fact.excerpt) == MAX_EXCERPT
    assert fact.asset.url == f"http://site.test:{port}/"


async def test_directories_of_the_page_and_the_usual_ones_are_asked_for(zone: DnsServer) -> None:
    page = (
        b'<script src="/js/app/a.js"></script><img src="/pics/b.png"><img src="c.png">'
        b'<script src="https://cdn.test/lib/x.js"></script><img src="http://[">'
    )
    listing = b"<title>Index of /pics/</title>"
    site = Site({"/": http_response(page, headers=HTML), "/pics/": http_response(listing)})
    async with tcp_server(site.serve) as port:
        result = await look(look_at_directories, context_for(zone), site_on(http=port))
    asked = set(site.paths)
    assert {"/js/app/", "/pics/", *USUAL_DIRECTORIES} <= asked
    assert "/lib/" not in asked
    found = {fact.asset.url: fact for fact in result.facts.directories}
    assert found[f"http://site.test:{port}/pics/"].title == "Index of /pics/"
    assert found[f"http://site.test:{port}/js/app/"].excerpt == ""


async def test_a_site_that_stops_answering_is_left_alone(zone: DnsServer) -> None:
    async with tcp_server(answers(1, http_response(b"page"))) as port:
        context = context_for(zone, ports=[port])
        result = await look(look_at_directories, context, site_on(http=port, https=1))
    assert result.facts.directories == ()
    assert len(result.facts.gaps) == 1
    assert context.pace.started == 2


@pytest.mark.parametrize("what", [look_at_cors, look_at_methods, look_at_error_page])
async def test_a_site_that_dies_after_its_front_page_leaves_gaps(
    zone: DnsServer, what: Look
) -> None:
    async with tcp_server(answers(1, http_response(b"page"))) as port:
        result = await look(what, context_for(zone, ports=[port]), site_on(http=port, https=1))
    assert {gap.kind for gap in result.facts.gaps} == {"error"}
    facts = result.facts
    assert (facts.cors, facts.methods, facts.error_pages) == ((), (), ())


@pytest.mark.parametrize(
    "what", [look_at_cors, look_at_methods, look_at_error_page, look_at_directories]
)
@pytest.mark.parametrize("handler", [silent(), None])
async def test_where_nothing_answers_there_is_a_gap(
    zone: DnsServer, what: Look, handler: Handler | None
) -> None:
    async with tcp_server(handler or silent()) as port:
        target = site_on(http=port if handler else 1, https=1)
        result = await look(what, context_for(zone, ports=[port]), target)
    assert reasons(result) == "nothing answers over http or https"
