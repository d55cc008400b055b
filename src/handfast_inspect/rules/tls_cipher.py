"""Rules about cipher suites."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.tls import AcceptedCipher, CipherScanFact
from handfast_inspect.findings.finding import ProbeClass, Severity
from handfast_inspect.rules.reproduce import openssl_ciphers
from handfast_inspect.rules.rule import Rule, Verdict, failed, passed, untested

_NEEDS = "no cipher suites were probed"
_CONFIG = (
    "ssl_ciphers ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:"
    "ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305;"
)

_BROKEN_KINDS = (
    ("null", "no encryption at all", re.compile(r"(^|[-_])NULL([-_]|$)")),
    ("anonymous", "no authentication", re.compile(r"^(ADH|AECDH)-|_anon_", re.IGNORECASE)),
    ("export", "export-grade keys", re.compile(r"^EXP|_EXPORT", re.IGNORECASE)),
    ("rc4", "RC4", re.compile(r"RC4")),
    ("des", "single DES", re.compile(r"(^|[-_])DES[-_](CBC[-_]|CBC$|40)|DES40")),
)
_TRIPLE_DES = re.compile(r"3DES|DES-CBC3")
_FORWARD_SECRET = re.compile(r"^(TLS_)?(ECDHE|DHE|EDH)[-_]|^(ADH|AECDH)-|_anon_")
_TLS13 = re.compile(r"^TLS_(AES|CHACHA20|SM4)_")
_AEAD = re.compile(r"GCM|CCM|POLY1305")
_STREAM_OR_NULL = re.compile(r"RC4|NULL")

_GOOD_DH_BITS = 2048
_BROKEN_DH_BITS = 1024


def check_broken_ciphers(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Refuse NULL, anonymous, export, RC4 and DES suites (RFC 7465; RFC 9325, section 4.1)."""
    del now
    for scan in facts.cipher_scans:
        problems = list(_broken(scan))
        yield from problems
        if not problems:
            yield _clean(scan, "no broken suite is accepted")


def _broken(scan: CipherScanFact) -> Iterator[Verdict]:
    for kind, words, pattern in _BROKEN_KINDS:
        names = _names(cipher for cipher in scan.accepted if pattern.search(cipher.name))
        if names:
            yield failed(
                scan,
                Severity.HIGH,
                f"cipher/{kind}",
                f"The server accepts suites with {words}.",
                observed=names,
            )


def check_weak_ciphers(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Judge 3DES, forward secrecy, CBC and the size of DH groups (RFC 9325, section 4).

    No forward secrecy at all is medium; a few suites without it beside better ones are low, since
    current clients do not choose them.
    """
    del now
    for scan in facts.cipher_scans:
        problems = [
            *_triple_des(scan),
            *_no_forward_secrecy(scan),
            *_only_cbc(scan),
            *_small_groups(scan),
        ]
        yield from problems
        if not problems:
            yield _clean(scan, "no weak suite is accepted")


def _triple_des(scan: CipherScanFact) -> Iterator[Verdict]:
    names = _names(cipher for cipher in scan.accepted if _TRIPLE_DES.search(cipher.name))
    if names:
        yield failed(
            scan,
            Severity.MEDIUM,
            "cipher/3des",
            "The server accepts 3DES, whose 64-bit blocks repeat in long connections (Sweet32).",
            observed=names,
            cve=("CVE-2016-2183",),
        )


def _no_forward_secrecy(scan: CipherScanFact) -> Iterator[Verdict]:
    static = [cipher for cipher in scan.accepted if not _is_forward_secret(cipher)]
    if not static:
        return
    every = len(static) == len(scan.accepted)
    yield failed(
        scan,
        Severity.MEDIUM if every else Severity.LOW,
        "cipher/no-forward-secrecy" if every else "cipher/static-key-exchange",
        "No accepted suite has forward secrecy: whoever gets the server's key can read all "
        "recorded traffic."
        if every
        else "Some accepted suites have no forward secrecy.",
        observed=_names(static),
    )


def _only_cbc(scan: CipherScanFact) -> Iterator[Verdict]:
    blocks = [c for c in scan.accepted if c.version == "TLSv1.2"]
    if blocks and not any(_AEAD.search(c.name) or _STREAM_OR_NULL.search(c.name) for c in blocks):
        yield failed(
            scan,
            Severity.LOW,
            "cipher/cbc-only",
            "Every suite accepted for TLS 1.2 uses CBC mode; no authenticated encryption is there.",
            observed=_names(blocks),
        )


def _small_groups(scan: CipherScanFact) -> Iterator[Verdict]:
    groups = [c for c in scan.accepted if c.dh_bits is not None and c.dh_bits < _GOOD_DH_BITS]
    if groups:
        smallest = min(cipher.dh_bits or 0 for cipher in groups)
        broken = smallest < _BROKEN_DH_BITS
        yield failed(
            scan,
            Severity.HIGH if broken else Severity.MEDIUM,
            "cipher/dh-group",
            f"Diffie-Hellman runs in a group of {smallest} bits; 2048 is the least (Logjam).",
            observed=", ".join(f"{c.name} ({c.dh_bits} bits)" for c in groups),
            cve=("CVE-2015-4000",) if broken else (),
        )


def _is_forward_secret(cipher: AcceptedCipher) -> bool:
    return bool(
        cipher.version == "TLSv1.3"
        or _TLS13.match(cipher.name)
        or _FORWARD_SECRET.search(cipher.name)
    )


def _clean(scan: CipherScanFact, detail: str) -> Verdict:
    if not scan.tried:
        return untested(scan, "the server answered none of the handshakes")
    return passed(scan, f"{detail} ({len(scan.tried)} tried, {len(scan.accepted)} accepted)")


def _names(ciphers: Iterator[AcceptedCipher] | list[AcceptedCipher]) -> str:
    return ", ".join(dict.fromkeys(cipher.name for cipher in ciphers))


CIPHER_BROKEN = Rule(
    id="tls.cipher.broken",
    title="Broken cipher suites are accepted",
    probe_class=ProbeClass.CONSENT,
    check=check_broken_ciphers,
    needs=_NEEDS,
    impact="Traffic can be read or changed by whoever sits on the path.",
    remediation="Accept ECDHE suites with AES-GCM or ChaCha20-Poly1305 only.",
    config=_CONFIG,
    reproduce=openssl_ciphers,
    references=(
        "https://www.rfc-editor.org/rfc/rfc7465",
        "https://www.rfc-editor.org/rfc/rfc9325#section-4.1",
    ),
    cwe=327,
)

CIPHER_WEAK = Rule(
    id="tls.cipher.weak",
    title="Weak cipher suites are accepted",
    probe_class=ProbeClass.CONSENT,
    check=check_weak_ciphers,
    needs=_NEEDS,
    impact="A patient attacker can recover parts of the traffic, or decrypt recordings later.",
    remediation="Accept ECDHE suites with AES-GCM or ChaCha20-Poly1305 only.",
    config=_CONFIG,
    reproduce=openssl_ciphers,
    references=("https://www.rfc-editor.org/rfc/rfc9325#section-4",),
    cwe=326,
    would_change="Known old clients would be a reason to keep a suite for a while.",
)
