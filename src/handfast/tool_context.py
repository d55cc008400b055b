"""The context of one tool call.

The OpenAI Agents SDK keeps these names in a module of this name.
"""

from __future__ import annotations

from handfast.agents.context import ToolContext

__all__ = [
    "ToolContext",
]
