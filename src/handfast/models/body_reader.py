"""Reading an answer's body, without knowing beforehand whether it is a stream of events.

Servers answer a request for a stream with a whole JSON body, and the reverse, and name the content
type wrongly or not at all. So the first bytes decide.
"""

from __future__ import annotations

from collections.abc import Callable

from handfast.errors import ProviderProtocolError
from handfast.models.sse import ServerSentEvent, SseDecoder

MAX_BODY_BYTES = 64 * 1024 * 1024
"""Bytes of a whole body."""

_FIELDS = (b"data:", b"event:", b":", b"id:", b"retry:", b"error:")
_LONGEST_FIELD = max(map(len, _FIELDS))


class BodyReader:
    """Takes the bytes of one body: hands out events, or keeps a whole body for the end.

    Args:
        on_event: Is told each event; returns True when it was the last that matters.
        event_stream: True when the content type says that it is a stream of events.
        max_bytes: The most bytes that a whole body may have.
    """

    def __init__(
        self,
        on_event: Callable[[ServerSentEvent], bool],
        *,
        event_stream: bool,
        max_bytes: int = MAX_BODY_BYTES,
    ) -> None:
        self._on_event = on_event
        self._event_stream = event_stream
        self._decoder: SseDecoder | None = None
        self._max = max_bytes
        self._kept: list[bytes] = []
        self._size = 0
        self._is_whole = False
        self.done = False

    def feed(self, chunk: bytes) -> bool:
        """Take bytes; True when nothing that follows matters."""
        if self._decoder is not None:
            return self._tell(self._decoder.feed(chunk))
        self._kept.append(chunk)
        self._size += len(chunk)
        if self._size > self._max:
            raise ProviderProtocolError(
                f"The provider sent a body of more than {self._max:,} bytes.",
            )
        return not self._is_whole and self._decide(final=False)

    def finish(self) -> bytes | None:
        """End of the body: the whole of it, or None when it was a stream of events."""
        if self._decoder is None and not self._is_whole:
            self._decide(final=True)
        if self._decoder is None:
            return b"".join(self._kept)
        if not self.done:
            self._tell(self._decoder.finish())
        return None

    def _decide(self, *, final: bool) -> bool:
        head = b"".join(self._kept).removeprefix(b"\xef\xbb\xbf").lstrip()
        if len(head) < _LONGEST_FIELD and not final:
            return False
        if head.startswith(_FIELDS) or (self._event_stream and not head.startswith((b"{", b"<"))):
            self._decoder = SseDecoder()
            kept, self._kept = b"".join(self._kept), []
            return self._tell(self._decoder.feed(kept))
        self._is_whole = True
        return False

    def _tell(self, events: list[ServerSentEvent]) -> bool:
        for event in events:
            if self._on_event(event):
                self.done = True
                break
        return self.done
