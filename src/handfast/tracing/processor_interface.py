"""Who is told of traces and spans: a processor at once, an exporter in batches."""

from __future__ import annotations

import abc
from collections.abc import Sequence

from handfast.tracing.spans import Span
from handfast.tracing.traces import Trace


class TracingProcessor(abc.ABC):
    """Is told of every trace and span as it begins and ends.

    Methods are called in the middle of a run, from any thread: they must return at once. What they
    raise is logged and goes no further.
    """

    @abc.abstractmethod
    def on_trace_start(self, trace: Trace) -> None:
        """A trace begins."""

    @abc.abstractmethod
    def on_trace_end(self, trace: Trace) -> None:
        """A trace has ended."""

    @abc.abstractmethod
    def on_span_start(self, span: Span) -> None:
        """A span begins; its data is not complete."""

    @abc.abstractmethod
    def on_span_end(self, span: Span) -> None:
        """A span has ended."""

    @abc.abstractmethod
    def shutdown(self) -> None:
        """The program ends: write what is left and let go of everything."""

    @abc.abstractmethod
    def force_flush(self) -> None:
        """Write what is left, now."""


class TracingExporter(abc.ABC):
    """Takes finished spans, and traces that have begun, to where they are kept."""

    @abc.abstractmethod
    def export(self, items: Sequence[Trace | Span]) -> None:
        """Write a batch; called by one thread at a time, which may block here."""
