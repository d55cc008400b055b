"""What an agent is, in a text that is the same in every process.

A stored run names its agents. Where two have one name, this tells them apart: everything that a
program declares about an agent counts, nothing that only one process knows.
"""

from __future__ import annotations

import json

from handfast.agents.agent import Agent, AnyAgent
from handfast.agents.handoff import Handoff
from handfast.agents.json_types import is_object
from handfast.agents.tool import FunctionTool


def agent_signature(agent: AnyAgent) -> str:
    """The agent's declaration as JSON text. Hooks count by their class, for their state changes."""
    declared = {
        "instructions": _named(agent.instructions),
        "handoff_description": agent.handoff_description,
        "model": _named(agent.model),
        "output_type": _named(agent.output_type),
        "tool_use_behavior": _named(agent.tool_use_behavior),
        "hooks": None if agent.hooks is None else type(agent.hooks).__qualname__,
        "tools": [_tool(each) for each in agent.tools],
        "handoffs": [_handoff(each) for each in agent.handoffs],
        "input_guardrails": [each.get_name() for each in agent.input_guardrails],
        "output_guardrails": [each.get_name() for each in agent.output_guardrails],
    }
    return json.dumps(declared, sort_keys=True, default=str)


def _tool(tool: object) -> list[object]:
    name = getattr(tool, "name", type(tool).__qualname__)
    if not isinstance(tool, FunctionTool):
        return [name]
    return [name, tool.description, tool.params_json_schema, tool.needs_approval is True]


def _handoff(target: object) -> str:
    if isinstance(target, Handoff):
        return target.tool_name
    return target.name if isinstance(target, Agent) else type(target).__qualname__


def _named(value: object) -> object:
    """Text and plain data as they are; anything else by its name or its class."""
    if value is None or isinstance(value, str) or is_object(value):
        return value
    name = getattr(value, "__qualname__", None)
    return name if isinstance(name, str) else type(value).__qualname__
