"""Somebody who is told of every trace and span, and shows them as a tree."""

from __future__ import annotations

from handfast.tracing import Span, Trace, TracingProcessor


class Recorder(TracingProcessor):
    """Keeps what it is told, in order."""

    def __init__(self) -> None:
        self.events: list[str] = []
        self.traces: list[Trace] = []
        self.spans: list[Span] = []
        """Spans that have ended."""
        self.started: list[Span] = []

    def on_trace_start(self, trace: Trace) -> None:
        self.events.append(f"trace {trace.name} starts")
        self.traces.append(trace)

    def on_trace_end(self, trace: Trace) -> None:
        self.events.append(f"trace {trace.name} ends")

    def on_span_start(self, span: Span) -> None:
        self.events.append(f"{span.span_data.type} starts")
        self.started.append(span)

    def on_span_end(self, span: Span) -> None:
        self.events.append(f"{span.span_data.type} ends")
        self.spans.append(span)

    def shutdown(self) -> None:
        self.events.append("shutdown")

    def force_flush(self) -> None:
        self.events.append("flush")

    def of(self, kind: str) -> list[Span]:
        """Ended spans of a kind, in the order in which they started."""
        return [each for each in self.started if each in self.spans and each.span_data.type == kind]

    def tree(self) -> list[str]:
        """Spans inside their parents, side by side in the order in which they started."""
        known = {each.span_id for each in self.started}
        roots = [each for each in self.started if each.parent_id not in known]
        return [line for root in roots for line in self._branch(root, "")]

    def _branch(self, span: Span, indent: str) -> list[str]:
        name = getattr(span.span_data, "name", "")
        inside = [each for each in self.started if each.parent_id == span.span_id]
        return [
            f"{indent}{span.span_data.type} {name}".rstrip(),
            *(line for each in inside for line in self._branch(each, f"{indent}  ")),
        ]
