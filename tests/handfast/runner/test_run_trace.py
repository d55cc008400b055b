from __future__ import annotations

from handfast import RunConfig
from handfast.runner.run_trace import run_trace, untraced
from handfast.tracing import (
    DefaultTraceProvider,
    custom_span,
    get_current_span,
    get_current_trace,
    trace,
)
from handfast.tracing.trace_state import TraceState
from handfast.tracing.traces import NoOpTrace, RecordedTrace
from tracing_recorder import Recorder

CONFIG = RunConfig(
    workflow_name="w",
    trace_id="trace_1",
    group_id="g",
    trace_metadata={"k": 1},
    tracing={"api_key": "key"},
)


def test_a_run_has_the_trace_that_its_settings_name(recorder: Recorder) -> None:
    with run_trace(CONFIG):
        made = get_current_trace()
    assert made is not None
    assert made.export() == {
        "object": "trace",
        "id": "trace_1",
        "workflow_name": "w",
        "group_id": "g",
        "metadata": {"k": 1},
    }
    assert made.tracing_api_key == "key"
    assert recorder.events == ["trace w starts", "trace w ends"]
    assert get_current_trace() is None


def test_a_run_inside_a_trace_belongs_to_it(recorder: Recorder) -> None:
    with trace("outer") as outer, run_trace(CONFIG):
        assert get_current_trace() is outer
    assert recorder.events == ["trace outer starts", "trace outer ends"]


def test_a_run_that_is_not_to_be_traced_hides_what_is_around_it(recorder: Recorder) -> None:
    off = RunConfig(tracing_disabled=True)
    with trace("outer") as outer, custom_span("around") as around:
        with run_trace(off), custom_span("hidden"):
            hidden = get_current_trace()
            assert isinstance(hidden, NoOpTrace)
            assert get_current_span() is not around
            with run_trace(off):
                assert get_current_trace() is hidden
        assert get_current_trace() is outer
        assert get_current_span() is around
        with untraced(off):
            assert isinstance(get_current_trace(), NoOpTrace)
        with untraced(CONFIG):
            assert get_current_trace() is outer
    assert [each.span_data.type for each in recorder.spans] == ["custom"]


def test_with_nobody_to_tell_a_run_makes_no_trace(provider: DefaultTraceProvider) -> None:
    assert not provider.is_recording
    with run_trace(CONFIG):
        assert get_current_trace() is None


def test_a_run_that_goes_on_goes_on_with_its_trace(recorder: Recorder) -> None:
    earlier = RecordedTrace(name="w")
    earlier.start()
    stored = TraceState.from_trace(earlier)
    with run_trace(RunConfig(), stored):
        again = get_current_trace()
    assert again is not None
    assert again.trace_id == earlier.trace_id
    assert recorder.events == []
