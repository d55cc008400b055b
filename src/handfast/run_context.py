"""What user code is handed. The OpenAI Agents SDK keeps these names in a module of this name."""

from __future__ import annotations

from handfast.agents.context import AgentHookContext, RunContextWrapper, TContext

__all__ = [
    "AgentHookContext",
    "RunContextWrapper",
    "TContext",
]
