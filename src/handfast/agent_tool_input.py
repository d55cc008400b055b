"""How an agent used as a tool gets its input.

The OpenAI Agents SDK keeps these names in a module of this name.
"""

from __future__ import annotations

from handfast.agents.agent_tool import AgentAsToolInput, StructuredToolInputBuilderOptions

__all__ = [
    "AgentAsToolInput",
    "StructuredToolInputBuilderOptions",
]
