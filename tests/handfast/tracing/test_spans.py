from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pytest

from handfast.tracing import CustomSpanData, Span, SpanError, custom_span, get_current_span, trace
from handfast.tracing.span_data import AgentSpanData
from handfast.tracing.spans import NoOpSpan, RecordedSpan, SpanSink
from tracing_recorder import Recorder


class Failing:
    def on_span_start(self, span: Span) -> None:
        """Nothing."""

    def on_span_end(self, span: Span) -> None:
        raise ValueError(f"{span.span_id} exploded")


def recorded(sink: SpanSink, metadata: dict[str, object] | None = None) -> RecordedSpan:
    return RecordedSpan(
        trace_id="trace_1",
        span_id="span_1",
        parent_id=None,
        processor=sink,
        span_data=AgentSpanData("a", metadata=metadata),
        tracing_api_key="key",
        trace_metadata={"tenant": 1},
    )


def test_a_span_tells_of_its_beginning_its_end_and_what_went_wrong(recorder: Recorder) -> None:
    with trace("w") as whole, custom_span("s", {"k": 1}) as span:
        assert get_current_span() is span
        span.start()
        span.set_error(SpanError(message="bad", data={"n": 1}))
    span.finish(reset_current=True)
    assert get_current_span() is None
    exported = span.export()
    assert exported is not None
    assert exported.pop("started_at") == span.started_at is not None
    assert exported.pop("ended_at") == span.ended_at is not None
    assert exported == {
        "object": "trace.span",
        "id": span.span_id,
        "trace_id": whole.trace_id,
        "parent_id": None,
        "span_data": {"type": "custom", "name": "s", "data": {"k": 1}},
        "error": {"message": "bad", "data": {"n": 1}},
    }
    assert recorder.events.count("custom starts") == recorder.events.count("custom ends") == 1


def test_an_agents_metadata_stands_beside_its_data(recorder: Recorder) -> None:
    span = recorded(recorder, {"usage": 1})
    assert span.export()["metadata"] == {"usage": 1}
    assert (span.tracing_api_key, span.trace_metadata) == ("key", {"tenant": 1})
    assert "metadata" not in recorded(recorder).export()


def test_a_span_that_never_began_never_ends(recorder: Recorder) -> None:
    recorded(recorder).finish()
    assert recorder.events == []


def test_a_span_without_a_recorder_keeps_nothing_but_its_data() -> None:
    with NoOpSpan(CustomSpanData("s")) as span:
        assert get_current_span() is span
        span.span_data.data["k"] = 1
        span.set_error(SpanError(message="bad", data=None))
        span.start()
        span.finish()
    assert get_current_span() is None
    assert span.span_data.data == {"k": 1}
    assert (span.trace_id, span.span_id, span.parent_id) == ("no-op", "no-op", None)
    assert (span.started_at, span.ended_at, span.error) == (None, None, None)
    assert (span.export(), span.tracing_api_key, span.trace_metadata) == (None, None, None)


def spanned(span: Span) -> AsyncGenerator[int, None]:
    async def stream() -> AsyncGenerator[int, None]:
        with span:
            yield 1
            yield 2

    return stream()


@pytest.mark.parametrize("no_op", [True, False])
async def test_a_generator_can_be_closed_by_the_task_that_read_it_or_by_another(
    recorder: Recorder,
    *,
    no_op: bool,
) -> None:
    def make() -> Span:
        return NoOpSpan(CustomSpanData("s")) if no_op else recorded(recorder)

    stream = spanned(make())
    await anext(stream)
    await stream.aclose()
    assert get_current_span() is None
    stream = spanned(make())
    await anext(stream)
    await asyncio.create_task(stream.aclose())


@pytest.mark.parametrize("no_op", [True, False])
async def test_ending_a_span_in_another_context_is_an_error(
    recorder: Recorder,
    *,
    no_op: bool,
) -> None:
    span: Span = NoOpSpan(CustomSpanData("s")) if no_op else recorded(recorder)
    span.start(mark_as_current=True)

    async def elsewhere() -> None:
        span.finish(reset_current=True)

    with pytest.raises(ValueError, match="different Context"):
        await asyncio.create_task(elsewhere())


def test_what_a_sink_raises_comes_out_and_the_scope_is_released() -> None:
    span = recorded(Failing())
    with pytest.raises(ValueError, match="exploded"), span:
        assert get_current_span() is span
    assert get_current_span() is None
