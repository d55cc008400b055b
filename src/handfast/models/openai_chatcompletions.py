"""The chat completions adapter.

The OpenAI Agents SDK keeps these names in a module of this name.
"""

from __future__ import annotations

from handfast.models.openai_chat import OpenAIChatCompletionsModel

__all__ = [
    "OpenAIChatCompletionsModel",
]
