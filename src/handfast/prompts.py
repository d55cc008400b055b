"""Prompts that a provider stores.

The OpenAI Agents SDK keeps these names in a module of this name.
"""

from __future__ import annotations

from handfast.agents.prompt import DynamicPromptFunction, GenerateDynamicPromptData, Prompt

__all__ = [
    "DynamicPromptFunction",
    "GenerateDynamicPromptData",
    "Prompt",
]
