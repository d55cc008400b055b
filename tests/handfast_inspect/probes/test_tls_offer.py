from __future__ import annotations

import ssl

import pytest

from handfast_inspect.probes.cipher_suites import UP_TO_TLS12
from handfast_inspect.probes.client_hello import TLS12, Offer
from handfast_inspect.probes.tls_offer import Offered, make_offer, offer_ssl2
from loopback_dns import DnsServer
from loopback_probes import context_for
from loopback_tcp import Handler, drips, floods, says, silent, tcp_server
from loopback_tls import loopback_tls

OFFER = Offer(TLS12, UP_TO_TLS12, "site.test")


async def offered(zone: DnsServer, handler: Handler, tls: ssl.SSLContext | None = None) -> Offered:
    context = context_for(zone)
    async with tcp_server(handler, tls) as port:
        admission = await context.guard.admit_host("site.test", port)
        return await make_offer(context, admission, OFFER)


async def test_a_server_of_tls_answers_with_its_choice(zone: DnsServer) -> None:
    found = await offered(zone, silent(), loopback_tls().server_context("site.test"))
    assert found.flight is not None
    assert found.flight.version == TLS12
    assert found.flight.done
    assert found.trouble == ""
    assert found.data


@pytest.mark.parametrize(
    ("handler", "trouble"),
    [
        (silent(), "read timeout"),
        (says(b"SSH-2.0-x\r\n"), "not TLS"),
        (floods(b"y" * 999), "not TLS"),
        (drips(b"\x16", 0.05), "not TLS"),
    ],
)
async def test_what_is_no_tls_says_why(zone: DnsServer, handler: Handler, trouble: str) -> None:
    found = await offered(zone, handler)
    assert found.flight is None
    assert trouble in found.trouble
    assert len(found.data) <= 64 * 1024


async def test_hanging_up_is_an_answer_of_a_kind(zone: DnsServer) -> None:
    async def hang_up(reader: object, writer: object) -> None:
        del reader, writer

    found = await offered(zone, hang_up)
    assert (found.hung_up, found.trouble) == (True, "")


async def test_ssl_2_is_recognised_and_an_alert_is_a_refusal(zone: DnsServer) -> None:
    context = context_for(zone)
    hello = b"\x80\x0b\x04\x00\x01\x00\x02" + bytes(6)
    async with tcp_server(says(hello)) as port:
        admission = await context.guard.admit_host("site.test", port)
        spoken = await offer_ssl2(context, admission)
    assert spoken.flight is not None
    assert spoken.flight.version == 0x0002
    async with tcp_server(silent(), loopback_tls().server_context("site.test")) as port:
        admission = await context.guard.admit_host("site.test", port)
        refused = await offer_ssl2(context, admission)
    assert refused.flight is None or refused.flight.version is None
