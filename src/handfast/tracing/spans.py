"""`Span`: one thing that took time, inside a trace."""

from __future__ import annotations

import abc
from collections.abc import Mapping
from contextvars import ContextVar
from types import TracebackType
from typing import Final, Generic, Protocol, Self, TypedDict

from typing_extensions import TypeVar

from handfast.tracing.clock import time_iso
from handfast.tracing.mark import Mark
from handfast.tracing.span_data import AgentSpanData, SpanData

TSpanData_co = TypeVar("TSpanData_co", bound=SpanData, default=SpanData, covariant=True)

NO_OP: Final = "no-op"
"""The id of spans and traces that record nothing."""


class SpanError(TypedDict):
    """What went wrong in a span."""

    message: str
    data: Mapping[str, object] | None


class Span(abc.ABC, Generic[TSpanData_co]):
    """One thing that took time. Use it in a `with` block, or `start` and `finish` it."""

    @property
    @abc.abstractmethod
    def trace_id(self) -> str:
        """The trace that it belongs to."""

    @property
    @abc.abstractmethod
    def span_id(self) -> str:
        """Its own id, unique within the trace."""

    @property
    @abc.abstractmethod
    def span_data(self) -> TSpanData_co:
        """What it is about; fields may be set until it ends."""

    @property
    @abc.abstractmethod
    def parent_id(self) -> str | None:
        """The span around it; None directly below the trace."""

    @abc.abstractmethod
    def start(self, mark_as_current: bool = False) -> None:  # noqa: FBT001, FBT002 - the SDK's name
        """Begin.

        Args:
            mark_as_current: Make it the parent of spans that begin from here on.
        """

    @abc.abstractmethod
    def finish(self, reset_current: bool = False) -> None:  # noqa: FBT001, FBT002 - the SDK's name
        """End.

        Args:
            reset_current: Make current again what was current before it began.
        """

    @abc.abstractmethod
    def set_error(self, error: SpanError) -> None:
        """Say what went wrong."""

    @property
    @abc.abstractmethod
    def error(self) -> SpanError | None:
        """What went wrong, None for nothing."""

    @property
    @abc.abstractmethod
    def started_at(self) -> str | None:
        """When it began, ISO 8601 in UTC."""

    @property
    @abc.abstractmethod
    def ended_at(self) -> str | None:
        """When it ended, ISO 8601 in UTC."""

    @property
    @abc.abstractmethod
    def tracing_api_key(self) -> str | None:
        """The key that exporters should use for this span, where the run named one."""

    @property
    def trace_metadata(self) -> Mapping[str, object] | None:
        """The metadata of its trace."""
        return None

    @abc.abstractmethod
    def export(self) -> dict[str, object] | None:
        """The span as plain data; None where nothing was recorded."""

    def __enter__(self) -> Self:
        self.start(mark_as_current=True)
        return self

    @abc.abstractmethod
    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End; the error itself is the caller's to report."""


CURRENT_SPAN: Final[ContextVar[Span[SpanData] | None]] = ContextVar("handfast_span", default=None)


class SpanSink(Protocol):
    """Is told of spans: the part of a `TracingProcessor` that a span needs."""

    def on_span_start(self, span: Span[SpanData]) -> None:
        """A span begins."""
        ...

    def on_span_end(self, span: Span[SpanData]) -> None:
        """A span has ended."""
        ...


