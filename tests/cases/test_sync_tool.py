"""A blocking function blocks nobody but itself."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from cases.case_model import agent, called, outputs, play, scripted, shown, step, steps_of
from handfast import RunConfig, ToolContext, function_tool
from handfast.tracing import (
    TracingProcessor,
    custom_span,
    get_current_span,
    set_trace_processors,
    trace,
)

WAIT = 20.0
"""Seconds after which a test is stuck."""

who = contextvars.ContextVar("who", default="nobody")


async def test_ten_runs_with_a_blocking_tool_go_side_by_side_and_the_loop_goes_on(
    *,
    streamed: bool,
) -> None:
    all_in, beats = threading.Barrier(10, timeout=WAIT), threading.Event()

    @function_tool
    def slow() -> str:
        """Slow."""
        all_in.wait()  # passes only when ten of these run at once
        assert beats.wait(WAIT)  # and only while the event loop goes on
        return "slept"

    async def heart() -> None:
        for _ in range(20):
            await asyncio.sleep(0)
        while all_in.n_waiting:  # noqa: ASYNC110 - a thread sets no asyncio.Event
            await asyncio.sleep(0.001)
        beats.set()

    models = [scripted(steps_of("sync-tool-1")) for _ in range(10)]
    runs = [play(agent("A", model, tools=[slow]), streamed=streamed) for model in models]
    results, _ = await asyncio.gather(asyncio.gather(*runs), heart())
    assert [result.final_output for result in results] == ["done"] * 10
    assert all(outputs(shown(model)) == {"c1": "slept"} for model in models)


async def test_blocking_tools_of_one_answer_overlap(*, streamed: bool) -> None:
    both = threading.Barrier(3, timeout=WAIT)

    @function_tool
    def slow() -> int:
        """Slow."""
        return both.wait() * 0

    first, last = steps_of("sync-tool-1")
    calls = [called(f"c{n}", "slow") for n in range(3)]
    model = scripted([{**first, "calls": calls}, last])
    await play(agent("A", model, tools=[slow]), streamed=streamed)
    assert outputs(shown(model)) == {"c0": "0", "c1": "0", "c2": "0"}


class Ears(TracingProcessor):
    """Somebody who wants to know: without one, no span is real."""

    def on_trace_start(self, trace: Any) -> None: ...
    def on_trace_end(self, trace: Any) -> None: ...
    def on_span_start(self, span: Any) -> None: ...
    def on_span_end(self, span: Any) -> None: ...
    def shutdown(self) -> None: ...
    def force_flush(self) -> None: ...


@pytest.fixture
def traced() -> Iterator[None]:
    set_trace_processors([Ears()])
    yield
    set_trace_processors([])


@pytest.mark.usefixtures("traced")
async def test_context_and_span_are_the_callers_own_in_the_thread(*, streamed: bool) -> None:
    seen: list[Any] = []

    def look(ctx: ToolContext) -> str:
        """Look."""
        span = get_current_span()
        seen.append((who.get(), ctx.context, None if span is None else span.trace_id))
        return "seen"

    bare = function_tool(name_override="who_sync")(look)
    timed = function_tool(name_override="who_sync", timeout=WAIT)(look)
    who.set("me")
    with trace("t") as whole, custom_span("s"):
        for tool in (bare, timed):
            model = scripted(steps_of("sync-tool-3"))
            await play(agent("A", model, tools=[tool]), streamed=streamed, context="mine")
    assert seen == [("me", "mine", whole.trace_id)] * 2


async def test_after_its_timeout_the_run_goes_on_without_the_thread(*, streamed: bool) -> None:
    release, ended = threading.Event(), threading.Event()

    def stuck() -> str:
        release.wait(WAIT)
        ended.set()
        return "too late"

    for seconds, config in [(0.05, None), (None, RunConfig(tool_timeout=0.05))]:
        tool = function_tool(name_override="who_sync", timeout=seconds)(stuck)
        model = scripted(steps_of("sync-tool-3"))
        a = agent("A", model, tools=[tool])
        result = await play(a, streamed=streamed, run_config=config)
        assert result.final_output == "done"
        assert "timed out" in outputs(shown(model))["c1"]
        assert not ended.is_set()
    release.set()
    assert await asyncio.to_thread(ended.wait, WAIT)


async def test_a_blocking_tool_that_hangs_does_not_delay_the_others(*, streamed: bool) -> None:
    release = threading.Event()

    @function_tool(timeout=0.05)
    def stuck() -> str:
        """Hang."""
        release.wait(WAIT)
        return "too late"

    @function_tool
    def quick() -> str:
        """Be quick."""
        return "quick"

    script = [step("A", called("c1", "stuck"), called("c2", "quick")), step("A", text="done")]
    model = scripted(script)
    await play(agent("A", model, tools=[stuck, quick]), streamed=streamed)
    release.set()
    told = outputs(shown(model))
    assert "timed out" in told["c1"]
    assert told["c2"] == "quick"
