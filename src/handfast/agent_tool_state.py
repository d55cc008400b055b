"""Paused agent tools. The OpenAI Agents SDK keeps these names in a module of this name."""

from __future__ import annotations

from handfast.runner.paused_tools import (
    consume_agent_tool_run_result,
    drop_agent_tool_run_result,
    get_agent_tool_state_scope,
    peek_agent_tool_run_result,
    record_agent_tool_resume_state,
    record_agent_tool_run_result,
    set_agent_tool_state_scope,
)

__all__ = [
    "consume_agent_tool_run_result",
    "drop_agent_tool_run_result",
    "get_agent_tool_state_scope",
    "peek_agent_tool_run_result",
    "record_agent_tool_resume_state",
    "record_agent_tool_run_result",
    "set_agent_tool_state_scope",
]
