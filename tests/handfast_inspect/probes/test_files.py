from __future__ import annotations

import asyncio

from handfast_inspect.probes.file_signatures import MAX_FILE, SIGNATURES
from handfast_inspect.probes.files import (
    look_at_robots,
    look_at_security_txt,
    look_for_files,
)
from loopback_dns import DnsServer
from loopback_probes import context_for, look, reasons, site_on
from loopback_tcp import Site, answers, floods, http_response, silent, tcp_server

SECRET = "s3cret-of-the-site"
HTML = [("Content-Type", "text/html")]
HOME = http_response(
    b'<script src="/app.js"></script><script src="http://x.test/y.js">', headers=HTML
)


async def test_a_file_counts_by_its_content_and_its_difference(zone: DnsServer) -> None:
    site = Site(
        {
            "/": HOME,
            "/.env": http_response(f"DB_PASSWORD={SECRET}\n".encode()),
            "/.git/HEAD": http_response(b"<html>our own page</html>"),
            "/app.js": http_response(b"1\n//# sourceMappingURL=app.js.map"),
            "/app.js.map": http_response(b'{"version":3,"mappings":"AAAA"}'),
        }
    )
    async with tcp_server(site.serve) as port:
        result = await look(look_for_files, context_for(zone), site_on(http=port))
    facts = {fact.path: fact for fact in result.facts.file_probes}
    assert len(facts) == len(SIGNATURES) + 1
    env = facts["/.env"]
    assert (env.status, env.signature, env.differs_from_baseline) == (200, "environment file", True)
    assert env.excerpt.endswith(f"DB_PASSWORD=[{len(SECRET)} bytes]")
    assert (facts["/.git/HEAD"].signature, facts["/.git/HEAD"].status) == (None, 200)
    assert facts["/app.js.map"].kind == "source_map"
    assert facts["/app.js.map"].signature == "source map"
    assert facts["/.svn/entries"].differs_from_baseline is False
    assert SECRET not in repr(result)
    assert all(SECRET.encode() not in evidence.excerpt for evidence in result.evidence)
    assert "http://x.test/y.js" not in "".join(site.requests)


async def test_one_page_for_every_path_exposes_nothing(zone: DnsServer) -> None:
    page = http_response(b"<html>DB_PASSWORD= ref: refs/heads/main [core] welcome</html>")
    async with tcp_server(Site({"*": page}).serve) as port:
        result = await look(look_for_files, context_for(zone), site_on(http=port))
    assert not any(fact.differs_from_baseline for fact in result.facts.file_probes)


