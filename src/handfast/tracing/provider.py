"""`TraceProvider`: makes traces and spans, and tells the processors of them."""

from __future__ import annotations

import abc
import logging
import threading
from collections.abc import Callable, Mapping, Sequence

from typing_extensions import TypeVar

from handfast.tracing import clock
from handfast.tracing.processor_interface import TracingProcessor
from handfast.tracing.scope import Scope
from handfast.tracing.span_data import SpanData
from handfast.tracing.spans import NO_OP, NoOpSpan, RecordedSpan, Span
from handfast.tracing.traces import (
    NoOpTrace,
    RecordedTrace,
    Trace,
    TracingConfig,
)

logger = logging.getLogger("handfast")

TSpanData = TypeVar("TSpanData", bound=SpanData)


class TraceProvider(abc.ABC):
    """Makes traces and spans. Set your own with `set_trace_provider`."""

    @property
    def is_recording(self) -> bool:
        """False when nobody would be told of anything: runs then make no spans at all."""
        return True

    @abc.abstractmethod
    def register_processor(self, processor: TracingProcessor) -> None:
        """Tell one more processor."""

    @abc.abstractmethod
    def set_processors(self, processors: Sequence[TracingProcessor]) -> None:
        """Tell these processors, and no others."""

    @abc.abstractmethod
    def get_current_trace(self) -> Trace | None:
        """The trace that the code runs in."""

    @abc.abstractmethod
    def get_current_span(self) -> Span | None:
        """The span that the code runs in."""

    @abc.abstractmethod
    def set_disabled(self, disabled: bool) -> None:  # noqa: FBT001 - the SDK's signature
        """Record nothing, or record again."""

    def time_iso(self) -> str:
        """The time now, ISO 8601 in UTC."""
        return clock.time_iso()

    def gen_trace_id(self) -> str:
        """A new id for a trace."""
        return clock.gen_trace_id()

    def gen_span_id(self) -> str:
        """A new id for a span."""
        return clock.gen_span_id()

    def gen_group_id(self) -> str:
        """A new id for traces that belong together."""
        return clock.gen_group_id()

    @abc.abstractmethod
    def create_trace(  # noqa: PLR0917 - the SDK's signature
        self,
        name: str,
        trace_id: str | None = None,
        group_id: str | None = None,
        metadata: Mapping[str, object] | None = None,
        disabled: bool = False,  # noqa: FBT001, FBT002 - the SDK's signature
        tracing: TracingConfig | None = None,
    ) -> Trace:
        """A new trace, not begun."""

    @abc.abstractmethod
    def create_span(
        self,
        span_data: TSpanData,
        span_id: str | None = None,
        parent: Trace | Span | None = None,
        disabled: bool = False,  # noqa: FBT001, FBT002 - the SDK's signature
    ) -> Span[TSpanData]:
        """A new span, not begun."""

    def force_flush(self) -> None:
        """Have every processor write what is left, now."""
        return

    def shutdown(self) -> None:
        """The program ends."""
        return


