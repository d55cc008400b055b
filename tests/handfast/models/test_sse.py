"""Server-sent events out of bytes that are cut anywhere."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast.errors import ProviderProtocolError
from handfast.models.sse import GAVE_UP, ServerSentEvent, SseDecoder


def decoded(*chunks: bytes) -> list[ServerSentEvent]:
    decoder = SseDecoder()
    events = [event for chunk in chunks for event in decoder.feed(chunk)]
    return [*events, *decoder.finish()]


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"])
def test_every_line_ending_ends_a_line(end: bytes) -> None:
    stream = end.join([b"event: a", b"data: 1", b"", b"data:2", b"data: 3", b"", b""])
    assert decoded(stream) == [ServerSentEvent("1", "a"), ServerSentEvent("2\n3")]


@pytest.mark.parametrize(
    ("stream", "data"),
    [
        (b": comment\n\ndata: x\n\n", ["x"]),
        (b"\xef\xbb\xbfdata: x\n\n", ["x"]),
        (b"   data: x\n\n", ["x"]),
        (b"data:  x\n\n", [" x"]),
        (b"data\n\n", [""]),
        (b"id: 1\nretry: 2\nunknown: 3\n\n", []),
        (b"event: lost\n\ndata: x\n\n", ["x"]),
        (b"data: x", ["x"]),
        ("data: 日本\n\n".encode(), ["日本"]),
        (b"data: \xff\n\n", ["\ufffd"]),
        (b"", []),
    ],
)
def test_the_grammar_is_read_as_the_standard_says(stream: bytes, data: list[str]) -> None:
    events = decoded(stream)
    assert [event.data for event in events] == data
    assert {event.event for event in events} <= {""}


def test_a_server_that_gives_up_is_told_from_an_event() -> None:
    assert decoded(b'error: {"x":1}\n\n') == [ServerSentEvent('{"x":1}', GAVE_UP)]


LINES = st.sampled_from(
    [b"data: {}", b"data: \xe6\x97\xa5", b"data", b": c", b"event: e", b"", b"", b"error: e", b"x"],
)
STREAMS = st.lists(st.tuples(LINES, st.sampled_from([b"\n", b"\r", b"\r\n"])), max_size=12).map(
    lambda lines: b"".join(line + end for line, end in lines),
)


@given(STREAMS, st.lists(st.integers(0, 120), max_size=12))
def test_where_the_bytes_are_cut_makes_no_difference(stream: bytes, cuts: list[int]) -> None:
    places = [0, *sorted(cuts), len(stream)]
    chunks = [stream[a:b] for a, b in itertools.pairwise(places)]
    assert decoded(*chunks) == decoded(stream)


@given(st.binary(max_size=200))
def test_no_bytes_are_too_odd(stream: bytes) -> None:
    assert decoded(*(stream[at : at + 1] for at in range(len(stream)))) == decoded(stream)


def test_an_event_without_end_is_refused() -> None:
    decoder = SseDecoder(max_event_bytes=100)
    for _ in range(8):
        decoder.feed(b"data: 12345\n")
    with pytest.raises(ProviderProtocolError, match="more than 100 bytes"):
        decoder.feed(b"data: 12345\n")


def test_many_small_events_are_not_one_large_one() -> None:
    decoder = SseDecoder(max_event_bytes=100)
    assert sum(len(decoder.feed(b"data: 12345\n\n")) for _ in range(100)) == 100
