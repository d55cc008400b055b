from __future__ import annotations

import asyncio
import contextlib
import ssl
import warnings
from pathlib import Path

import pytest

from handfast_inspect.probes.cipher_suites import UP_TO_TLS12
from handfast_inspect.probes.client_hello import TLS12, Offer, client_hello
from handfast_inspect.probes.tls_scan import MAX_OFFERS, look_at_ciphers, look_at_protocols
from loopback_dns import DnsServer
from loopback_probes import context_for, look, reasons, site_on
from loopback_tcp import Handler, floods, says, silent, tcp_server
from loopback_tls import loopback_tls, server_context

SHORT_GROUP = (
    "-----BEGIN DH PARAMETERS-----\n"
    "MIGHAoGBAK7HLUe3lTBGugcxMVh7lG4/iQKBiPiGyCDjf5Zc/Slk5LIfnOQHEG8E\n"
    "VIDrFJF9ABtLDmgcuVVHvFMVq7K7Lw4VDlT3UAG2Vf2Bqxn2j+QaO/WZIj3LWznu\n"
    "NkgSqjFAS2SAPkJ9rrtCykNPAT/9VwRgJgv+aTkGbb72TCOKsGMfAgEC\n"
    "-----END DH PARAMETERS-----\n"
)
"""A group of 1,024 bits, made for this test."""


def server(
    lowest: ssl.TLSVersion, highest: ssl.TLSVersion, ciphers: str = "ALL:@SECLEVEL=0"
) -> ssl.SSLContext:
    context = server_context(loopback_tls().authority, "site.test", rsa=True)
    context.set_ciphers(ciphers)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        context.minimum_version, context.maximum_version = lowest, highest
    return context


@pytest.mark.parametrize(
    ("lowest", "highest", "expected"),
    [
        (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3, {"TLSv1.2", "TLSv1.3"}),
        (ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1, {"TLSv1.0", "TLSv1.1"}),
        (ssl.TLSVersion.TLSv1_3, ssl.TLSVersion.TLSv1_3, {"TLSv1.3"}),
    ],
)
async def test_each_version_is_offered_alone(
    zone: DnsServer, lowest: ssl.TLSVersion, highest: ssl.TLSVersion, expected: set[str]
) -> None:
    async with tcp_server(silent(), server(lowest, highest)) as port:
        result = await look(look_at_protocols, context_for(zone), site_on(https=port))
    offered = {fact.version: fact.offered for fact in result.facts.protocols}
    assert len(offered) == 6
    assert {version for version, yes in offered.items() if yes} == expected
    assert {version for version, yes in offered.items() if yes is None} == set()
    assert all("openssl s_client" in item.reproduce for item in result.evidence)


@pytest.mark.parametrize("handler", [silent(), says(b"220 hi\r\n"), floods(b"z" * 999)])
async def test_a_port_without_tls_is_a_gap(zone: DnsServer, handler: Handler) -> None:
    async with tcp_server(handler) as port:
        versions = await look(look_at_protocols, context_for(zone), site_on(https=port))
        suites = await look(look_at_ciphers, context_for(zone), site_on(https=port))
    assert versions.facts.protocols == ()
    assert "no TLS on port" in reasons(versions)
    assert suites.facts.cipher_scans == ()
    assert {rule for gap in suites.facts.gaps for rule in gap.covers} == {"tls.cipher.", "tls.misc"}


async def test_every_accepted_suite_is_found(zone: DnsServer) -> None:
    tls = server(
        ssl.TLSVersion.TLSv1_2,
        ssl.TLSVersion.TLSv1_2,
        "ECDHE-RSA-AES128-GCM-SHA256:AES128-SHA:NULL-SHA256:ADH-AES128-SHA:@SECLEVEL=0",
    )
    context = context_for(zone)
    async with tcp_server(silent(), tls) as port:
        result = await look(look_at_ciphers, context, site_on(https=port))
    (scan,) = result.facts.cipher_scans
    found = {cipher.name for cipher in scan.accepted}
    assert found >= {
        "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
        "TLS_RSA_WITH_AES_128_CBC_SHA",
        "TLS_RSA_WITH_NULL_SHA256",
    }
    assert {cipher.version for cipher in scan.accepted} == {"TLSv1.2"}
    assert found <= set(scan.tried)
    (features,) = result.facts.tls_features
    assert (features.compression, features.secure_renegotiation) == (False, True)
    assert context.pace.started <= len(found) + 4


