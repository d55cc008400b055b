"""A run as a value. The OpenAI Agents SDK keeps these names in a module of this name."""

from __future__ import annotations

from handfast.runner.run_state import RunState

__all__ = [
    "RunState",
]
