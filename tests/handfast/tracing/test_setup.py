from __future__ import annotations

import subprocess
import sys

from handfast.tracing import (
    DefaultTraceProvider,
    add_trace_processor,
    flush_traces,
    get_trace_provider,
    set_trace_processors,
    set_trace_provider,
    set_tracing_disabled,
    trace,
)
from tracing_recorder import Recorder


def test_processors_are_added_replaced_flushed_and_switched_off(
    provider: DefaultTraceProvider,
    recorder: Recorder,
) -> None:
    other = Recorder()
    add_trace_processor(other)
    flush_traces()
    assert recorder.events == other.events == ["flush"]
    set_trace_processors([other])
    set_tracing_disabled(True)
    with trace("off"):
        pass
    set_tracing_disabled(False)
    with trace("on"):
        pass
    assert recorder.events == ["flush"]
    assert other.events == ["flush", "trace on starts", "trace on ends"]
    assert get_trace_provider() is provider


def test_another_provider_takes_over(provider: DefaultTraceProvider) -> None:
    other = DefaultTraceProvider()
    set_trace_provider(other)
    assert get_trace_provider() is other
    set_trace_provider(provider)
    assert get_trace_provider() is provider


PROGRAM = """
import sys, threading
from handfast.tracing import *

assert threading.active_count() == 1
assert not get_trace_provider().is_recording
assert get_trace_provider() is get_trace_provider()
add_trace_processor(BatchTraceProcessor(ConsoleSpanExporter()))
with trace("whole"), custom_span("part"):
    pass
"""


def test_what_is_left_at_the_end_of_a_program_is_exported() -> None:
    done = subprocess.run(  # noqa: S603 - this very interpreter, and a program of ours
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.count("\n") == 2
    assert '"workflow_name": "whole"' in done.stdout
    assert '"name": "part"' in done.stdout
