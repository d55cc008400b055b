from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from handfast_inspect.facts.asset import Asset
from handfast_inspect.facts.evidence import MAX_EXCERPT, Evidence, take_evidence

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
ASSET = Asset("site.test")


def take(content: bytes, shown: bytes | None = None) -> Evidence:
    return take_evidence("http.home", ASSET, "GET / answered 200", content, NOON, shown=shown)


@given(st.binary(max_size=2 * MAX_EXCERPT))
def test_the_hash_covers_every_byte_and_the_excerpt_is_exact(content: bytes) -> None:
    evidence = take(content)
    assert evidence.excerpt == content[:MAX_EXCERPT]
    assert evidence.sha256 == hashlib.sha256(content).hexdigest()
    assert evidence.length == len(content)
    assert evidence.text.replace("\n", "").isprintable()


def test_the_same_bytes_about_the_same_thing_have_the_same_id_at_any_time() -> None:
    first = take(b"hello")
    later = take_evidence("http.home", ASSET, "GET / answered 200", b"hello", NOON.replace(hour=13))
    assert first.id == later.id
    assert replace(later, taken_at=NOON) == first
    assert take(b"other").id != first.id


def test_secrets_are_hashed_but_not_kept() -> None:
    evidence = take(b"KEY=secret", shown=b"KEY=[6 bytes]")
    assert evidence.excerpt == b"KEY=[6 bytes]"
    assert evidence.redacted
    assert evidence.sha256 == hashlib.sha256(b"KEY=secret").hexdigest()


def test_hostile_characters_are_made_visible() -> None:
    text = take(b"\x1b[31mred\xff\xe2\x80\xae\r\n").text
    assert text == "\\x1b[31mred\\xff\\u202e\\r\n"
