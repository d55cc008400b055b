"""Times and ids of traces and spans."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime


def time_iso() -> str:
    """The time now, ISO 8601 in UTC."""
    return datetime.now(UTC).isoformat()


def gen_trace_id() -> str:
    """A new id for a trace: `trace_` and 32 hexadecimal digits."""
    return f"trace_{uuid.uuid4().hex}"


def gen_span_id() -> str:
    """A new id for a span: `span_` and 24 hexadecimal digits."""
    return f"span_{uuid.uuid4().hex[:24]}"


def gen_group_id() -> str:
    """A new id for traces that belong together: `group_` and 24 hexadecimal digits."""
    return f"group_{uuid.uuid4().hex[:24]}"
