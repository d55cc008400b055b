"""Server-sent events, without any input or output: bytes in, events out.

The grammar is that of the WHATWG HTML standard, section 9.2, with three kindnesses that recorded
servers need: spaces before a field name, an `error:` field with which a server gives up, and a last
event that no blank line ends.
"""

from __future__ import annotations

from dataclasses import dataclass

from handfast.errors import ProviderProtocolError

MAX_EVENT_BYTES = 32 * 1024 * 1024
"""Bytes of one event; a whole answer with encrypted reasoning can come as one."""

GAVE_UP = "gave up"
"""The name of the event made of an `error:` field; no server can send it, names have no spaces."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class ServerSentEvent:
    """One event of a stream."""

    data: str
    """Its data lines, joined by newlines."""
    event: str = ""
    """The name in its `event:` field; empty where it has none."""


class SseDecoder:
    """Splits a stream of bytes, cut anywhere, into events.

    Args:
        max_event_bytes: The most bytes that one event may have.
    """

    def __init__(self, max_event_bytes: int = MAX_EVENT_BYTES) -> None:
        self._max = max_event_bytes
        self._started = False
        self._after_cr = False
        self._tail: list[bytes] = []
        self._size = 0
        self._data: list[str] = []
        self._event = ""

    def feed(self, chunk: bytes) -> list[ServerSentEvent]:
        """The events that these bytes complete, in order.

        Raises:
            ProviderProtocolError: An event is longer than the cap.
        """
        if self._after_cr and chunk:
            self._after_cr = False
            chunk = chunk.removeprefix(b"\n")
        end = max(chunk.rfind(b"\n"), chunk.rfind(b"\r")) + 1
        self._grow(len(chunk))
        if end == 0:
            self._tail.append(chunk)
            return []
        lines = b"".join((*self._tail, chunk[:end])).splitlines()
        self._tail = [chunk[end:]]
        self._after_cr = chunk.endswith(b"\r")
        return [event for line in lines if (event := self._read(line)) is not None]

    def finish(self) -> list[ServerSentEvent]:
        """The event that the end of the stream leaves open, if any.

        The standard drops it. Some servers end with it, so it is handed out; whether its data is
        whole is for the reader of the data to see.
        """
        last = b"".join(self._tail)
        self._tail = []
        events = [self._read(last), self._dispatch()]
        return [event for event in events if event is not None]

    def _grow(self, size: int) -> None:
        self._size += size
        if self._size > self._max:
            raise ProviderProtocolError(
                f"The provider sent an event of more than {self._max:,} bytes.",
            )

    def _read(self, line: bytes) -> ServerSentEvent | None:
        if not self._started:
            self._started = True
            line = line.removeprefix(_BYTE_ORDER_MARK)
        if not line:
            return self._dispatch()
        name, _, value = line.lstrip(b" ").partition(b":")
        if name == b"data":
            self._data.append(value.removeprefix(b" ").decode("utf-8", "replace"))
        elif name == b"event":
            self._event = value.removeprefix(b" ").decode("utf-8", "replace")
        elif name == b"error":
            self._data.append(value.removeprefix(b" ").decode("utf-8", "replace"))
            self._event = GAVE_UP
        return None

    def _dispatch(self) -> ServerSentEvent | None:
        data, event = self._data, self._event
        self._event = ""
        self._size = sum(map(len, self._tail))
        if not data:
            return None
        self._data = []
        return ServerSentEvent(data[0] if len(data) == 1 else "\n".join(data), event)
