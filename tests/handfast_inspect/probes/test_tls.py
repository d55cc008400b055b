from __future__ import annotations

import ssl
import struct
import warnings

import pytest
import trustme
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import ExtensionOID, NameOID

from handfast.network.connect import Handshake, verified_context
from handfast_inspect.facts.tls import CertificateFact
from handfast_inspect.probes.certificates import read_certificate
from handfast_inspect.probes.notes import ProbeResult
from handfast_inspect.probes.probe import Target
from handfast_inspect.probes.tls import look_at_certificate, present
from loopback_dns import DnsServer
from loopback_probes import NOON, context_for, look, reasons, site_on
from loopback_tcp import Handler, drips, floods, says, silent, tcp_server
from loopback_tls import loopback_tls, server_context


async def looked(zone: DnsServer, context: ssl.SSLContext) -> ProbeResult:
    async with tcp_server(silent(), context) as port:
        return await look(look_at_certificate, context_for(zone), site_on(https=port))


async def fact_of(zone: DnsServer, context: ssl.SSLContext) -> CertificateFact:
    (fact,) = (await looked(zone, context)).facts.certificates
    return fact


async def test_a_good_certificate_is_trusted_complete_and_names_the_host(zone: DnsServer) -> None:
    result = await looked(zone, loopback_tls().server_context("site.test", "*.site.test"))
    (fact,) = result.facts.certificates
    assert fact.server_name == "site.test"
    assert (fact.trusted, fact.chain_complete, fact.name_matches) == (True, True, True)
    assert fact.dns_names == ("site.test", "*.site.test")
    assert fact.sct_count == 0
    assert fact.verify_error == ""
    assert fact.asset.ip == "127.0.0.1"
    evidence = next(item for item in result.evidence if item.id in fact.evidence)
    assert evidence.text.startswith("-----BEGIN CERTIFICATE-----")
    assert "openssl s_client" in evidence.reproduce


async def test_a_wrong_name_is_no_matter_of_trust(zone: DnsServer) -> None:
    fact = await fact_of(zone, loopback_tls().server_context("other.test"))
    assert (fact.trusted, fact.name_matches) == (True, False)


async def test_an_unknown_authority_is_not_trusted(zone: DnsServer) -> None:
    stranger = trustme.CA(organization_name="A Stranger")
    fact = await fact_of(zone, server_context(stranger, "site.test"))
    assert (fact.trusted, fact.chain_complete, fact.self_signed) == (False, None, False)
    assert fact.verify_error


async def test_an_old_server_shows_its_certificate_too(zone: DnsServer) -> None:
    context = loopback_tls().server_context("site.test")
    context.set_ciphers("ALL:@SECLEVEL=0")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        context.maximum_version = context.minimum_version = ssl.TLSVersion.TLSv1
    assert (await fact_of(zone, context)).trusted is True


async def test_a_server_of_tls_13_alone_hides_its_timestamps(zone: DnsServer) -> None:
    context = loopback_tls().server_context("site.test")
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    assert (await fact_of(zone, context)).sct_count is None


def test_timestamps_in_the_certificate_are_counted() -> None:
    signed = struct.pack("!BQH", 0, 0, 0) + b"\x04\x03" + struct.pack("!H", 2) + b"\x30\x00"
    signed = signed[:1] + bytes(32) + signed[1:]
    one = struct.pack("!H", len(signed)) + signed
    extension = x509.UnrecognizedExtension(
        ExtensionOID.PRECERT_SIGNED_CERTIFICATE_TIMESTAMPS,
        b"\x04" + bytes([len(one) + 2]) + struct.pack("!H", len(one)) + one,
    )
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "site.test")])
    builder = x509.CertificateBuilder(name, name, key.public_key(), 1, NOON, NOON)
    certificate = builder.add_extension(extension, critical=False).sign(key, hashes.SHA256())
    details = read_certificate(certificate.public_bytes(Encoding.DER))
    assert details is not None
    assert details.sct_count == 1


def test_bytes_that_are_no_certificate_present_nothing() -> None:
    outcome = Handshake("TLSv1.3", "", ())
    assert present("site.test", (b"no certificate",), outcome, verified_context()) is None
    assert present("site.test", (), outcome, verified_context()) is None


@pytest.mark.parametrize(
    "handler", [silent(), says(b"220 hello\r\n"), floods(b"x" * 999), drips(b"\x16", 0.05)]
)
async def test_a_port_without_tls_is_a_gap(zone: DnsServer, handler: Handler) -> None:
    async with tcp_server(handler) as port:
        result = await look(look_at_certificate, context_for(zone), site_on(https=port))
    assert result.facts.certificates == ()
    (gap,) = result.facts.gaps
    assert gap.covers == ("tls.cert.",)
    assert "no certificate was seen" in gap.reason


async def test_a_port_out_of_scope_is_never_connected_to(zone: DnsServer) -> None:
    context = context_for(zone, ports=[443])
    result = await look(look_at_certificate, context, Target("site.test", https_port=444))
    assert "not in scope" in reasons(result)
    assert context.pace.started == 0
