"""Every decorator that makes a function a part of an agent.

The OpenAI Agents SDK keeps these names in a module of this name.
"""

from __future__ import annotations

from handfast.agents.function_tool import function_tool, tool
from handfast.agents.guardrail import input_guardrail, output_guardrail
from handfast.agents.tool_guardrail import tool_input_guardrail, tool_output_guardrail

__all__ = [
    "function_tool",
    "input_guardrail",
    "output_guardrail",
    "tool",
    "tool_input_guardrail",
    "tool_output_guardrail",
]
