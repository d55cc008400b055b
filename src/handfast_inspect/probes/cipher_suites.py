"""Cipher suites by their code points, in the groups in which they are offered (IANA registry)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_BROKEN: Final = {
    "RSA_WITH": (
        (0x0001, "NULL_MD5"),
        (0x0002, "NULL_SHA"),
        (0x003B, "NULL_SHA256"),
        (0x0004, "RC4_128_MD5"),
        (0x0005, "RC4_128_SHA"),
        (0x0009, "DES_CBC_SHA"),
    ),
    "RSA_EXPORT_WITH": (
        (0x0003, "RC4_40_MD5"),
        (0x0006, "RC2_CBC_40_MD5"),
        (0x0008, "DES40_CBC_SHA"),
    ),
    "DHE_RSA_WITH": ((0x0015, "DES_CBC_SHA"),),
    "DHE_RSA_EXPORT_WITH": ((0x0014, "DES40_CBC_SHA"),),
    "DHE_DSS_WITH": ((0x0012, "DES_CBC_SHA"),),
    "DHE_DSS_EXPORT_WITH": ((0x0011, "DES40_CBC_SHA"),),
    "DH_anon_EXPORT_WITH": ((0x0017, "RC4_40_MD5"), (0x0019, "DES40_CBC_SHA")),
    "DH_anon_WITH": (
        (0x0018, "RC4_128_MD5"),
        (0x001A, "DES_CBC_SHA"),
        (0x001B, "3DES_EDE_CBC_SHA"),
        (0x0034, "AES_128_CBC_SHA"),
        (0x003A, "AES_256_CBC_SHA"),
        (0x006C, "AES_128_CBC_SHA256"),
        (0x006D, "AES_256_CBC_SHA256"),
        (0x00A6, "AES_128_GCM_SHA256"),
        (0x00A7, "AES_256_GCM_SHA384"),
    ),
    "ECDH_anon_WITH": (
        (0xC015, "NULL_SHA"),
        (0xC016, "RC4_128_SHA"),
        (0xC017, "3DES_EDE_CBC_SHA"),
        (0xC018, "AES_128_CBC_SHA"),
        (0xC019, "AES_256_CBC_SHA"),
    ),
    "ECDHE_ECDSA_WITH": ((0xC006, "NULL_SHA"), (0xC007, "RC4_128_SHA")),
    "ECDHE_RSA_WITH": ((0xC010, "NULL_SHA"), (0xC011, "RC4_128_SHA")),
}

_WEAK: Final = {
    "RSA_WITH": (
        (0x000A, "3DES_EDE_CBC_SHA"),
        (0x0007, "IDEA_CBC_SHA"),
        (0x0096, "SEED_CBC_SHA"),
        (0x002F, "AES_128_CBC_SHA"),
        (0x0035, "AES_256_CBC_SHA"),
        (0x003C, "AES_128_CBC_SHA256"),
        (0x003D, "AES_256_CBC_SHA256"),
        (0x0041, "CAMELLIA_128_CBC_SHA"),
        (0x0084, "CAMELLIA_256_CBC_SHA"),
        (0x009C, "AES_128_GCM_SHA256"),
        (0x009D, "AES_256_GCM_SHA384"),
        (0xC09C, "AES_128_CCM"),
        (0xC09D, "AES_256_CCM"),
    ),
    "DHE_RSA_WITH": (
        (0x0016, "3DES_EDE_CBC_SHA"),
        (0x0033, "AES_128_CBC_SHA"),
        (0x0039, "AES_256_CBC_SHA"),
        (0x0067, "AES_128_CBC_SHA256"),
        (0x006B, "AES_256_CBC_SHA256"),
        (0x0045, "CAMELLIA_128_CBC_SHA"),
        (0x0088, "CAMELLIA_256_CBC_SHA"),
        (0x009A, "SEED_CBC_SHA"),
    ),
    "DHE_DSS_WITH": (
        (0x0013, "3DES_EDE_CBC_SHA"),
        (0x0032, "AES_128_CBC_SHA"),
        (0x0038, "AES_256_CBC_SHA"),
    ),
    "ECDHE_ECDSA_WITH": (
        (0xC008, "3DES_EDE_CBC_SHA"),
        (0xC009, "AES_128_CBC_SHA"),
        (0xC00A, "AES_256_CBC_SHA"),
        (0xC023, "AES_128_CBC_SHA256"),
        (0xC024, "AES_256_CBC_SHA384"),
    ),
    "ECDHE_RSA_WITH": (
        (0xC012, "3DES_EDE_CBC_SHA"),
        (0xC013, "AES_128_CBC_SHA"),
        (0xC014, "AES_256_CBC_SHA"),
        (0xC027, "AES_128_CBC_SHA256"),
        (0xC028, "AES_256_CBC_SHA384"),
    ),
}

_STRONG: Final = {
    "DHE_RSA_WITH": (
        (0x009E, "AES_128_GCM_SHA256"),
        (0x009F, "AES_256_GCM_SHA384"),
        (0xC09E, "AES_128_CCM"),
        (0xC09F, "AES_256_CCM"),
        (0xCCAA, "CHACHA20_POLY1305_SHA256"),
    ),
    "ECDHE_ECDSA_WITH": (
        (0xC02B, "AES_128_GCM_SHA256"),
        (0xC02C, "AES_256_GCM_SHA384"),
        (0xC0AC, "AES_128_CCM"),
        (0xC0AD, "AES_256_CCM"),
        (0xCCA9, "CHACHA20_POLY1305_SHA256"),
    ),
    "ECDHE_RSA_WITH": (
        (0xC02F, "AES_128_GCM_SHA256"),
        (0xC030, "AES_256_GCM_SHA384"),
        (0xCCA8, "CHACHA20_POLY1305_SHA256"),
    ),
}

_Table = Mapping[str, tuple[tuple[int, str], ...]]


def _names(table: _Table) -> Mapping[int, str]:
    return {
        code: f"TLS_{exchange}_{cipher}"
        for exchange, ciphers in table.items()
        for code, cipher in ciphers
    }


BROKEN: Final = _names(_BROKEN)
"""No encryption, no authentication, export keys, RC4, single DES."""

WEAK: Final = _names(_WEAK)
"""3DES, no forward secrecy, CBC."""

STRONG: Final = _names(_STRONG)
"""Forward secrecy and authenticated encryption, for TLS 1.2."""

TLS13: Final[Mapping[int, str]] = {
    0x1301: "TLS_AES_128_GCM_SHA256",
    0x1302: "TLS_AES_256_GCM_SHA384",
    0x1303: "TLS_CHACHA20_POLY1305_SHA256",
    0x1304: "TLS_AES_128_CCM_SHA256",
    0x1305: "TLS_AES_128_CCM_8_SHA256",
}
"""The suites of TLS 1.3 (RFC 8446, appendix B.4)."""

GROUPS: Final = (BROKEN, WEAK, STRONG)
"""The suites up to TLS 1.2 in the order in which they are tried: the worst first."""

UP_TO_TLS12: Final = tuple(code for group in reversed(GROUPS) for code in group)
"""Every suite up to TLS 1.2, the best first."""

SSL2_KINDS: Final = (0x010080, 0x020080, 0x030080, 0x040080, 0x050080, 0x060040, 0x0700C0)
"""The cipher kinds of SSL 2 (RFC 6176 forbids them all)."""
