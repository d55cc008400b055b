"""`BatchTraceProcessor`: keeps finished spans in a bounded queue and exports them in batches."""

from __future__ import annotations

import logging
import os
import threading
import weakref
from collections import deque
from collections.abc import Callable
from typing import Final

from handfast.errors import UserError
from handfast.tracing.processor_interface import TracingExporter, TracingProcessor
from handfast.tracing.spans import Span
from handfast.tracing.traces import Trace

logger = logging.getLogger("handfast")

MAX_QUEUE_SIZE: Final = 8_192
MAX_BATCH_SIZE: Final = 128
SCHEDULE_SECONDS: Final = 5.0
SHUTDOWN_SECONDS: Final = 5.0


class BatchTraceProcessor(TracingProcessor):
    """Exports in a thread of its own, which begins with the first span.

    A full queue drops what comes and counts it (`dropped`): tracing never slows a run down. What
    the exporter raises is logged and its batch counted as `failed`; the thread goes on. After a
    fork, the child begins with an empty queue and a thread of its own.

    Args:
        exporter: Where batches go.
        max_queue_size: How many spans and traces may wait.
        max_batch_size: How many go in one batch.
        schedule_delay: Seconds after which waiting spans are exported however few they are.
        export_trigger_ratio: How full the queue is, of 1, when the thread exports at once.

    Raises:
        UserError: A size is below 1, the delay is not positive or the ratio not in (0, 1].
    """

    def __init__(
        self,
        exporter: TracingExporter,
        max_queue_size: int = MAX_QUEUE_SIZE,
        max_batch_size: int = MAX_BATCH_SIZE,
        schedule_delay: float = SCHEDULE_SECONDS,
        export_trigger_ratio: float = 0.7,
    ) -> None:
        if max_queue_size < 1 or max_batch_size < 1:
            raise UserError("max_queue_size and max_batch_size must be at least 1.")
        if schedule_delay <= 0 or not 0 < export_trigger_ratio <= 1:
            raise UserError("schedule_delay must be above 0, export_trigger_ratio in (0, 1].")
        self._exporter = exporter
        self._max_queue_size = max_queue_size
        self._max_batch_size = max_batch_size
        self._schedule_delay = schedule_delay
        self._trigger_size = max(1, int(max_queue_size * export_trigger_ratio))
        self.dropped = 0
        """How many spans and traces found the queue full."""
        self.failed = 0
        """How many the exporter did not take."""
        self._closed = False
        self._begin_anew()
        after_fork = weakref.WeakMethod(self._begin_anew)
        os.register_at_fork(after_in_child=lambda: _call(after_fork))

    @property
    def waiting(self) -> int:
        """How many spans and traces wait in the queue."""
        return len(self._queue)

    def on_trace_start(self, trace: Trace) -> None:
        """Queue the trace: what is known of it is known when it begins."""
        self._put(trace)

    def on_trace_end(self, trace: Trace) -> None:
        """Nothing new is known."""

    def on_span_start(self, span: Span) -> None:
        """Spans are exported when they have ended."""

    def on_span_end(self, span: Span) -> None:
        """Queue the span."""
        self._put(span)

    def force_flush(self) -> None:
        """Export everything that waits, in the calling thread, which may block."""
        self._export_waiting()

    def shutdown(self, timeout: float | None = SHUTDOWN_SECONDS) -> None:
        """Export what waits and end the thread.

        Args:
            timeout: Seconds after which an exporter that does not come back is left behind.
        """
        self._closed = True
        with self._changed:
            self._changed.notify_all()
        if self._thread is None:
            self._export_waiting()
            return
        self._thread.join(timeout)
        if self._thread.is_alive():
            logger.warning(
                "The trace exporter's shutdown timeout reached; %d spans were left.",
                self.waiting,
            )

    def _begin_anew(self) -> None:
        self._queue: deque[Trace | Span] = deque()
        self._changed = threading.Condition()
        self._exporting = threading.Lock()
        self._thread: threading.Thread | None = None

    def _put(self, item: Trace | Span) -> None:
        with self._changed:
            if len(self._queue) >= self._max_queue_size:
                self.dropped += 1
                first = self.dropped == 1
            else:
                self._queue.append(item)
                first = False
            if self._thread is None and not self._closed:
                self._thread = threading.Thread(
                    target=self._work,
                    name="handfast-traces",
                    daemon=True,
                )
                self._thread.start()
            elif len(self._queue) >= self._trigger_size:
                self._changed.notify()
        if first:
            logger.warning("The trace queue is full (%d); spans are dropped.", self._max_queue_size)

    def _work(self) -> None:
        while not self._closed:
            with self._changed:
                self._changed.wait_for(self._is_due, self._schedule_delay)
            self._export_waiting()
        self._export_waiting()

    def _is_due(self) -> bool:
        return self._closed or len(self._queue) >= self._trigger_size

    def _export_waiting(self) -> None:
        with self._exporting:
            while batch := self._take():
                try:
                    self._exporter.export(batch)
                except Exception:
                    self.failed += len(batch)
                    logger.exception("The trace exporter failed; %d spans are lost.", len(batch))

    def _take(self) -> list[Trace | Span]:
        with self._changed:
            size = min(len(self._queue), self._max_batch_size)
            return [self._queue.popleft() for _ in range(size)]


def _call(method: weakref.WeakMethod[Callable[[], None]]) -> None:
    found = method()
    if found is not None:
        found()
