"""`Trace`: everything that one piece of work did, from end to end."""

from __future__ import annotations

import abc
import threading
from collections import OrderedDict
from collections.abc import Mapping
from contextvars import ContextVar
from types import TracebackType
from typing import Final, Protocol, Self, TypedDict

from handfast.tracing.clock import gen_trace_id
from handfast.tracing.mark import Mark
from handfast.tracing.spans import NO_OP
from handfast.tracing.trace_state import TraceState


class TracingConfig(TypedDict, total=False):
    """Settings of a run's tracing."""

    api_key: str
    """Handed to exporters with each span, for those that need a key."""
    include_task_and_turn_spans: bool
    """False leaves out the spans of the run itself and of its turns."""


class Trace(abc.ABC):
    """A piece of work. Use it in a `with` block, or `start` and `finish` it."""

    @property
    @abc.abstractmethod
    def trace_id(self) -> str:
        """Its id."""

    @property
    @abc.abstractmethod
    def name(self) -> str:
        """The name of the workflow."""

    @abc.abstractmethod
    def start(self, mark_as_current: bool = False) -> None:  # noqa: FBT001, FBT002 - the SDK's name
        """Begin.

        Args:
            mark_as_current: Spans that begin from here on belong to it.
        """

    @abc.abstractmethod
    def finish(self, reset_current: bool = False) -> None:  # noqa: FBT001, FBT002 - the SDK's name
        """End.

        Args:
            reset_current: Make current again what was current before it began.
        """

    @abc.abstractmethod
    def export(self) -> dict[str, object] | None:
        """The trace as plain data; None where nothing is recorded."""

    @property
    def group_id(self) -> str | None:
        """What it belongs to together with other traces, a conversation for example."""
        return None

    @property
    def metadata(self) -> Mapping[str, object] | None:
        """What the program wants to know about it."""
        return None

    @property
    def tracing_api_key(self) -> str | None:
        """The key that exporters should use for it, where one was named."""
        return None

    def to_json(self, *, include_tracing_api_key: bool = False) -> dict[str, object] | None:
        """The trace as plain data, with its key only when that is asked for."""
        exported = self.export()
        if exported is not None and include_tracing_api_key and self.tracing_api_key is not None:
            exported["tracing_api_key"] = self.tracing_api_key
        return exported

    def __enter__(self) -> Self:
        self.start(mark_as_current=True)
        return self

    @abc.abstractmethod
    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End, whatever happened inside."""


CURRENT_TRACE: Final[ContextVar[Trace | None]] = ContextVar("handfast_trace", default=None)


class TraceSink(Protocol):
    """Is told of traces: the part of a `TracingProcessor` that a trace needs."""

    def on_trace_start(self, trace: Trace) -> None:
        """A trace begins."""
        ...

    def on_trace_end(self, trace: Trace) -> None:
        """A trace has ended."""
        ...


class NoOpTrace(Trace):
    """A trace that nobody records; spans inside record nothing either."""

    def __init__(self) -> None:
        self._mark: Mark[Trace] = Mark(CURRENT_TRACE)

    @property
    def trace_id(self) -> str:
        """`no-op`."""
        return NO_OP

    @property
    def name(self) -> str:
        """`no-op`."""
        return NO_OP

    def start(self, mark_as_current: bool = False) -> None:  # noqa: FBT001, FBT002 - the SDK's name
        """Begin."""
        if mark_as_current:
            self._mark.set(self)

    def finish(self, reset_current: bool = False) -> None:  # noqa: FBT001, FBT002 - the SDK's name
        """End."""
        if reset_current:
            self._mark.reset()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End."""
        self._mark.reset(tolerant=kind is GeneratorExit)

    def export(self) -> dict[str, object] | None:
        """None."""
        return None


class RecordedTrace(Trace):
    """A trace that processors are told of.

    Args:
        name: The name of the workflow.
        trace_id: Its id; None makes one.
        group_id: What it belongs to together with other traces.
        metadata: What the program wants to know about it.
        processor: Is told of its beginning and its end; None where it began before, in an earlier
            part of the same run, and was told of then.
        tracing_api_key: For exporters.
    """

    def __init__(
        self,
        *,
        name: str,
        trace_id: str | None = None,
        group_id: str | None = None,
        metadata: Mapping[str, object] | None = None,
        processor: TraceSink | None = None,
        tracing_api_key: str | None = None,
    ) -> None:
        self._name = name
        self._trace_id = trace_id or gen_trace_id()
        self._group_id = group_id
        self._metadata = metadata
        self._processor = processor
        self._tracing_api_key = tracing_api_key
        self._started = False
        self._finished = False
        self._mark: Mark[Trace] = Mark(CURRENT_TRACE)

    @property
    def trace_id(self) -> str:
        """Its id."""
        return self._trace_id

    @property
    def name(self) -> str:
        """The name of the workflow."""
        return self._name

    @property
    def group_id(self) -> str | None:
        """What it belongs to together with other traces."""
        return self._group_id

    @property
    def metadata(self) -> Mapping[str, object] | None:
        """What the program wants to know about it."""
        return self._metadata

    @property
    def tracing_api_key(self) -> str | None:
        """For exporters."""
        return self._tracing_api_key

    def start(self, mark_as_current: bool = False) -> None:  # noqa: FBT001, FBT002 - the SDK's name
        """Begin; a second time does nothing."""
        if self._started:
            return
        self._started = True
        _remember(self._trace_id)
        if self._processor is not None:
            self._processor.on_trace_start(self)
        if mark_as_current:
            self._mark.set(self)

    def finish(self, reset_current: bool = False) -> None:  # noqa: FBT001, FBT002 - the SDK's name
        """End; a second time does nothing."""
        try:
            self._finish()
        finally:
            if reset_current:
                self._mark.reset()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End, whatever happened inside."""
        try:
            self._finish()
        finally:
            self._mark.reset(tolerant=kind is GeneratorExit)

    def _finish(self) -> None:
        if self._finished or not self._started:
            return
        self._finished = True
        if self._processor is not None:
            self._processor.on_trace_end(self)

    def export(self) -> dict[str, object]:
        """The trace as plain data."""
        return {
            "object": "trace",
            "id": self._trace_id,
            "workflow_name": self._name,
            "group_id": self._group_id,
            "metadata": self._metadata,
        }


# ---- traces that this process began --------------------------------------------------------------

MAX_REMEMBERED: Final = 10_000
"""How many traces a process remembers having begun; a run resumed later begins its trace again."""

_begun: OrderedDict[str, None] = OrderedDict()
_lock = threading.Lock()


def began_here(trace_id: str) -> bool:
    """True when this process has told its processors of the trace."""
    with _lock:
        return trace_id in _begun


def _remember(trace_id: str) -> None:
    with _lock:
        _begun[trace_id] = None
        _begun.move_to_end(trace_id)
        while len(_begun) > MAX_REMEMBERED:
            _begun.popitem(last=False)


__all__ = [
    "NoOpTrace",
    "RecordedTrace",
    "Trace",
    "TraceSink",
    "TraceState",
    "TracingConfig",
    "began_here",
]
