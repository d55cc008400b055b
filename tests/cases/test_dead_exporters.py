"""Traces are for whoever asks for them, and trouble with them is theirs alone."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from cases.case_model import agent, play, scripted, steps_of
from handfast.tracing import (
    BatchTraceProcessor,
    TracingExporter,
    TracingProcessor,
    flush_traces,
    set_trace_processors,
)


@pytest.fixture(autouse=True)
def _nobody_listens_afterwards() -> Iterator[None]:
    yield
    set_trace_processors([])


class Server(TracingExporter):
    """Is down until it is not."""

    def __init__(self) -> None:
        self.down = True
        self.kept: list[Any] = []

    def export(self, items: Sequence[Any]) -> None:
        if self.down:
            raise ConnectionError("500")
        self.kept.extend(items)


async def test_an_exporter_that_fails_changes_no_run_and_gets_later_spans(
    *,
    streamed: bool,
    caplog: pytest.LogCaptureFixture,
) -> None:
    server = Server()
    set_trace_processors([BatchTraceProcessor(server)])
    for down in (True, False):
        server.down = down
        model = scripted(steps_of("tracing-1"))
        result = await play(agent("A", model), streamed=streamed)
        assert result.final_output == "hi"
        flush_traces()
        assert bool(server.kept) is not down
    assert "exporter failed" in caplog.text


class Broken(TracingProcessor):
    """Fails at everything."""

    def on_trace_start(self, trace: Any) -> None:
        raise RuntimeError(f"start of {trace}")

    def on_trace_end(self, trace: Any) -> None:
        raise RuntimeError(f"end of {trace}")

    def on_span_start(self, span: Any) -> None:
        raise RuntimeError(f"start of {span}")

    def on_span_end(self, span: Any) -> None:
        raise RuntimeError(f"end of {span}")

    def shutdown(self) -> None:
        raise RuntimeError("shutdown")

    def force_flush(self) -> None:
        raise RuntimeError("flush")


async def test_a_processor_that_fails_changes_no_run(*, streamed: bool) -> None:
    set_trace_processors([Broken()])
    result = await play(agent("A", scripted(steps_of("tracing-1"))), streamed=streamed)
    assert result.final_output == "hi"


PROGRAM = """
import asyncio, sys, time
from handfast import Agent, Runner
from handfast.testing.messages import assistant_message
from handfast.testing.scripted_model import ScriptedModel
from handfast.tracing import BatchTraceProcessor, TracingExporter, add_trace_processor

class Server(TracingExporter):
    def export(self, items):
        {export}

def opened(event, arguments):
    if event in ("socket.connect", "socket.sendto", "socket.getaddrinfo"):
        print("left the process:", event, flush=True)

sys.addaudithook(opened)
if {listens}:
    add_trace_processor(BatchTraceProcessor(Server()))
model = ScriptedModel([[assistant_message("hi")]])
print(Runner.run_sync(Agent(name="A", model=model), "go").final_output, flush=True)
"""


def output_of_program(export: str, *, listens: bool) -> tuple[str, float]:
    begun = time.monotonic()
    done = subprocess.run(  # noqa: S603 - this interpreter, a fixed text
        [sys.executable, "-c", PROGRAM.format(export=export, listens=listens)],
        env={"PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        check=True,
        text=True,
        timeout=50,
    )
    return done.stdout, time.monotonic() - begun


@pytest.mark.parametrize("export", ["raise ConnectionError('down')", "time.sleep(1000)", "pass"])
def test_a_process_ends_in_time_whatever_its_exporter_does(export: str) -> None:
    said, seconds = output_of_program(export, listens=True)
    assert said == "hi\n"
    assert seconds < 25


def test_nothing_leaves_by_default() -> None:
    assert output_of_program("pass", listens=False)[0] == "hi\n"
