"""Conversations in SQLite. The OpenAI Agents SDK keeps these names in a module of this name."""

from __future__ import annotations

from handfast.sessions.sqlite import SQLiteSession

__all__ = [
    "SQLiteSession",
]
