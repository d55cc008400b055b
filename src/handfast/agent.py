"""Agents, and what decides when one has finished.

The OpenAI Agents SDK keeps these names in a module of this name.
"""

from __future__ import annotations

from handfast.agents.agent import Agent, AgentBase
from handfast.agents.agent_tool import AgentToolStreamEvent
from handfast.agents.tool_use import (
    FunctionToolResult,
    StopAtTools,
    ToolsToFinalOutputFunction,
    ToolsToFinalOutputResult,
)

__all__ = [
    "Agent",
    "AgentBase",
    "AgentToolStreamEvent",
    "FunctionToolResult",
    "StopAtTools",
    "ToolsToFinalOutputFunction",
    "ToolsToFinalOutputResult",
]
