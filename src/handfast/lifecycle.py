"""Hooks of a run and of an agent.

The OpenAI Agents SDK keeps these names in a module of this name.
"""

from __future__ import annotations

from handfast.agents.hooks import AgentHooks, AgentHooksBase, RunHooks, RunHooksBase

__all__ = [
    "AgentHooks",
    "AgentHooksBase",
    "RunHooks",
    "RunHooksBase",
]
