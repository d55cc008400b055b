from __future__ import annotations

from handfast.tracing import custom_span, trace
from handfast.tracing.scope import Scope
from tracing_recorder import Recorder


def test_scope_reads_and_sets_what_is_current(recorder: Recorder) -> None:
    assert Scope.get_current_trace() is None
    with trace("w") as outer, custom_span("s") as inner:
        assert Scope.get_current_trace() is outer
        assert Scope.get_current_span() is inner
        span_token = Scope.set_current_span(None)
        trace_token = Scope.set_current_trace(None)
        assert Scope.get_current_span() is None
        Scope.reset_current_trace(trace_token)
        Scope.reset_current_span(span_token)
        assert Scope.get_current_span() is inner
    assert recorder.events[-1] == "trace w ends"
