"""What a run came to. The OpenAI Agents SDK keeps these names in a module of this name."""

from __future__ import annotations

from handfast.agents.agent_tool import AgentToolInvocation
from handfast.runner.result import RunResult
from handfast.runner.run_view import ToInputListMode
from handfast.runner.stream import RunResultStreaming

__all__ = [
    "AgentToolInvocation",
    "RunResult",
    "RunResultStreaming",
    "ToInputListMode",
]