class NoOpSpan(Span[TSpanData_co]):
    """A span that nobody records; its data can be set like any other's.

    Args:
        span_data: What it would be about.
    """

    def __init__(self, span_data: TSpanData_co) -> None:
        self._span_data = span_data
        self._mark: Mark[Span[SpanData]] = Mark(CURRENT_SPAN)

    @property
    def trace_id(self) -> str:
        """`no-op`."""
        return NO_OP

    @property
    def span_id(self) -> str:
        """`no-op`."""
        return NO_OP

    @property
    def span_data(self) -> TSpanData_co:
        """What it would be about."""
        return self._span_data

    @property
    def parent_id(self) -> str | None:
        """None."""
        return None

    def start(self, mark_as_current: bool = False) -> None:  # noqa: FBT001, FBT002 - the SDK's name
        """Begin; spans inside record nothing either."""
        if mark_as_current:
            self._mark.set(self)

    def finish(self, reset_current: bool = False) -> None:  # noqa: FBT001, FBT002 - the SDK's name
        """End."""
        if reset_current:
            self._mark.reset()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End."""
        self._mark.reset(tolerant=kind is GeneratorExit)

    def set_error(self, error: SpanError) -> None:
        """Nothing is kept."""

    @property
    def error(self) -> SpanError | None:
        """None."""
        return None

    @property
    def started_at(self) -> str | None:
        """None."""
        return None

    @property
    def ended_at(self) -> str | None:
        """None."""
        return None

    @property
    def tracing_api_key(self) -> str | None:
        """None."""
        return None

    def export(self) -> dict[str, object] | None:
        """None."""
        return None


class RecordedSpan(Span[TSpanData_co]):
    """A span that processors are told of.

    Args:
        trace_id: Its trace.
        span_id: Its own id.
        parent_id: The span around it.
        processor: Is told of its beginning and its end.
        span_data: What it is about.
        tracing_api_key: For exporters.
        trace_metadata: The metadata of its trace.
    """

    def __init__(
        self,
        *,
        trace_id: str,
        span_id: str,
        parent_id: str | None,
        processor: SpanSink,
        span_data: TSpanData_co,
        tracing_api_key: str | None = None,
        trace_metadata: Mapping[str, object] | None = None,
    ) -> None:
        self._trace_id = trace_id
        self._span_id = span_id
        self._parent_id = parent_id
        self._processor = processor
        self._span_data = span_data
        self._tracing_api_key = tracing_api_key
        self._trace_metadata = trace_metadata
        self._started_at: str | None = None
        self._ended_at: str | None = None
        self._error: SpanError | None = None
        self._mark: Mark[Span[SpanData]] = Mark(CURRENT_SPAN)

    @property
    def trace_id(self) -> str:
        """The trace that it belongs to."""
        return self._trace_id

    @property
    def span_id(self) -> str:
        """Its own id."""
        return self._span_id

    @property
    def span_data(self) -> TSpanData_co:
        """What it is about."""
        return self._span_data

    @property
    def parent_id(self) -> str | None:
        """The span around it."""
        return self._parent_id

    def start(self, mark_as_current: bool = False) -> None:  # noqa: FBT001, FBT002 - the SDK's name
        """Begin; a second time does nothing."""
        if self._started_at is not None:
            return
        self._started_at = time_iso()
        self._processor.on_span_start(self)
        if mark_as_current:
            self._mark.set(self)

    def finish(self, reset_current: bool = False) -> None:  # noqa: FBT001, FBT002 - the SDK's name
        """End; a second time does nothing."""
        self._finish()
        if reset_current:
            self._mark.reset()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End, whatever happened inside."""
        try:
            self._finish()
        finally:
            self._mark.reset(tolerant=kind is GeneratorExit)

    def _finish(self) -> None:
        if self._ended_at is not None or self._started_at is None:
            return
        self._ended_at = time_iso()
        self._processor.on_span_end(self)

    def set_error(self, error: SpanError) -> None:
        """Say what went wrong; the last word counts."""
        self._error = error

    @property
    def error(self) -> SpanError | None:
        """What went wrong."""
        return self._error

    @property
    def started_at(self) -> str | None:
        """When it began."""
        return self._started_at

    @property
    def ended_at(self) -> str | None:
        """When it ended."""
        return self._ended_at

    @property
    def tracing_api_key(self) -> str | None:
        """For exporters."""
        return self._tracing_api_key

    @property
    def trace_metadata(self) -> Mapping[str, object] | None:
        """The metadata of its trace."""
        return self._trace_metadata

    def export(self) -> dict[str, object]:
        """The span as plain data."""
        exported: dict[str, object] = {
            "object": "trace.span",
            "id": self._span_id,
            "trace_id": self._trace_id,
            "parent_id": self._parent_id,
            "started_at": self._started_at,
            "ended_at": self._ended_at,
            "span_data": self._span_data.export(),
            "error": self._error,
        }
        if isinstance(self._span_data, AgentSpanData) and self._span_data.metadata:
            exported["metadata"] = self._span_data.metadata
        return exported
