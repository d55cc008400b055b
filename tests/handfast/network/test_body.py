from __future__ import annotations

import gzip
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast.network.body import BodyReader


def feed(reader: BodyReader, data: bytes, size: int = 1000) -> None:
    for start in range(0, len(data), size):
        if not reader.take(data[start : start + size]):
            return


@given(st.binary(max_size=5000), st.integers(0, 6000), st.sampled_from(["", "gzip", "deflate"]))
def test_the_first_decoded_bytes_are_kept(data: bytes, cap: int, encoding: str) -> None:
    encoded = {"": data, "gzip": gzip.compress(data), "deflate": zlib.compress(data)}[encoding]
    reader = BodyReader(encoding, cap)
    feed(reader, encoded)
    assert reader.body == data[:cap]
    assert reader.cut is (len(data) > cap)
    assert reader.note == ""


@given(st.binary(max_size=5000), st.integers(1, 6000))
def test_deflate_without_its_zlib_wrapper_is_read_too(data: bytes, size: int) -> None:
    squeezer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    reader = BodyReader("deflate", 10_000)
    feed(reader, squeezer.compress(data) + squeezer.flush(), size)
    assert reader.body == data or "cannot be decoded" in reader.note


def test_a_bomb_gives_no_more_than_the_cap() -> None:
    bomb = gzip.compress(bytes(50_000_000), 9)
    reader = BodyReader("GZIP ", 4096)
    assert not reader.take(bomb)
    assert len(reader.body) == 4096
    assert reader.cut


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip, gzip", "x" * 100])
def test_an_unknown_encoding_is_left_as_it_is(encoding: str) -> None:
    reader = BodyReader(encoding, 100)
    assert reader.take(b"raw")
    assert reader.body == b"raw"
    assert "left in its encoding" in reader.note
    assert len(reader.note) < 120


@given(st.binary(min_size=4, max_size=200))
def test_damaged_bytes_end_the_body_with_a_note(data: bytes) -> None:
    reader = BodyReader("gzip", 100)
    if not reader.take(b"\x00" + data):
        assert reader.cut
        assert "cannot be decoded" in reader.note
