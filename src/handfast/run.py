"""The runner. The OpenAI Agents SDK keeps these names in a module of this name."""

from __future__ import annotations

from handfast.agents.context import RunContextWrapper
from handfast.runner.agent_runner import (
    AgentRunner,
    get_default_agent_runner,
    set_default_agent_runner,
)
from handfast.runner.config import (
    DEFAULT_MAX_TURNS,
    CallModelData,
    CallModelInputFilter,
    ModelInputData,
    RunConfig,
    ToolExecutionConfig,
    ToolNameCollisionPolicy,
    ToolNotFoundBehavior,
)
from handfast.runner.formatting import ToolErrorFormatter, ToolErrorFormatterArgs
from handfast.runner.preparation import RunOptions
from handfast.runner.run_state import ReasoningItemIdPolicy, RunState
from handfast.runner.runner import Runner

__all__ = [
    "DEFAULT_MAX_TURNS",
    "AgentRunner",
    "CallModelData",
    "CallModelInputFilter",
    "ModelInputData",
    "ReasoningItemIdPolicy",
    "RunConfig",
    "RunContextWrapper",
    "RunOptions",
    "RunState",
    "Runner",
    "ToolErrorFormatter",
    "ToolErrorFormatterArgs",
    "ToolExecutionConfig",
    "ToolNameCollisionPolicy",
    "ToolNotFoundBehavior",
    "get_default_agent_runner",
    "set_default_agent_runner",
]
