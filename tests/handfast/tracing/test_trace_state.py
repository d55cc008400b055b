from __future__ import annotations

import json

from handfast.tracing.trace_state import TraceState
from handfast.tracing.traces import NoOpTrace, RecordedTrace


def made(key: str | None = "secret") -> TraceState:
    state = TraceState.from_trace(
        RecordedTrace(
            name="w",
            trace_id="trace_1",
            group_id="g",
            metadata={"k": 1},
            tracing_api_key=key,
        ),
    )
    assert state is not None
    return state


def test_a_trace_that_nobody_records_is_not_remembered() -> None:
    assert TraceState.from_trace(None) is None
    assert TraceState.from_trace(NoOpTrace()) is None


def test_a_key_is_stored_only_when_asked_for_and_known_again_by_its_hash() -> None:
    state = made()
    stored = json.loads(json.dumps(state.to_json()))
    assert "secret" not in json.dumps(stored)
    read = TraceState.from_json(stored)
    assert read is not None
    assert read.tracing_api_key is None
    assert read.same_as(state)
    assert read.with_key("secret").same_as(state)
    assert not read.with_key("other").same_as(state)
    whole = TraceState.from_json(state.to_json(include_tracing_api_key=True))
    assert whole == state


def test_what_is_no_stored_trace_is_none() -> None:
    for data in (None, "text", {}, {"id": 1, "workflow_name": "w"}, {"id": "trace_1"}):
        assert TraceState.from_json(data) is None
    odd = TraceState.from_json({"id": "t", "workflow_name": "w", "group_id": 1, "metadata": []})
    assert odd == TraceState("t", "w")
    assert made(None).to_json() == {
        "object": "trace",
        "id": "trace_1",
        "workflow_name": "w",
        "group_id": "g",
        "metadata": {"k": 1},
    }
