from __future__ import annotations

from collections.abc import Iterator

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from handfast.tracing import (
    DefaultTraceProvider,
    SpanError,
    agent_span,
    custom_span,
    function_span,
    generation_span,
    handoff_span,
    trace,
)
from handfast.tracing import otel as under_test
from handfast.tracing.otel import OpenTelemetryProcessor


class Seen:
    """What OpenTelemetry was shown."""

    def __init__(self, max_open: int = under_test.MAX_OPEN) -> None:
        self.exporter = InMemorySpanExporter()
        self._provider = TracerProvider()
        self._provider.add_span_processor(SimpleSpanProcessor(self.exporter))
        self.processor = OpenTelemetryProcessor(self._provider.get_tracer("test"), max_open)

    def by_name(self) -> dict[str, ReadableSpan]:
        return {each.name: each for each in self.exporter.get_finished_spans()}


@pytest.fixture
def seen(provider: DefaultTraceProvider) -> Iterator[Seen]:
    seen = Seen()
    provider.register_processor(seen.processor)
    yield seen
    seen.processor.force_flush()
    seen.processor.shutdown()


def test_spans_keep_their_parents_times_and_names(seen: Seen) -> None:
    with trace("w", group_id="g", metadata={"k": [1]}), agent_span("a") as agent:
        with function_span("f", "{}") as call:
            call.span_data.output = "out"
        with generation_span(model="m", usage={"input_tokens": 3, "output_tokens": "?"}):
            pass
        with handoff_span("a", "b"), custom_span("c"), generation_span():
            pass
    shown = seen.by_name()
    assert set(shown) == {
        "w",
        "invoke_agent a",
        "execute_tool f",
        "chat m",
        "handoff",
        "custom c",
        "chat",
    }
    whole, inside, tool = shown["w"], shown["invoke_agent a"], shown["execute_tool f"]
    assert whole.parent is None
    assert inside.parent is not None
    assert tool.parent is not None
    assert inside.parent == whole.get_span_context()
    assert tool.parent == inside.get_span_context()
    assert tool.parent.trace_id == inside.parent.trace_id
    assert whole.attributes is not None
    assert whole.attributes["handfast.group_id"] == "g"
    assert whole.attributes["handfast.metadata"] == '{"k": [1]}'
    assert tool.attributes is not None
    assert tool.attributes["gen_ai.tool.name"] == "f"
    assert tool.attributes["handfast.output"] == "out"
    model = shown["chat m"].attributes
    assert model is not None
    assert model["gen_ai.request.model"] == "m"
    assert model["gen_ai.usage.input_tokens"] == 3
    assert "gen_ai.usage.output_tokens" not in model
    assert agent.started_at is not None
    assert inside.start_time == under_test.nanoseconds(agent.started_at)


def test_errors_are_told(seen: Seen) -> None:
    with trace("w"), custom_span("s") as span:
        ring: dict[str, object] = {}
        ring["ring"] = ring
        span.set_error(SpanError(message="bad", data={"tool_name": "f", "ring": ring}))
    status = seen.by_name()["custom s"].status
    assert (status.status_code, status.description) == (StatusCode.ERROR, "bad")
    attributes = seen.by_name()["custom s"].attributes
    assert attributes is not None
    assert attributes["error.tool_name"] == "f"
    assert "..." in str(attributes["error.ring"])


def test_what_is_open_at_the_end_is_ended(seen: Seen) -> None:
    whole = trace("w")
    whole.start()
    inner = custom_span("s", parent=whole)
    inner.start()
    seen.processor.shutdown()
    assert set(seen.by_name()) == {"w", "custom s"}
    inner.finish()
    whole.finish()
    assert len(seen.exporter.get_finished_spans()) == 2


def test_no_more_spans_are_remembered_than_there_is_room_for(
    provider: DefaultTraceProvider,
) -> None:
    seen = Seen(max_open=1)
    provider.register_processor(seen.processor)
    with trace("w"):
        assert seen.exporter.get_finished_spans() == ()
        with custom_span("s"):
            assert set(seen.by_name()) == {"w"}


def test_without_a_tracer_it_takes_the_processes() -> None:
    OpenTelemetryProcessor().force_flush()
