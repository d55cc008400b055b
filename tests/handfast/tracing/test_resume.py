from __future__ import annotations

from dataclasses import replace

import pytest

from handfast.tracing import gen_trace_id, trace
from handfast.tracing.resume import TraceWish, trace_for_run
from handfast.tracing.trace_state import TraceState
from handfast.tracing.traces import NoOpTrace, RecordedTrace
from tracing_recorder import Recorder

WISH = TraceWish("w", None, "g", {"k": 1}, {"api_key": "key"})


def stored(recorder: Recorder, *, began: bool = True) -> TraceState:
    """The trace of an earlier part of a run, told of to the recorder and then forgotten by it."""
    whole = RecordedTrace(
        name="w",
        trace_id=gen_trace_id(),
        group_id="g",
        metadata={"k": 1},
        tracing_api_key="key",
    )
    if began:
        whole.start()
        whole.finish()
    recorder.events.clear()
    state = TraceState.from_trace(whole)
    assert state is not None
    return state


def test_a_run_begins_the_trace_that_its_settings_ask_for(recorder: Recorder) -> None:
    made = trace_for_run(replace(WISH, trace_id="trace_1"))
    assert made is not None
    with made:
        assert trace_for_run(WISH) is None
    assert recorder.events == ["trace w starts", "trace w ends"]
    assert (made.trace_id, made.tracing_api_key) == ("trace_1", "key")


def test_a_run_that_is_not_to_be_traced_has_a_trace_of_nothing(recorder: Recorder) -> None:
    with trace("outer"):
        made = trace_for_run(replace(WISH, disabled=True), stored(recorder))
    assert isinstance(made, NoOpTrace)


@pytest.mark.parametrize(
    "wish",
    [WISH, TraceWish(), TraceWish(tracing={"api_key": "key"}), TraceWish(tracing={})],
)
def test_a_run_goes_on_with_its_trace_where_the_settings_are_the_same(
    recorder: Recorder,
    wish: TraceWish,
) -> None:
    earlier = stored(recorder)
    if wish.tracing is None:
        # A key that was not stored has to be named again.
        assert trace_for_run(wish, replace(earlier, tracing_api_key=None)) is not None
    made = trace_for_run(wish, earlier)
    assert made is not None
    with made:
        pass
    expected = [] if wish.tracing != {} else ["trace w starts", "trace w ends"]
    assert recorder.events == expected
    assert made.trace_id == earlier.trace_id


@pytest.mark.parametrize(
    "other",
    [
        replace(WISH, workflow_name="other"),
        replace(WISH, group_id="other"),
        replace(WISH, metadata={"k": 2}),
        replace(WISH, tracing={"api_key": "other"}),
        replace(WISH, trace_id="trace_other"),
    ],
)
def test_other_settings_begin_a_trace_anew(recorder: Recorder, other: TraceWish) -> None:
    made = trace_for_run(other, stored(recorder))
    assert made is not None
    with made:
        pass
    assert len(recorder.events) == 2


def test_a_trace_that_began_in_another_process_begins_here_under_its_id(
    recorder: Recorder,
) -> None:
    earlier = stored(recorder, began=False)
    made = trace_for_run(WISH, earlier)
    assert made is not None
    with made:
        pass
    assert made.trace_id == earlier.trace_id
    assert recorder.events == ["trace w starts", "trace w ends"]
