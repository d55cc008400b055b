"""`Scope`: which trace and which span code runs in. It follows tasks, as context variables do."""

from __future__ import annotations

from contextvars import Token

from handfast.tracing.spans import CURRENT_SPAN, Span
from handfast.tracing.traces import CURRENT_TRACE, Trace


class Scope:
    """Reads and sets what is current, for code that cannot use a `with` block."""

    @classmethod
    def get_current_span(cls) -> Span | None:
        """The span that the code runs in."""
        return CURRENT_SPAN.get()

    @classmethod
    def set_current_span(cls, span: Span | None) -> Token[Span | None]:
        """Make a span the current one; the token takes that back."""
        return CURRENT_SPAN.set(span)

    @classmethod
    def reset_current_span(cls, token: Token[Span | None]) -> None:
        """Make current again what was before."""
        CURRENT_SPAN.reset(token)

    @classmethod
    def get_current_trace(cls) -> Trace | None:
        """The trace that the code runs in."""
        return CURRENT_TRACE.get()

    @classmethod
    def set_current_trace(cls, trace: Trace | None) -> Token[Trace | None]:
        """Make a trace the current one; the token takes that back."""
        return CURRENT_TRACE.set(trace)

    @classmethod
    def reset_current_trace(cls, token: Token[Trace | None]) -> None:
        """Make current again what was before."""
        CURRENT_TRACE.reset(token)
