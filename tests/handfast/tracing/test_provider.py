from __future__ import annotations

import logging

import pytest

from handfast.tracing import (
    AgentSpanData,
    CustomSpanData,
    DefaultTraceProvider,
    Span,
    Trace,
    TraceProvider,
)
from handfast.tracing.scope import Scope
from handfast.tracing.spans import NoOpSpan, RecordedSpan
from handfast.tracing.traces import NoOpTrace, RecordedTrace
from tracing_recorder import Recorder


class Exploding(Recorder):
    """Raises whenever it is told something."""

    def on_trace_start(self, trace: Trace) -> None:
        raise RuntimeError(trace.name)

    def on_trace_end(self, trace: Trace) -> None:
        raise RuntimeError(trace.name)

    def on_span_start(self, span: Span) -> None:
        raise RuntimeError(span.span_id)

    def on_span_end(self, span: Span) -> None:
        raise RuntimeError(span.span_id)

    def shutdown(self) -> None:
        raise RuntimeError("shutdown")

    def force_flush(self) -> None:
        raise RuntimeError("flush")


def test_without_a_processor_no_span_is_recorded_and_a_trace_has_still_an_id() -> None:
    provider = DefaultTraceProvider()
    assert not provider.is_recording
    with provider.create_trace("w") as whole:
        assert whole.trace_id.startswith("trace_")
        assert isinstance(provider.create_span(CustomSpanData("s")), NoOpSpan)


def test_parents_are_the_current_span_else_the_current_trace_else_the_one_that_is_named(
    provider: DefaultTraceProvider,
    recorder: Recorder,
) -> None:
    assert provider.is_recording
    with provider.create_trace("w", metadata={"k": 1}, tracing={"api_key": "key"}) as whole:
        first = provider.create_span(AgentSpanData("a"), span_id="span_1")
        with first:
            second = provider.create_span(CustomSpanData("s"))
            third = provider.create_span(CustomSpanData("s"), parent=whole)
            fourth = provider.create_span(CustomSpanData("s"), parent=second)
    assert (first.span_id, first.parent_id, first.trace_id) == ("span_1", None, whole.trace_id)
    assert second.parent_id == "span_1"
    assert third.parent_id is None
    assert fourth.parent_id == second.span_id
    assert {each.tracing_api_key for each in (first, second, third, fourth)} == {"key"}
    assert fourth.trace_metadata == {"k": 1}
    assert recorder.spans == [first]


def test_what_is_inside_of_nothing_is_nothing(
    provider: DefaultTraceProvider,
    recorder: Recorder,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.DEBUG, "handfast"):
        assert isinstance(provider.create_span(CustomSpanData("s")), NoOpSpan)
    assert "No active trace" in caplog.text
    with provider.create_trace("w", disabled=True) as nothing:
        assert isinstance(nothing, NoOpTrace)
        assert isinstance(provider.create_span(CustomSpanData("s")), NoOpSpan)
    with provider.create_trace("w") as whole:
        silent = provider.create_span(CustomSpanData("s"), disabled=True)
        with silent:
            assert isinstance(provider.create_span(CustomSpanData("s")), NoOpSpan)
        for parent in (nothing, silent):
            inner = provider.create_span(CustomSpanData("s"), parent=parent)
            assert isinstance(inner, NoOpSpan)
        assert isinstance(provider.create_span(CustomSpanData("s"), span_id="no-op"), NoOpSpan)
        odd = RecordedSpan(
            trace_id=whole.trace_id,
            span_id="no-op",
            parent_id=None,
            processor=recorder,
            span_data=CustomSpanData("s"),
        )
        assert isinstance(provider.create_span(CustomSpanData("s"), parent=odd), NoOpSpan)
    assert recorder.spans == []


def test_recording_can_be_switched_off_and_on(
    provider: DefaultTraceProvider,
    recorder: Recorder,
) -> None:
    provider.set_disabled(True)
    assert not provider.is_recording
    assert isinstance(provider.create_trace("w"), NoOpTrace)
    provider.force_flush()
    provider.set_disabled(False)
    assert isinstance(provider.create_trace("w"), RecordedTrace)
    provider.shutdown()
    assert recorder.events == ["flush", "shutdown"]


def test_a_processor_that_raises_disturbs_neither_the_program_nor_the_next_one(
    caplog: pytest.LogCaptureFixture,
) -> None:
    told = Recorder()
    provider = DefaultTraceProvider()
    provider.set_processors([Exploding(), told])
    with provider.create_trace("w"), provider.create_span(CustomSpanData("s")):
        pass
    provider.force_flush()
    provider.shutdown()
    assert told.events == [
        "trace w starts",
        "custom starts",
        "custom ends",
        "trace w ends",
        "flush",
        "shutdown",
    ]
    assert caplog.text.count("A tracing processor failed") == 6


def test_a_provider_of_ones_own_needs_only_what_is_abstract() -> None:
    class Own(DefaultTraceProvider):
        @property
        def is_recording(self) -> bool:
            return super(DefaultTraceProvider, self).is_recording

        def force_flush(self) -> None:
            TraceProvider.force_flush(self)

        def shutdown(self) -> None:
            TraceProvider.shutdown(self)

    own = Own()
    own.force_flush()
    own.shutdown()
    assert own.is_recording
    assert own.time_iso().endswith("+00:00")
    assert own.gen_group_id().startswith("group_")
    assert Scope.get_current_trace() is own.get_current_trace() is None