class FanOut(TracingProcessor):
    """Tells several processors; what one of them raises is logged and reaches nobody else."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.processors: tuple[TracingProcessor, ...] = ()
        """Who is told."""

    def add(self, processor: TracingProcessor) -> None:
        """Tell one more."""
        with self._lock:
            self.processors = (*self.processors, processor)

    def replace(self, processors: Sequence[TracingProcessor]) -> None:
        """Tell these and no others."""
        with self._lock:
            self.processors = tuple(processors)

    def on_trace_start(self, trace: Trace) -> None:
        """A trace begins."""
        for each in self.processors:
            _safely(each.on_trace_start, trace)

    def on_trace_end(self, trace: Trace) -> None:
        """A trace has ended."""
        for each in self.processors:
            _safely(each.on_trace_end, trace)

    def on_span_start(self, span: Span) -> None:
        """A span begins."""
        for each in self.processors:
            _safely(each.on_span_start, span)

    def on_span_end(self, span: Span) -> None:
        """A span has ended."""
        for each in self.processors:
            _safely(each.on_span_end, span)

    def shutdown(self) -> None:
        """The program ends."""
        for each in self.processors:
            _safely(each.shutdown)

    def force_flush(self) -> None:
        """Write what is left."""
        for each in self.processors:
            _safely(each.force_flush)


def _safely(tell: Callable[..., object], *told: object) -> None:
    try:
        tell(*told)
    except Exception:
        logger.exception("A tracing processor failed; the run goes on.")


class DefaultTraceProvider(TraceProvider):
    """Tells the processors that the program registers. It begins with none: nothing leaves."""

    def __init__(self) -> None:
        self._processors = FanOut()
        self._disabled = False

    @property
    def is_recording(self) -> bool:
        """True when there is a processor and recording is not switched off."""
        return bool(self._processors.processors) and not self._disabled

    def register_processor(self, processor: TracingProcessor) -> None:
        """Tell one more processor."""
        self._processors.add(processor)

    def set_processors(self, processors: Sequence[TracingProcessor]) -> None:
        """Tell these processors, and no others."""
        self._processors.replace(processors)

    def get_current_trace(self) -> Trace | None:
        """The trace that the code runs in."""
        return Scope.get_current_trace()

    def get_current_span(self) -> Span | None:
        """The span that the code runs in."""
        return Scope.get_current_span()

    def set_disabled(self, disabled: bool) -> None:  # noqa: FBT001 - the SDK's signature
        """Record nothing, or record again."""
        self._disabled = disabled

    def create_trace(  # noqa: PLR0917 - the SDK's signature
        self,
        name: str,
        trace_id: str | None = None,
        group_id: str | None = None,
        metadata: Mapping[str, object] | None = None,
        disabled: bool = False,  # noqa: FBT001, FBT002 - the SDK's signature
        tracing: TracingConfig | None = None,
    ) -> Trace:
        """A new trace; one that records nothing where recording is switched off."""
        if self._disabled or disabled:
            return NoOpTrace()
        return RecordedTrace(
            name=name,
            trace_id=trace_id or self.gen_trace_id(),
            group_id=group_id,
            metadata=metadata,
            processor=self._processors,
            tracing_api_key=None if tracing is None else tracing.get("api_key"),
        )

    def create_span(
        self,
        span_data: TSpanData,
        span_id: str | None = None,
        parent: Trace | Span | None = None,
        disabled: bool = False,  # noqa: FBT001, FBT002 - the SDK's signature
    ) -> Span[TSpanData]:
        """A new span; one that records nothing where nobody listens or there is no trace."""
        if disabled or not self.is_recording:
            return NoOpSpan(span_data)
        if parent is None:
            parent = self._parent()
        if parent is None or NO_OP in {span_id, parent.trace_id}:
            return NoOpSpan(span_data)
        if isinstance(parent, Trace):
            parent_id, metadata = None, parent.metadata
        elif parent.span_id == NO_OP:
            return NoOpSpan(span_data)
        else:
            parent_id, metadata = parent.span_id, parent.trace_metadata
        return RecordedSpan(
            trace_id=parent.trace_id,
            span_id=span_id or self.gen_span_id(),
            parent_id=parent_id,
            processor=self._processors,
            span_data=span_data,
            tracing_api_key=parent.tracing_api_key,
            trace_metadata=metadata,
        )

    def force_flush(self) -> None:
        """Have every processor write what is left, also while recording is switched off."""
        self._processors.force_flush()

    def shutdown(self) -> None:
        """Have every processor write what is left and stop."""
        self._processors.shutdown()

    def _parent(self) -> Trace | Span | None:
        trace, span = self.get_current_trace(), self.get_current_span()
        if trace is None:
            logger.debug("No active trace: begin one with trace(). The span is not recorded.")
            return None
        if isinstance(trace, NoOpTrace):
            return trace
        return trace if span is None else span
