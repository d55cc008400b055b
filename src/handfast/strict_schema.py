"""Strict JSON schemas. The OpenAI Agents SDK keeps these names in a module of this name."""

from __future__ import annotations

from handfast.agents.strict_schema import ensure_strict_json_schema

__all__ = [
    "ensure_strict_json_schema",
]