async def test_a_server_of_tls_13_alone_accepts_none_of_the_old_suites(zone: DnsServer) -> None:
    tls = server(ssl.TLSVersion.TLSv1_3, ssl.TLSVersion.TLSv1_3)
    async with tcp_server(silent(), tls) as port:
        result = await look(look_at_ciphers, context_for(zone), site_on(https=port))
    (scan,) = result.facts.cipher_scans
    assert [cipher.version for cipher in scan.accepted] == ["TLSv1.3"]


async def test_a_server_that_takes_none_of_our_suites_is_a_gap(zone: DnsServer) -> None:
    refusal = b"\x15\x03\x03\x00\x02\x02\x28"
    async with tcp_server(says(refusal)) as port:
        result = await look(look_at_ciphers, context_for(zone), site_on(https=port))
        versions = await look(look_at_protocols, context_for(zone), site_on(https=port))
    assert "it takes no suite of ours" in reasons(result)
    assert not any(fact.offered for fact in versions.facts.protocols)


async def test_a_server_that_stops_answering_leaves_the_list_unfinished(zone: DnsServer) -> None:
    tls = server(ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_2)
    first = await _server_hello(tls)

    async def once_then_mute(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal first
        await reader.read(4096)
        writer.write(first)
        first = b""
        await reader.read(4096)

    async with tcp_server(once_then_mute) as port:
        result = await look(look_at_ciphers, context_for(zone), site_on(https=port))
    assert "the list of suites is not whole" in reasons(result)
    assert result.facts.cipher_scans[0].accepted == ()


async def _server_hello(tls: ssl.SSLContext) -> bytes:
    """What a server answers to an offer of everything."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    incoming.write(client_hello(Offer(TLS12, UP_TO_TLS12)))
    with contextlib.suppress(ssl.SSLError):
        tls.wrap_bio(incoming, outgoing, server_side=True).do_handshake()
    return outgoing.read()


async def test_a_server_that_accepts_everything_takes_a_bounded_number_of_connections(
    zone: DnsServer,
) -> None:
    async def accept_any(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        hello = await reader.read(4096)
        at = 44  # the first suite of the offer, behind random and an empty session id
        chosen = hello[at + 2 : at + 4]
        body = b"\x03\x03" + bytes(32) + b"\x00" + chosen + b"\x00"
        message = b"\x02" + len(body).to_bytes(3, "big") + body + b"\x0e\x00\x00\x00"
        record = b"\x16\x03\x03" + len(message).to_bytes(2, "big") + message
        writer.write(record)

    context = context_for(zone)
    async with tcp_server(accept_any) as port:
        result = await look(look_at_ciphers, context, site_on(https=port))
    (scan,) = result.facts.cipher_scans
    assert len(scan.accepted) == MAX_OFFERS
    assert "more than 60 connections" in reasons(result)


async def test_the_size_of_a_dh_group_is_read(zone: DnsServer, tmp_path: Path) -> None:
    tls = server(
        ssl.TLSVersion.TLSv1_2,
        ssl.TLSVersion.TLSv1_2,
        "DHE-RSA-AES128-GCM-SHA256:AES128-SHA:@SECLEVEL=0",
    )
    path = tmp_path / "dh.pem"
    path.write_text(SHORT_GROUP)
    tls.load_dh_params(str(path))
    async with tcp_server(silent(), tls) as port:
        result = await look(look_at_ciphers, context_for(zone), site_on(https=port))
    (scan,) = result.facts.cipher_scans
    assert {cipher.name: cipher.dh_bits for cipher in scan.accepted} == {
        "TLS_DHE_RSA_WITH_AES_128_GCM_SHA256": 1024,
        "TLS_RSA_WITH_AES_128_CBC_SHA": None,
    }
