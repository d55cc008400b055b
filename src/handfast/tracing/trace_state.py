"""`TraceState`: what a stored run remembers of its trace, to go on with it later."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from handfast.agents.json_types import is_object


class RememberedTrace(Protocol):
    """What a `TraceState` needs to know of a trace."""

    @property
    def trace_id(self) -> str:
        """Its id."""
        ...

    @property
    def name(self) -> str:
        """Its name."""
        ...

    @property
    def group_id(self) -> str | None:
        """What it belongs to, with other traces."""
        ...

    @property
    def metadata(self) -> Mapping[str, object] | None:
        """What the program said of it."""
        ...

    @property
    def tracing_api_key(self) -> str | None:
        """The key for exporters."""
        ...

    def export(self) -> Mapping[str, object] | None:
        """Its data; None for one that nobody records."""
        ...


@dataclass(frozen=True, slots=True)
class TraceState:
    """What a stored run remembers of its trace, to go on with it later."""

    trace_id: str
    workflow_name: str
    group_id: str | None = None
    metadata: Mapping[str, object] | None = None
    tracing_api_key: str | None = None
    tracing_api_key_hash: str | None = None
    """Tells whether a later run names the same key, where the key itself is not stored."""

    @classmethod
    def from_trace(cls, trace: RememberedTrace | None) -> TraceState | None:
        """What to remember of a trace; None for one that nobody records."""
        if trace is None or trace.export() is None:
            return None
        key = trace.tracing_api_key
        return cls(
            trace.trace_id,
            trace.name,
            trace.group_id,
            trace.metadata,
            key,
            _hash_of(key),
        )

    @classmethod
    def from_json(cls, data: object) -> TraceState | None:
        """What was stored; None where it is no trace."""
        if not is_object(data):
            return None
        trace_id, name = data.get("id"), data.get("workflow_name")
        if not isinstance(trace_id, str) or not isinstance(name, str):
            return None
        group, metadata = data.get("group_id"), data.get("metadata")
        key, stored = data.get("tracing_api_key"), data.get("tracing_api_key_hash")
        key = key if isinstance(key, str) else None
        return cls(
            trace_id,
            name,
            group if isinstance(group, str) else None,
            metadata if is_object(metadata) else None,
            key,
            stored if isinstance(stored, str) else _hash_of(key),
        )

    def to_json(self, *, include_tracing_api_key: bool = False) -> dict[str, object]:
        """The state as plain data, with the key only when that is asked for."""
        data: dict[str, object] = {
            "object": "trace",
            "id": self.trace_id,
            "workflow_name": self.workflow_name,
            "group_id": self.group_id,
            "metadata": None if self.metadata is None else dict(self.metadata),
        }
        if self.tracing_api_key_hash is not None:
            data["tracing_api_key_hash"] = self.tracing_api_key_hash
        if include_tracing_api_key and self.tracing_api_key is not None:
            data["tracing_api_key"] = self.tracing_api_key
        return data

    def with_key(self, key: str | None) -> TraceState:
        """The state with another key."""
        return replace(self, tracing_api_key=key, tracing_api_key_hash=_hash_of(key))

    def same_as(self, other: TraceState) -> bool:
        """True when both mean the same trace with the same settings."""
        return (
            (self.trace_id, self.workflow_name, self.group_id)
            == (other.trace_id, other.workflow_name, other.group_id)
            and dict(self.metadata or {}) == dict(other.metadata or {})
            and self.tracing_api_key_hash == other.tracing_api_key_hash
        )


def _hash_of(key: str | None) -> str | None:
    return None if key is None else hashlib.sha256(key.encode()).hexdigest()
