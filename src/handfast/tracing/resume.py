"""The trace of a run: a new one, the one around it, or the one that it began before a pause."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from handfast.tracing.setup import get_trace_provider
from handfast.tracing.trace_state import TraceState
from handfast.tracing.traces import RecordedTrace, Trace, TracingConfig, began_here

DEFAULT_WORKFLOW = "Agent workflow"


@dataclass(frozen=True, slots=True)
class TraceWish:
    """What a run's settings say about its trace."""

    workflow_name: str = DEFAULT_WORKFLOW
    trace_id: str | None = None
    group_id: str | None = None
    metadata: Mapping[str, object] | None = None
    tracing: TracingConfig | None = None
    disabled: bool = False


def trace_for_run(wish: TraceWish, stored: TraceState | None = None) -> Trace | None:
    """The trace that a run begins.

    Args:
        wish: What its settings say.
        stored: The trace that it began before a pause.

    Returns:
        None where the run belongs to the trace around it. A run that goes on in the process that
        it began in goes on with its trace, of which processors have been told.
    """
    provider = get_trace_provider()
    if wish.disabled:
        return provider.create_trace(wish.workflow_name, disabled=True)
    if provider.get_current_trace() is not None:
        return None
    wanted = wish if stored is None else _continued(wish, stored)
    if stored is not None and _same(wanted, stored) and began_here(stored.trace_id):
        key = (wanted.tracing or {}).get("api_key") or stored.tracing_api_key
        return RecordedTrace(
            name=stored.workflow_name,
            trace_id=stored.trace_id,
            group_id=stored.group_id,
            metadata=stored.metadata,
            tracing_api_key=key,
        )
    return provider.create_trace(
        wanted.workflow_name,
        wanted.trace_id,
        wanted.group_id,
        wanted.metadata,
        tracing=wanted.tracing,
    )


def _continued(wish: TraceWish, stored: TraceState) -> TraceWish:
    """What the settings say, and where they say nothing what the stored trace was."""
    named = wish.workflow_name != DEFAULT_WORKFLOW
    tracing = wish.tracing
    if tracing is None and stored.tracing_api_key is not None:
        tracing = TracingConfig(api_key=stored.tracing_api_key)
    return TraceWish(
        wish.workflow_name if named else stored.workflow_name,
        wish.trace_id or stored.trace_id,
        stored.group_id if wish.group_id is None else wish.group_id,
        stored.metadata if wish.metadata is None else wish.metadata,
        tracing,
    )


def _same(wish: TraceWish, stored: TraceState) -> bool:
    key = (wish.tracing or {}).get("api_key")
    asked = TraceState(
        wish.trace_id or "", wish.workflow_name, wish.group_id, wish.metadata
    ).with_key(key)
    return asked.same_as(stored)
