from __future__ import annotations

import base64
from dataclasses import replace

import dns.rcode
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hypothesis import given
from hypothesis import strategies as st

from handfast_inspect.probes.dkim import MAX_SELECTORS, look_at_dkim, read_key
from loopback_dns import DnsServer
from loopback_probes import SITE, context_for, look, reasons

EC_KEY = base64.b64encode(
    ec.generate_private_key(ec.SECP256R1())
    .public_key()
    .public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
).decode()


SHORT_KEY = (
    "MFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBAM8MD3go2HrKfRDieOUEPGlVN3cwiN2iZx35z1Zr281xpw1D4a+A3uWJsFO7"
    "fj3YWwB18UVixiAgG2B/5DH+2lUCAwEAAQ=="
)
"""A key of 512 bits, made for this test."""


def rsa_key(bits: int) -> str:
    public = rsa.generate_private_key(65537, bits).public_key()
    return base64.b64encode(
        public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    ).decode()


@pytest.mark.parametrize("bits", [1024, 2048])
def test_the_size_of_an_rsa_key_is_read(bits: int) -> None:
    key = rsa_key(bits)
    read = read_key(f"v=DKIM1; k=rsa; t=s:y; p={key[:60]} {key[60:]}")
    assert (read.key_type, read.key_bits, read.test_flag, read.revoked) == (
        "rsa",
        bits,
        True,
        False,
    )
    assert read.error == ""


def test_a_key_that_can_be_broken_is_measured_too() -> None:
    assert read_key(f"v=DKIM1; p={SHORT_KEY}").key_bits == 512


def test_an_ed25519_key_is_known_and_rsa_is_the_default() -> None:
    raw = ed25519.Ed25519PrivateKey.generate().public_key().public_bytes_raw()
    read = read_key("k=ed25519; p=" + base64.b64encode(raw).decode())
    assert (read.key_type, read.key_bits) == ("ed25519", 256)
    assert read_key("p=" + rsa_key(1024)).key_type == "rsa"


def test_an_empty_key_is_revoked() -> None:
    assert read_key("v=DKIM1; p=").revoked


@pytest.mark.parametrize("public", ["%%%", "AAAA", EC_KEY])
def test_what_is_no_such_key_is_an_error(public: str) -> None:
    read = read_key(f"v=DKIM1; p={public}")
    assert read.key_bits is None
    assert read.error


@given(st.integers(0, 93), st.integers(0, 255))
def test_a_damaged_key_is_read_or_refused(position: int, value: int) -> None:
    damaged = bytearray(base64.b64decode(SHORT_KEY))
    damaged[position] = value
    read_key("p=" + base64.b64encode(damaged).decode())


@given(st.text(max_size=200))
def test_any_text_is_read(record: str) -> None:
    read_key(record)
    read_key("v=DKIM1; p=" + record)


async def test_only_the_selectors_that_were_named_are_asked_for(zone: DnsServer) -> None:
    zone.add('one._domainkey.site.test 60 TXT "v=DKIM1; p="', "x._domainkey.site.test 60 TXT other")
    zone.rcode("down._domainkey.site.test", dns.rcode.SERVFAIL)
    target = replace(SITE, dkim_selectors=("one", "two", "x", "down"))
    result = await look(look_at_dkim, context_for(zone), target)
    found = {fact.selector: (fact.exists, fact.revoked) for fact in result.facts.dkim}
    assert found == {"one": (True, True), "two": (False, False), "x": (False, False)}
    assert "down._domainkey.site.test TXT" in reasons(result)


async def test_without_selectors_nothing_is_asked(zone: DnsServer) -> None:
    result = await look(look_at_dkim, context_for(zone))
    assert zone.asked == []
    assert reasons(result) == "no DKIM selector was named"


async def test_selectors_are_capped(zone: DnsServer) -> None:
    target = replace(SITE, dkim_selectors=tuple(f"s{n}" for n in range(100)))
    result = await look(look_at_dkim, context_for(zone), target)
    assert len(result.facts.dkim) == MAX_SELECTORS
