from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast_inspect.probes.hostile_json import read_json


def test_a_document_is_read() -> None:
    assert read_json(b'{"a":[1,null]}') == {"a": [1, None]}


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[" * 100_000, b"9" * 10_000, b"\xff\xfe\x00", b'{"a":1}x', b"<html>"]
)
def test_what_is_none_is_none(body: bytes) -> None:
    assert read_json(body) is None


@given(st.binary(max_size=100))
def test_any_bytes_are_read(body: bytes) -> None:
    read_json(body)
