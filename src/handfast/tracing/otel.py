"""`OpenTelemetryProcessor`: shows traces and spans to OpenTelemetry.

Import this module only where it is wanted: it needs `opentelemetry-api`, which comes with
`pip install 'handfast[otel]'`. Where spans go from there is for the program to set up, with
OpenTelemetry's own SDK. Attribute names follow OpenTelemetry's conventions for generative AI.

    from handfast.tracing.otel import OpenTelemetryProcessor

    add_trace_processor(OpenTelemetryProcessor())
"""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Mapping
from datetime import datetime
from typing import Final

from opentelemetry import trace as otel
from opentelemetry.trace import Status, StatusCode, Tracer

from handfast.tracing.processor_interface import TracingProcessor
from handfast.tracing.span_data import (
    AgentSpanData,
    FunctionSpanData,
    GenerationSpanData,
    HandoffSpanData,
    SpanData,
)
from handfast.tracing.spans import Span
from handfast.tracing.traces import Trace

MAX_OPEN: Final = 10_000

_Value = str | int | float | bool


class OpenTelemetryProcessor(TracingProcessor):
    """Makes an OpenTelemetry span of each trace and each span, with the same parents and times.

    Args:
        tracer: Makes the spans; None takes the process's tracer named `handfast`.
        max_open: How many spans are remembered while they are open; older ones are ended.
    """

    def __init__(self, tracer: Tracer | None = None, max_open: int = MAX_OPEN) -> None:
        self._max_open = max_open
        self._tracer = otel.get_tracer("handfast") if tracer is None else tracer
        self._open: OrderedDict[str, otel.Span] = OrderedDict()
        self._lock = threading.Lock()

    def on_trace_start(self, trace: Trace) -> None:
        """Begin the span of the whole trace; it is no child of anything."""
        span = self._tracer.start_span(trace.name, otel.set_span_in_context(otel.INVALID_SPAN))
        span.set_attributes(_trace_attributes(trace))
        self._remember(trace.trace_id, span)

    def on_trace_end(self, trace: Trace) -> None:
        """End it."""
        span = self._forget(trace.trace_id)
        if span is not None:
            span.end()

    def on_span_start(self, span: Span) -> None:
        """Begin a span inside its parent."""
        with self._lock:
            parent = self._open.get(span.parent_id or span.trace_id)
        context = otel.set_span_in_context(otel.INVALID_SPAN if parent is None else parent)
        began = self._tracer.start_span(
            name_of(span.span_data),
            context,
            start_time=nanoseconds(span.started_at),
        )
        self._remember(span.span_id, began)

    def on_span_end(self, span: Span) -> None:
        """End it, with what is known of it now."""
        ended = self._forget(span.span_id)
        if ended is None:
            return
        ended.set_attributes(attributes_of(span.span_data))
        if span.error is not None:
            ended.set_status(Status(StatusCode.ERROR, span.error["message"]))
            ended.set_attributes(_flat("error", span.error["data"] or {}))
        ended.end(nanoseconds(span.ended_at))

    def shutdown(self) -> None:
        """End what is open; the SDK's own shutdown is the program's."""
        with self._lock:
            left, self._open = list(self._open.values()), OrderedDict()
        for span in reversed(left):
            span.end()

    def force_flush(self) -> None:
        """Nothing is kept here: flushing is for the SDK's processors."""

    def _remember(self, key: str, span: otel.Span) -> None:
        with self._lock:
            self._open[key] = span
            oldest = self._open.popitem(last=False)[1] if len(self._open) > self._max_open else None
        if oldest is not None:
            oldest.end()

    def _forget(self, key: str) -> otel.Span | None:
        with self._lock:
            return self._open.pop(key, None)


def name_of(data: SpanData) -> str:
    """What a span is called."""
    match data:
        case AgentSpanData():
            return f"invoke_agent {data.name}"
        case FunctionSpanData():
            return f"execute_tool {data.name}"
        case GenerationSpanData():
            return f"chat {data.model}" if data.model else "chat"
        case HandoffSpanData():
            return "handoff"
        case _:
            name: object = getattr(data, "name", None)
            return f"{data.type} {name}" if isinstance(name, str) and name else data.type


def attributes_of(data: SpanData) -> dict[str, _Value]:
    """What a span says of itself."""
    match data:
        case AgentSpanData():
            special: dict[str, _Value] = {
                "gen_ai.operation.name": "invoke_agent",
                "gen_ai.agent.name": data.name,
            }
        case FunctionSpanData():
            special = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": data.name}
        case GenerationSpanData():
            special = {"gen_ai.operation.name": "chat", **_usage(data.usage or {})}
            if data.model is not None:
                special["gen_ai.request.model"] = data.model
        case _:
            special = {}
    return {**_flat("handfast", data.export()), **special}


def _usage(usage: Mapping[str, object]) -> dict[str, _Value]:
    counts = ((name, usage.get(name)) for name in ("input_tokens", "output_tokens"))
    return {f"gen_ai.usage.{name}": count for name, count in counts if isinstance(count, int)}


def _trace_attributes(trace: Trace) -> dict[str, _Value]:
    about: dict[str, object] = {"trace_id": trace.trace_id, "group_id": trace.group_id}
    return _flat("handfast", {**about, "metadata": trace.metadata})


def _flat(prefix: str, values: Mapping[str, object]) -> dict[str, _Value]:
    return {f"{prefix}.{key}": _plain(value) for key, value in values.items() if value is not None}


def _plain(value: object) -> _Value:
    """A value as an attribute may have it: what is no plain one is told as JSON."""
    if isinstance(value, str | int | float | bool):
        return value
    try:
        return json.dumps(value, default=repr)
    except (TypeError, ValueError, RecursionError):
        return repr(value)


def nanoseconds(moment: str | None) -> int | None:
    """A time as OpenTelemetry counts it: nanoseconds since 1970."""
    return None if moment is None else int(datetime.fromisoformat(moment).timestamp() * 1e9)
