"""Schemas of typed final output.

The OpenAI Agents SDK keeps these names in a module of this name.
"""

from __future__ import annotations

from handfast.agents.output import AgentOutputSchema, AgentOutputSchemaBase

__all__ = [
    "AgentOutputSchema",
    "AgentOutputSchemaBase",
]
