from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pytest

from handfast.tracing import Trace, get_current_trace, trace
from handfast.tracing.traces import MAX_REMEMBERED, NoOpTrace, RecordedTrace, began_here
from tracing_recorder import Recorder


class Failing:
    def on_trace_start(self, trace: Trace) -> None:
        """Nothing."""

    def on_trace_end(self, trace: Trace) -> None:
        raise ValueError(f"{trace.name} exploded")


def test_a_trace_tells_of_its_beginning_and_its_end(recorder: Recorder) -> None:
    with trace("w", "trace_1", "g", {"k": 1}, {"api_key": "secret"}) as whole:
        assert get_current_trace() is whole
        whole.start()
    whole.finish(reset_current=True)
    assert get_current_trace() is None
    assert recorder.events == ["trace w starts", "trace w ends"]
    exported = {
        "object": "trace",
        "id": "trace_1",
        "workflow_name": "w",
        "group_id": "g",
        "metadata": {"k": 1},
    }
    assert whole.export() == whole.to_json() == exported
    assert whole.to_json(include_tracing_api_key=True) == {**exported, "tracing_api_key": "secret"}
    assert (whole.group_id, whole.metadata) == ("g", {"k": 1})


def test_a_trace_that_never_began_never_ends(recorder: Recorder) -> None:
    RecordedTrace(name="w", processor=recorder).finish(reset_current=True)
    assert recorder.events == []


def test_a_trace_without_a_recorder_keeps_nothing() -> None:
    with NoOpTrace() as whole:
        assert get_current_trace() is whole
        whole.start()
        whole.finish()
    assert get_current_trace() is None
    assert (whole.trace_id, whole.name, whole.export(), whole.to_json()) == (
        "no-op",
        "no-op",
        None,
        None,
    )
    assert (whole.group_id, whole.metadata, whole.tracing_api_key) == (None, None, None)


@pytest.mark.parametrize("no_op", [True, False])
async def test_a_generator_can_be_closed_by_the_task_that_read_it_or_by_another(
    *,
    no_op: bool,
) -> None:
    def traced() -> AsyncGenerator[int, None]:
        async def stream() -> AsyncGenerator[int, None]:
            with NoOpTrace() if no_op else RecordedTrace(name="w"):
                yield 1
                yield 2

        return stream()

    stream = traced()
    await anext(stream)
    await stream.aclose()
    assert get_current_trace() is None
    stream = traced()
    await anext(stream)
    await asyncio.create_task(stream.aclose())


@pytest.mark.parametrize("no_op", [True, False])
async def test_ending_a_trace_in_another_context_is_an_error(*, no_op: bool) -> None:
    whole: Trace = NoOpTrace() if no_op else RecordedTrace(name="w")
    whole.start(mark_as_current=True)

    async def elsewhere() -> None:
        whole.finish(reset_current=True)

    with pytest.raises(ValueError, match="different Context"):
        await asyncio.create_task(elsewhere())


def test_what_a_sink_raises_comes_out_and_the_scope_is_released() -> None:
    with pytest.raises(ValueError, match="exploded"), RecordedTrace(name="w", processor=Failing()):
        assert get_current_trace() is not None
    assert get_current_trace() is None


def test_a_process_remembers_which_traces_it_began_but_not_for_ever() -> None:
    first = RecordedTrace(name="w")
    assert not began_here(first.trace_id)
    first.start()
    assert began_here(first.trace_id)
    for _ in range(MAX_REMEMBERED):
        RecordedTrace(name="w").start()
    assert not began_here(first.trace_id)
