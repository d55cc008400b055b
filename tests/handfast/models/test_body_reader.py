"""Bodies that are streams of events, or whole, whatever was asked for."""

from __future__ import annotations

import pytest

from handfast.errors import ProviderProtocolError
from handfast.models.body_reader import BodyReader
from handfast.models.sse import ServerSentEvent


def read(
    body: bytes,
    *,
    event_stream: bool = False,
    step: int = 1,
) -> tuple[list[str], bytes | None, bool]:
    seen: list[str] = []

    def on_event(event: ServerSentEvent) -> bool:
        seen.append(event.data)
        return event.data == "end"

    reader = BodyReader(on_event, event_stream=event_stream)
    for at in range(0, len(body), step):
        if reader.feed(body[at : at + step]):
            break
    return seen, reader.finish(), reader.done


@pytest.mark.parametrize("step", [1, 3, 1000])
@pytest.mark.parametrize(
    "body",
    [b"data: 1\n\n", b"\n\n: hi\n\ndata: 1\n\n", b"event: x\ndata: 1\n\n", b"  data: 1\n\n"],
)
def test_events_are_recognised_without_a_content_type(body: bytes, step: int) -> None:
    assert read(body, step=step) == (["1"], None, False)


@pytest.mark.parametrize("step", [1, 1000])
@pytest.mark.parametrize("body", [b'{"a": 1}', b"<html>no</html>", b" \n {}"])
@pytest.mark.parametrize("event_stream", [True, False])
def test_a_whole_body_is_kept_whatever_the_content_type(
    body: bytes,
    step: int,
    event_stream: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    assert read(body, event_stream=event_stream, step=step) == ([], body, False)


def test_plain_words_are_a_whole_body() -> None:
    assert read(b"Bad gateway") == ([], b"Bad gateway", False)


def test_an_empty_body_is_empty() -> None:
    assert read(b"") == ([], b"", False)


def test_an_unusual_stream_goes_by_its_content_type() -> None:
    assert read(b"unknown: x\n\ndata: 1\n\n", event_stream=True) == (["1"], None, False)


def test_nothing_is_read_after_the_last_event() -> None:
    assert read(b"data: end\n\ndata: more\n\n", step=1000) == (["end"], None, True)


def test_the_event_that_no_blank_line_ends_is_told_at_the_end() -> None:
    assert read(b"data: 1\n\ndata: end") == (["1", "end"], None, True)


def test_a_body_without_end_is_refused() -> None:
    reader = BodyReader(lambda _: False, event_stream=False, max_bytes=10)
    reader.feed(b"{" + b" " * 9)
    with pytest.raises(ProviderProtocolError, match="more than 10 bytes"):
        reader.feed(b" ")
