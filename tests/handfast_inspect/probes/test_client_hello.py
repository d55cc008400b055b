from __future__ import annotations

import contextlib
import ssl

import pytest

from handfast_inspect.probes.cipher_suites import TLS13 as TLS13_SUITES
from handfast_inspect.probes.cipher_suites import UP_TO_TLS12
from handfast_inspect.probes.client_hello import (
    SSL3,
    TLS10,
    TLS12,
    TLS13,
    Offer,
    client_hello,
    ssl2_client_hello,
)
from handfast_inspect.probes.server_flight import read_flight
from loopback_tls import loopback_tls


def answer_to(hello: bytes, context: ssl.SSLContext) -> bytes:
    """What OpenSSL answers to a message, in memory."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    server = context.wrap_bio(incoming, outgoing, server_side=True)
    incoming.write(hello)
    with contextlib.suppress(ssl.SSLError):
        server.do_handshake()
    return outgoing.read()


def lenient(*versions: ssl.TLSVersion) -> ssl.SSLContext:
    context = loopback_tls().server_context("site.test")
    context.set_ciphers("ALL:@SECLEVEL=0")
    context.minimum_version, context.maximum_version = min(versions), max(versions)
    return context


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize(
    ("version", "openssl"),
    [
        (TLS10, ssl.TLSVersion.TLSv1),
        (TLS12, ssl.TLSVersion.TLSv1_2),
        (TLS13, ssl.TLSVersion.TLSv1_3),
    ],
)
def test_openssl_answers_an_offer_of_a_version_with_that_version(
    version: int, openssl: ssl.TLSVersion
) -> None:
    suites = tuple(TLS13_SUITES) if version == TLS13 else UP_TO_TLS12
    data = answer_to(client_hello(Offer(version, suites, "site.test")), lenient(openssl))
    flight = read_flight(data)
    assert flight.version == version
    assert flight.suite in suites
    assert flight.done


def test_the_name_is_sent_and_left_out_for_an_address() -> None:
    assert b"site.test" in client_hello(Offer(TLS12, UP_TO_TLS12, "site.test"))
    names: list[str | None] = []
    context = lenient(ssl.TLSVersion.TLSv1_2)
    context.sni_callback = lambda _, name, __: names.append(name)
    answer_to(client_hello(Offer(TLS12, UP_TO_TLS12, "site.test")), context)
    answer_to(client_hello(Offer(TLS12, UP_TO_TLS12)), context)
    assert names == ["site.test", None]


def test_an_unacceptable_offer_is_answered_with_an_alert() -> None:
    data = answer_to(client_hello(Offer(SSL3, UP_TO_TLS12)), lenient(ssl.TLSVersion.TLSv1_2))
    assert read_flight(data).alert is not None
    only_rc4 = answer_to(client_hello(Offer(TLS12, (5,))), lenient(ssl.TLSVersion.TLSv1_2))
    assert read_flight(only_rc4).alert == 40


def test_two_offers_share_no_random_bytes() -> None:
    offer = Offer(TLS12, UP_TO_TLS12)
    assert client_hello(offer) != client_hello(offer)
    assert client_hello(Offer(SSL3, (5,)))[:11] == bytes.fromhex("160300002d010000290300")


def test_compression_is_offered_on_request() -> None:
    assert b"\x02\x01\x00" in client_hello(Offer(TLS12, (5,), compression=True))
    assert len(client_hello(Offer(TLS12, (5,), compression=True))) == (
        len(client_hello(Offer(TLS12, (5,)))) + 1
    )


def test_the_hello_of_ssl_2_says_its_lengths() -> None:
    hello = ssl2_client_hello()
    assert hello[0] & 0x80
    assert int.from_bytes(hello[:2], "big") & 0x7FFF == len(hello) - 2
    assert hello[2:5] == b"\x01\x00\x02"
