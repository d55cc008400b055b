"""How an agent used as a tool gets its input.

The OpenAI Agents SDK keeps these names in a module of this name.
"""

from __future__ import annotations

from handfast.agents.agent_tool_input import (
    AgentAsToolInput,
    StructuredToolInputBuilderOptions,
    default_tool_input_builder,
)

__all__ = [
    "AgentAsToolInput",
    "StructuredToolInputBuilderOptions",
    "default_tool_input_builder",
]
