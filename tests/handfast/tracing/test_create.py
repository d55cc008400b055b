from __future__ import annotations

import asyncio
import logging

import pytest

from handfast.tracing import (
    agent_span,
    custom_span,
    function_span,
    generation_span,
    get_current_span,
    get_current_trace,
    guardrail_span,
    handoff_span,
    mcp_tools_span,
    response_span,
    task_span,
    trace,
    turn_span,
)
from tracing_recorder import Recorder


def test_there_is_a_function_for_each_kind_of_span(recorder: Recorder) -> None:
    with trace("w"):
        spans = [
            agent_span("a", ["b"], ["t"], "str"),
            task_span("w"),
            turn_span(1, "a"),
            function_span("f", "in", "out"),
            generation_span([{"role": "user"}], [], "m", {"temperature": 1}, {"input_tokens": 1}),
            response_span(),
            handoff_span("a", "b"),
            custom_span("c", {"k": 1}),
            guardrail_span("g", triggered=True),
            mcp_tools_span("s", ["t"]),
        ]
        for span in spans:
            with span:
                assert get_current_span() is span
    assert [each.span_data.type for each in recorder.spans] == [
        "agent",
        "task",
        "turn",
        "function",
        "generation",
        "response",
        "handoff",
        "custom",
        "guardrail",
        "mcp_tools",
    ]
    assert get_current_trace() is None


async def test_spans_of_tasks_that_run_side_by_side_keep_their_own_parents(
    recorder: Recorder,
) -> None:
    async def work(name: str) -> None:
        with custom_span(name):
            await asyncio.sleep(0)
            with custom_span(f"{name}.inner"):
                await asyncio.sleep(0)

    with trace("w"):
        await asyncio.gather(work("one"), work("two"))
    by_name = {getattr(each.span_data, "name", ""): each for each in recorder.spans}
    for name in ("one", "two"):
        assert by_name[name].parent_id is None
        assert by_name[f"{name}.inner"].parent_id == by_name[name].span_id


def test_a_trace_within_a_trace_is_warned_of(
    recorder: Recorder,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with trace("outer"), caplog.at_level(logging.WARNING, "handfast"):
        trace("inner")
    assert "Trace already exists" in caplog.text
    assert recorder.events == ["trace outer starts", "trace outer ends"]
