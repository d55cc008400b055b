"""An exporter that fails costs its own spans and nothing else."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

import pytest

from cases.case_model import agent, play, scripted, steps_of
from handfast.tracing import (
    BatchTraceProcessor,
    DefaultTraceProvider,
    Span,
    Trace,
    TracingExporter,
    get_trace_provider,
    set_trace_provider,
)


class Away(TracingExporter):
    """A server that is away, and comes back."""

    def __init__(self) -> None:
        self.away = True
        self.kept: list[Trace | Span] = []

    def export(self, items: Sequence[Trace | Span]) -> None:
        if self.away:
            raise ConnectionError("500 Internal Server Error")
        self.kept.extend(items)


async def test_a_run_and_later_spans_survive_an_exporter_that_fails(*, streamed: bool) -> None:
    exporter = Away()
    processor = BatchTraceProcessor(exporter)
    provider, before = DefaultTraceProvider(), get_trace_provider()
    provider.register_processor(processor)
    set_trace_provider(provider)
    try:
        for away in (True, False):
            exporter.away = away
            model = scripted(steps_of("tracing-1"))
            result = await play(agent("A", model), streamed=streamed)
            assert result.final_output == "hi"
            provider.force_flush()
    finally:
        set_trace_provider(before)
        provider.shutdown()
    assert processor.failed > 0
    assert [type(each).__name__ for each in exporter.kept].count("RecordedTrace") == 1


PROGRAM = """
import threading
from handfast.tracing import *

class Hangs(TracingExporter):
    def export(self, items):
        threading.Event().wait()

processor = BatchTraceProcessor(Hangs(), max_queue_size=1)
provider = get_trace_provider()
provider.register_processor(processor)
with trace("w"), custom_span("s"):
    pass
processor.shutdown(timeout=0.1)
set_trace_provider(DefaultTraceProvider())
print("done")
"""


@pytest.mark.timeout(50)
def test_a_process_ends_though_its_exporter_hangs() -> None:
    done = subprocess.run(  # noqa: S603 - this very interpreter, and a program of ours
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        text=True,
        timeout=40,
        check=True,
    )
    assert done.stdout == "done\n"
