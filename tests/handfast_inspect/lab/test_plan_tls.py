from __future__ import annotations

import asyncio
import ssl
from contextlib import suppress

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import rsa

from handfast_inspect.lab.plan_tls import TLS_SITES
from handfast_inspect.lab.site import ServiceKind
from laboratory_client import LaboratoryClient, careless

HTTPS = ServiceKind.HTTPS
TRUSTED = {"modern", "tls12", "all-tls", "static-rsa", "no-encryption"} | {
    *("ending", "ending-soon", "long-lived", "unlogged"),
}


async def shake_hands(
    client: LaboratoryClient, label: str, tls: ssl.SSLContext
) -> tuple[ssl.SSLObject, x509.Certificate]:
    name = f"{label}.lab.example"
    address, port = client.where(name, HTTPS)
    async with asyncio.timeout(10):
        _, writer = await asyncio.open_connection(address, port, ssl=tls, server_hostname=name)
        connection = writer.get_extra_info("ssl_object")
        der = connection.getpeercert(binary_form=True)
        writer.transport.abort()
        with suppress(OSError):
            await writer.wait_closed()
    assert isinstance(connection, ssl.SSLObject)
    return connection, x509.load_der_x509_certificate(der)


@pytest.mark.parametrize("label", [plan.name.partition(".")[0] for plan in TLS_SITES])
async def test_every_site_serves_its_page_to_the_careless(
    client: LaboratoryClient, label: str
) -> None:
    answer = await client.get(f"{label}.lab.example", kind=HTTPS, tls=careless())
    assert answer.status == 200


@pytest.mark.parametrize("label", sorted(TRUSTED - {"static-rsa"}))
async def test_a_valid_certificate_is_trusted_by_the_careful(
    client: LaboratoryClient, label: str
) -> None:
    await shake_hands(client, label, client.trusting())


@pytest.mark.parametrize(
    ("label", "complaint"),
    [
        ("expired", "certificate has expired"),
        ("future", "not yet valid"),
        ("wrong-name", "Hostname mismatch"),
        ("self-signed", "self-signed certificate"),
        ("untrusted", "self-signed certificate in certificate chain"),
        ("incomplete", "unable to get local issuer certificate"),
    ],
)
async def test_a_broken_certificate_is_refused_for_its_reason(
    client: LaboratoryClient, label: str, complaint: str
) -> None:
    with pytest.raises(ssl.SSLCertVerificationError, match=complaint):
        await shake_hands(client, label, client.trusting())


async def test_an_incomplete_chain_is_whole_with_the_intermediate(client: LaboratoryClient) -> None:
    _, incomplete = await shake_hands(client, "incomplete", careless())
    _, modern = await shake_hands(client, "modern", client.trusting())
    assert incomplete.issuer == modern.issuer


async def test_the_ending_certificates_are_in_their_last_third_and_sixth(
    client: LaboratoryClient,
) -> None:
    shares: list[float] = []
    for label in ("ending", "ending-soon"):
        _, certificate = await shake_hands(client, label, client.trusting())
        lifetime = certificate.not_valid_after_utc - certificate.not_valid_before_utc
        now = client.laboratory.now
        shares.append((certificate.not_valid_after_utc - now) / lifetime)
    assert 1 / 6 < shares[0] < 1 / 3
    assert 0 < shares[1] < 1 / 6


async def test_the_long_lived_certificate_outlives_every_limit(client: LaboratoryClient) -> None:
    _, certificate = await shake_hands(client, "long-lived", client.trusting())
    assert (certificate.not_valid_after_utc - certificate.not_valid_before_utc).days > 825


async def test_the_short_key_has_1024_bits(client: LaboratoryClient) -> None:
    _, certificate = await shake_hands(client, "short-key", careless())
    key = certificate.public_key()
    assert isinstance(key, rsa.RSAPublicKey)
    assert key.key_size == 1024


@pytest.mark.parametrize(
    ("label", "spoken"),
    [
        ("modern", {"TLSv1_3"}),
        ("tls12", {"TLSv1_2"}),
        ("old-tls", {"TLSv1", "TLSv1_1"}),
        ("all-tls", {"TLSv1", "TLSv1_1", "TLSv1_2", "TLSv1_3"}),
    ],
)
async def test_each_site_speaks_the_versions_it_is_named_for(
    client: LaboratoryClient, label: str, spoken: set[str]
) -> None:
    heard: set[str] = set()
    for version in ("TLSv1", "TLSv1_1", "TLSv1_2", "TLSv1_3"):
        only = ssl.TLSVersion[version]
        with suppress(ssl.SSLError, ConnectionError):
            await shake_hands(client, label, careless(only, only))
            heard.add(version)
    assert heard == spoken


@pytest.mark.parametrize(
    ("label", "suite"),
    [
        ("static-rsa", "AES128-SHA"),
        ("no-encryption", "ECDHE-ECDSA-NULL-SHA"),
        ("no-encryption", "AECDH-AES128-SHA"),
    ],
)
async def test_a_weak_suite_is_accepted(client: LaboratoryClient, label: str, suite: str) -> None:
    only = careless(highest=ssl.TLSVersion.TLSv1_2, ciphers=f"{suite}:@SECLEVEL=0")
    name = f"{label}.lab.example"
    address, port = client.where(name, HTTPS)
    _, writer = await asyncio.open_connection(address, port, ssl=only, server_hostname=name)
    assert writer.get_extra_info("cipher")[0] == suite
    writer.transport.abort()


async def test_a_good_site_accepts_no_weak_suite(client: LaboratoryClient) -> None:
    only = careless(highest=ssl.TLSVersion.TLSv1_2, ciphers="kRSA:eNULL:aNULL:@SECLEVEL=0")
    with pytest.raises((ssl.SSLError, ConnectionError)):
        await shake_hands(client, "tls12", only)
