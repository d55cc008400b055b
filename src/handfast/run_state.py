"""A run as a value. The OpenAI Agents SDK keeps these names in a module of this name."""

from __future__ import annotations

from handfast.core.schema_versions import (
    CURRENT_SCHEMA_VERSION,
    SCHEMA_VERSION_SUMMARIES,
    SUPPORTED_SCHEMA_VERSIONS,
)
from handfast.runner.run_state import RunState

__all__ = [
    "CURRENT_SCHEMA_VERSION",
    "SCHEMA_VERSION_SUMMARIES",
    "SUPPORTED_SCHEMA_VERSIONS",
    "RunState",
]
