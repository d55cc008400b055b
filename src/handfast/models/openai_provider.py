"""OpenAI's models by name. The OpenAI Agents SDK keeps these names in a module of this name."""

from __future__ import annotations

from handfast.models.provider import OpenAIProvider

__all__ = [
    "OpenAIProvider",
]
