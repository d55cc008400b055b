from __future__ import annotations

import os
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager

import pytest

from handfast import UserError
from handfast.tracing import (
    BatchTraceProcessor,
    CustomSpanData,
    Span,
    Trace,
    TracingExporter,
)
from handfast.tracing.spans import RecordedSpan
from handfast.tracing.traces import RecordedTrace


class Kept(TracingExporter):
    """Keeps batches; a gate can hold it up, and it fails when told to."""

    def __init__(self) -> None:
        self.batches: list[list[Trace | Span]] = []
        self.failures = 0
        self.began = threading.Event()
        self.exported = threading.Event()
        self.gate = threading.Event()
        self.gate.set()

    def export(self, items: Sequence[Trace | Span]) -> None:
        self.began.set()
        self.gate.wait(30)
        if self.failures:
            self.failures -= 1
            raise ConnectionError("The server is away.")
        self.batches.append(list(items))
        self.exported.set()


def ended(processor: BatchTraceProcessor) -> Span:
    return RecordedSpan(
        trace_id="trace_1",
        span_id="span_1",
        parent_id=None,
        processor=processor,
        span_data=CustomSpanData("s"),
    )


@contextmanager
def processor_of(exporter: Kept, **options: float) -> Generator[BatchTraceProcessor]:
    sizes = {name: int(value) for name, value in options.items() if name.startswith("max")}
    processor = BatchTraceProcessor(exporter, schedule_delay=60, **sizes)
    yield processor
    exporter.gate.set()
    processor.shutdown()


def test_traces_go_out_when_they_begin_and_spans_when_they_end_in_batches_of_a_size() -> None:
    exporter = Kept()
    with processor_of(exporter, max_batch_size=2) as processor:
        whole = RecordedTrace(name="w", processor=processor)
        with whole, ended(processor) as first, ended(processor) as second:
            assert processor.waiting == 1
        processor.force_flush()
        assert exporter.batches == [[whole, second], [first]]
        assert processor.waiting == 0


def test_a_full_queue_drops_and_counts(caplog: pytest.LogCaptureFixture) -> None:
    exporter = Kept()
    exporter.gate.clear()
    with processor_of(exporter, max_queue_size=2) as processor:
        # The queue is full enough at the first span for the thread to take it.
        processor.on_span_end(ended(processor))
        assert exporter.began.wait(30)
        for _ in range(5):
            processor.on_span_end(ended(processor))
        assert (processor.waiting, processor.dropped) == (2, 3)
    assert caplog.text.count("The trace queue is full (2)") == 1
    assert sum(map(len, exporter.batches)) == 3


def test_an_exporter_that_fails_loses_its_batch_and_is_asked_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    exporter = Kept()
    exporter.failures = 1
    with processor_of(exporter) as processor:
        processor.on_span_end(ended(processor))
        processor.force_flush()
        assert (processor.failed, exporter.batches) == (1, [])
        later = ended(processor)
        processor.on_span_end(later)
        processor.force_flush()
    assert exporter.batches == [[later]]
    assert "The trace exporter failed; 1 spans are lost." in caplog.text


def test_the_thread_exports_by_itself_after_the_delay() -> None:
    exporter = Kept()
    processor = BatchTraceProcessor(exporter, schedule_delay=0.001)
    processor.on_span_end(ended(processor))
    assert exporter.exported.wait(30)
    processor.shutdown()


def test_what_waits_at_the_end_goes_out_and_nothing_begins_after_it() -> None:
    exporter = Kept()
    processor = BatchTraceProcessor(exporter)
    processor.shutdown()
    processor.on_span_end(ended(processor))
    assert exporter.batches == []
    processor.shutdown()
    assert len(exporter.batches) == 1


def test_an_exporter_that_does_not_come_back_is_left_behind(
    caplog: pytest.LogCaptureFixture,
) -> None:
    exporter = Kept()
    exporter.gate.clear()
    with processor_of(exporter, max_queue_size=1) as processor:
        processor.on_span_end(ended(processor))
        assert exporter.began.wait(30)
        processor.shutdown(timeout=0.001)
        assert "shutdown timeout reached" in caplog.text


# Python warns of every fork beside threads, which is the very case here.
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_after_a_fork_the_child_exports_its_own_spans() -> None:
    exporter = Kept()
    with processor_of(exporter) as processor:
        processor.on_span_end(ended(processor))
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            processor.on_span_end(ended(processor))
            processor.force_flush()
            os.write(writer, str(sum(map(len, exporter.batches))).encode())
            os._exit(0)
        os.waitpid(child, 0)
        os.close(writer)
        with os.fdopen(reader) as told:
            assert told.read() == "1"


@pytest.mark.parametrize(
    "options",
    [
        {"max_queue_size": 0},
        {"max_batch_size": 0},
        {"schedule_delay": 0},
        {"export_trigger_ratio": 0},
        {"export_trigger_ratio": 1.1},
    ],
)
def test_sizes_that_cannot_work_are_refused(options: dict[str, int]) -> None:
    with pytest.raises(UserError, match="must be"):
        BatchTraceProcessor(Kept(), **options)