async def test_no_more_than_four_kilobytes_of_a_file_are_read(zone: DnsServer) -> None:
    async def endless(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        path = (await reader.readuntil(b"\r\n\r\n")).split(b" ")[1]
        if path != b"/dump.sql":
            writer.write(http_response(b"x"))
            return
        await floods(b"CREATE TABLE secrets;\n" * 50, b"HTTP/1.1 200 OK\r\n\r\n")(reader, writer)

    async with tcp_server(endless) as port:
        result = await look(look_for_files, context_for(zone), site_on(http=port))
    evidence = next(item for item in result.evidence if "/dump.sql" in item.summary)
    assert evidence.length < MAX_FILE + 200
    assert evidence.redacted


async def test_a_site_that_dies_midway_leaves_what_was_seen(zone: DnsServer) -> None:
    async with tcp_server(answers(5, http_response(b"page"))) as port:
        result = await look(look_for_files, context_for(zone), site_on(http=port))
    assert 0 < len(result.facts.file_probes) < len(SIGNATURES)
    assert len(result.facts.gaps) == 1


async def test_security_txt_is_read_at_its_place(zone: DnsServer) -> None:
    text = b"Contact: mailto:a@site.test\nExpires: 2027-01-01T00:00:00Z\n"
    site = Site(
        {
            "/": http_response(b""),
            "/.well-known/security.txt": http_response(
                text, headers=[("Content-Type", "text/plain")]
            ),
        }
    )
    async with tcp_server(site.serve) as port:
        result = await look(look_at_security_txt, context_for(zone), site_on(http=port))
    (fact,) = result.facts.security_txt
    assert (fact.status, fact.content_type, fact.signed) == (200, "text/plain", False)
    assert fact.fields[0] == ("contact", "mailto:a@site.test")
    assert fact.final_url.endswith("/.well-known/security.txt")


async def test_the_old_place_is_tried_where_the_new_one_is_empty(zone: DnsServer) -> None:
    site = Site({"/": http_response(b""), "/security.txt": http_response(b"Contact: x\n")})
    async with tcp_server(site.serve) as port:
        result = await look(look_at_security_txt, context_for(zone), site_on(http=port))
    assert result.facts.security_txt[0].final_url.endswith(f":{port}/security.txt")


async def test_a_missing_security_txt_is_a_fact_and_no_gap(zone: DnsServer) -> None:
    async with tcp_server(Site({"/": http_response(b"")}).serve) as port:
        result = await look(look_at_security_txt, context_for(zone), site_on(http=port))
    assert result.facts.security_txt[0].status == 404
    assert result.facts.security_txt[0].fields == ()
    assert result.facts.gaps == ()


async def test_robots_are_read_and_never_followed(zone: DnsServer) -> None:
    robots = http_response(b"User-agent: *\nDisallow: /admin/\nSitemap: http://x.test/s.xml\n")
    site = Site({"/": http_response(b""), "/robots.txt": robots})
    async with tcp_server(site.serve) as port:
        result = await look(look_at_robots, context_for(zone), site_on(http=port))
    (fact,) = result.facts.robots
    assert (fact.disallow, fact.sitemaps) == (("/admin/",), ("http://x.test/s.xml",))
    assert "/admin/" not in site.paths


async def test_a_web_page_is_no_robots_txt(zone: DnsServer) -> None:
    page = http_response(b"<!doctype html><HTML>Disallow: /x</html>")
    async with tcp_server(Site({"*": page}).serve) as port:
        result = await look(look_at_robots, context_for(zone), site_on(http=port))
    assert result.facts.robots[0].disallow == ()


async def test_a_site_that_dies_after_its_front_page_leaves_gaps(zone: DnsServer) -> None:
    for what in (look_for_files, look_at_security_txt, look_at_robots):
        async with tcp_server(answers(1, http_response(b"page"))) as port:
            result = await look(what, context_for(zone, ports=[port]), site_on(http=port, https=1))
        assert "closed" in reasons(result) or "protocol" in reasons(result)
        facts = result.facts
        assert (facts.file_probes, facts.security_txt, facts.robots) == ((), (), ())


async def test_source_maps_elsewhere_are_not_fetched(zone: DnsServer) -> None:
    scripts = b"".join(b'<script src="/%d.js"></script>' % number for number in range(3))
    site = Site(
        {
            "/": http_response(scripts + b'<script src="http://[x"></script>', headers=HTML),
            "/0.js": http_response(b"//# sourceMappingURL=http://other.test/0.map"),
            "/1.js": http_response(b"//# sourceMappingURL=data:application/json;base64,e30="),
            "/2.js": http_response(b"//# sourceMappingURL=http://[bad"),
        }
    )
    async with tcp_server(site.serve) as port:
        result = await look(look_for_files, context_for(zone), site_on(http=port))
    assert not any(fact.kind == "source_map" for fact in result.facts.file_probes)
    assert "http://other.test/0.map" in reasons(result)


async def test_where_nothing_answers_there_are_gaps(zone: DnsServer) -> None:
    async with tcp_server(silent()) as port:
        for what in (look_for_files, look_at_security_txt, look_at_robots):
            result = await look(what, context_for(zone, ports=[port]), site_on(http=port, https=1))
            assert reasons(result) == "nothing answers over http or https"
