"""The trace around a run: its own, the caller's, or none that anybody records."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from handfast.runner.config import RunConfig
from handfast.runner.spans import current
from handfast.tracing.create import get_current_trace
from handfast.tracing.resume import TraceWish, trace_for_run
from handfast.tracing.setup import get_trace_provider
from handfast.tracing.span_data import CustomSpanData
from handfast.tracing.spans import NoOpSpan
from handfast.tracing.trace_state import TraceState
from handfast.tracing.traces import NoOpTrace


@contextmanager
def run_trace(config: RunConfig, stored: TraceState | None = None) -> Generator[None]:
    """Run the block inside the trace that a run's settings ask for.

    Args:
        config: The settings.
        stored: The trace that the run began before a pause.
    """
    # With nobody to tell, a run costs nothing here: no trace, no spans, no context variables.
    if not get_trace_provider().is_recording:
        yield
        return
    if config.tracing_disabled and isinstance(get_current_trace(), NoOpTrace):
        yield
        return
    made = trace_for_run(_wish(config), stored)
    if made is None:
        yield
        return
    made.start(mark_as_current=True)
    try:
        # A caller's span is no parent of anything in a run that is not to be traced.
        hidden = NoOpSpan(CustomSpanData("untraced")) if isinstance(made, NoOpTrace) else None
        with current(hidden):
            yield
    finally:
        made.finish(reset_current=True)


@contextmanager
def untraced(config: RunConfig) -> Generator[None]:
    """Run the block inside no trace, where the settings ask for that; else just run it.

    A streamed run is set up before its own trace begins.
    """
    if not config.tracing_disabled:
        yield
        return
    with run_trace(config):
        yield


def _wish(config: RunConfig) -> TraceWish:
    return TraceWish(
        config.workflow_name,
        config.trace_id,
        config.group_id,
        config.trace_metadata,
        config.tracing,
        config.tracing_disabled,
    )
