from __future__ import annotations

import pytest

from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.tls import AcceptedCipher, CipherScanFact, ProtocolVersion
from handfast_inspect.rules.tls_cipher import check_broken_ciphers, check_weak_ciphers
from made_facts import NOW, PROOF, SITE, failures, states

GOOD = AcceptedCipher("TLSv1.2", "ECDHE-RSA-AES128-GCM-SHA256")
MODERN = AcceptedCipher("TLSv1.3", "TLS_AES_128_GCM_SHA256")


def accepts(*ciphers: AcceptedCipher) -> Facts:
    tried = ("ALL",)
    return Facts(cipher_scans=(CipherScanFact(SITE, PROOF, tried, ciphers),))


def named(name: str, version: ProtocolVersion = "TLSv1.2") -> Facts:
    return accepts(GOOD, AcceptedCipher(version, name))


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("NULL-SHA256", "null"),
        ("ECDHE-RSA-NULL-SHA", "null"),
        ("TLS_RSA_WITH_NULL_SHA", "null"),
        ("ADH-AES128-SHA", "anonymous"),
        ("AECDH-AES256-SHA", "anonymous"),
        ("TLS_DH_anon_WITH_AES_128_CBC_SHA", "anonymous"),
        ("EXP-DES-CBC-SHA", "export"),
        ("TLS_RSA_EXPORT_WITH_RC4_40_MD5", "export"),
        ("RC4-SHA", "rc4"),
        ("ECDHE-RSA-RC4-SHA", "rc4"),
        ("DES-CBC-SHA", "des"),
        ("EDH-RSA-DES-CBC-SHA", "des"),
        ("TLS_RSA_WITH_DES_CBC_SHA", "des"),
    ],
)
def test_broken_suites_are_high(name: str, kind: str) -> None:
    found = failures(check_broken_ciphers(named(name), NOW))
    assert found[f"cipher/{kind}"] == "high"


@pytest.mark.parametrize(
    "name",
    [
        "ECDHE-ECDSA-CHACHA20-POLY1305",
        "DES-CBC3-SHA",
        "TLS_RSA_WITH_3DES_EDE_CBC_SHA",
        "DHE-RSA-AES256-GCM-SHA384",
        "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
    ],
)
def test_other_suites_are_not_broken(name: str) -> None:
    assert states(check_broken_ciphers(named(name), NOW)) == ["pass"]


@pytest.mark.parametrize("name", ["DES-CBC3-SHA", "ECDHE-RSA-DES-CBC3-SHA"])
def test_3des_is_medium(name: str) -> None:
    assert failures(check_weak_ciphers(named(name), NOW))["cipher/3des"] == "medium"


def test_no_forward_secrecy_at_all_is_medium() -> None:
    facts = accepts(AcceptedCipher("TLSv1.2", "AES128-GCM-SHA256"))
    assert failures(check_weak_ciphers(facts, NOW)) == {"cipher/no-forward-secrecy": "medium"}


def test_some_suites_without_forward_secrecy_are_low() -> None:
    found = failures(check_weak_ciphers(named("AES128-GCM-SHA256"), NOW))
    assert found == {"cipher/static-key-exchange": "low"}


def test_only_cbc_for_tls_1_2_is_low() -> None:
    facts = accepts(MODERN, AcceptedCipher("TLSv1.2", "ECDHE-RSA-AES128-SHA256"))
    assert failures(check_weak_ciphers(facts, NOW)) == {"cipher/cbc-only": "low"}


@pytest.mark.parametrize(("bits", "severity"), [(1024, "medium"), (768, "high")])
def test_small_groups_are_found(bits: int, severity: str) -> None:
    facts = accepts(GOOD, AcceptedCipher("TLSv1.2", "DHE-RSA-AES128-GCM-SHA256", bits))
    assert failures(check_weak_ciphers(facts, NOW)) == {"cipher/dh-group": severity}


def test_current_suites_pass() -> None:
    facts = accepts(GOOD, MODERN, AcceptedCipher("TLSv1.2", "DHE-RSA-AES128-GCM-SHA256", 2048))
    assert states(check_weak_ciphers(facts, NOW)) == ["pass"]


def test_a_server_that_answers_no_handshake_is_not_tested() -> None:
    facts = Facts(cipher_scans=(CipherScanFact(SITE, PROOF, (), ()),))
    assert states(check_broken_ciphers(facts, NOW)) == ["not_tested"]
    assert states(check_weak_ciphers(facts, NOW)) == ["not_tested"]
