from __future__ import annotations

import dns.rcode

from handfast_inspect.probes.probe import Target
from handfast_inspect.probes.takeover import look_for_unclaimed
from loopback_dns import DnsServer
from loopback_probes import context_for, look, reasons
from loopback_tcp import Site, http_response, tcp_server

NOBODY = b"<h1>404</h1><p>There isn't a GitHub Pages site here.</p>"


def alias(zone: DnsServer) -> None:
    zone.add("shop.site.test 60 CNAME forgotten.github.io.", "forgotten.github.io 60 A 127.0.0.1")


async def test_the_providers_words_on_the_page_are_the_signature(zone: DnsServer) -> None:
    alias(zone)
    async with tcp_server(Site({"*": http_response(NOBODY, "404 Not Found")}).serve) as port:
        target = Target("shop.site.test", http_port=port)
        result = await look(look_for_unclaimed, context_for(zone), target)
    (pointer,) = result.facts.pointers
    assert pointer.provider == "GitHub Pages"
    assert pointer.unclaimed_signature == "There isn't a GitHub Pages site here"
    assert len(pointer.evidence) == 2


async def test_a_page_that_somebody_holds_has_no_signature(zone: DnsServer) -> None:
    alias(zone)
    async with tcp_server(Site({"*": http_response(b"Our shop")}).serve) as port:
        target = Target("shop.site.test", http_port=port)
        (pointer,) = (await look(look_for_unclaimed, context_for(zone), target)).facts.pointers
    assert pointer.unclaimed_signature is None
    assert pointer.target_exists is True


async def test_an_alias_of_somebody_else_is_not_visited(zone: DnsServer) -> None:
    zone.add("shop.site.test 60 CNAME www.site.test.", "www.site.test 60 A 127.0.0.1")
    context = context_for(zone)
    result = await look(look_for_unclaimed, context, Target("shop.site.test"))
    assert result.facts.pointers == ()
    assert context.pace.started == 0


async def test_what_could_not_be_looked_at_is_a_gap(zone: DnsServer) -> None:
    alias(zone)
    result = await look(look_for_unclaimed, context_for(zone, ports=[1]), Target("shop.site.test"))
    assert result.facts.pointers[0].target_exists is None
    assert "https was not tried" in reasons(result)
    zone.rcode("shop.site.test", dns.rcode.SERVFAIL)
    result = await look(look_for_unclaimed, context_for(zone), Target("shop.site.test"))
    assert "servfail" in reasons(result)
