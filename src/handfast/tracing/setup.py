"""The one provider of the process."""

from __future__ import annotations

import atexit
import threading
from collections.abc import Sequence

from handfast.tracing.processor_interface import TracingProcessor
from handfast.tracing.provider import DefaultTraceProvider, TraceProvider


class _Process:
    """What the process has set up; made when it is first asked for."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.provider: TraceProvider | None = None
        self.ends = False

    def use(self, provider: TraceProvider) -> None:
        self.provider = provider
        if not self.ends:
            self.ends = True
            atexit.register(self.shutdown)

    def shutdown(self) -> None:
        if self.provider is not None:
            self.provider.shutdown()


_process = _Process()


def set_trace_provider(provider: TraceProvider) -> None:
    """Let another provider make this process's traces and spans."""
    with _process.lock:
        _process.use(provider)


def get_trace_provider() -> TraceProvider:
    """The provider of this process: the one that was set, else a `DefaultTraceProvider`."""
    provider = _process.provider
    if provider is not None:
        return provider
    with _process.lock:
        if _process.provider is not None:
            return _process.provider
        provider = DefaultTraceProvider()
        _process.use(provider)
        return provider


def add_trace_processor(processor: TracingProcessor) -> None:
    """Tell one more processor of every trace and span that begins from here on."""
    get_trace_provider().register_processor(processor)


def set_trace_processors(processors: Sequence[TracingProcessor]) -> None:
    """Tell these processors, and no others."""
    get_trace_provider().set_processors(processors)


def set_tracing_disabled(disabled: bool) -> None:  # noqa: FBT001 - the SDK's signature
    """Record nothing in this process, or record again."""
    get_trace_provider().set_disabled(disabled)


def flush_traces() -> None:
    """Have every processor write what is left, now; may block."""
    get_trace_provider().force_flush()
