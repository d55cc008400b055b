from __future__ import annotations

import re

from handfast_inspect.probes.cipher_suites import (
    BROKEN,
    GROUPS,
    SSL2_KINDS,
    STRONG,
    TLS13,
    UP_TO_TLS12,
    WEAK,
)


def test_every_code_stands_once_and_every_name_too() -> None:
    assert len(UP_TO_TLS12) == len(set(UP_TO_TLS12)) == sum(map(len, GROUPS))
    names = [name for group in (*GROUPS, TLS13) for name in group.values()]
    assert len(names) == len(set(names))
    assert all(re.fullmatch(r"TLS_[A-Za-z0-9_]+", name) for name in names)
    assert all(0 < code <= 0xFFFF for code in UP_TO_TLS12)


def test_the_groups_hold_what_they_say() -> None:
    broken = re.compile(r"NULL|anon|EXPORT|RC4|_DES_CBC_")
    strong = re.compile(r"^TLS_(ECDHE|DHE)_\w+_(GCM_SHA\d+|CCM|CHACHA20_POLY1305_SHA256)$")
    assert all(broken.search(name) for name in BROKEN.values())
    assert not any(broken.search(name) for name in WEAK.values())
    assert all(strong.search(name) for name in STRONG.values())
    assert not any(strong.search(name) for name in WEAK.values())


def test_the_codes_are_those_of_the_registry() -> None:
    assert BROKEN[0x0005] == "TLS_RSA_WITH_RC4_128_SHA"
    assert WEAK[0x000A] == "TLS_RSA_WITH_3DES_EDE_CBC_SHA"
    assert WEAK[0xC013] == "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA"
    assert STRONG[0xC02F] == "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"
    assert TLS13[0x1301] == "TLS_AES_128_GCM_SHA256"
    assert all(kind < 1 << 24 for kind in SSL2_KINDS)
