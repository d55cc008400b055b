"""The runner. The OpenAI Agents SDK keeps these names in a module of this name."""

from __future__ import annotations

from handfast.runner.agent_runner import (
    AgentRunner,
    get_default_agent_runner,
    set_default_agent_runner,
)
from handfast.runner.config import CallModelData, ModelInputData, RunConfig
from handfast.runner.runner import Runner

__all__ = [
    "AgentRunner",
    "CallModelData",
    "ModelInputData",
    "RunConfig",
    "Runner",
    "get_default_agent_runner",
    "set_default_agent_runner",
]
