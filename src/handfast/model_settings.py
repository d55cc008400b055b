"""Settings of a model call. The OpenAI Agents SDK keeps these names in a module of this name."""

from __future__ import annotations

from handfast.agents.model_settings import MCPToolChoice, ModelSettings

__all__ = [
    "MCPToolChoice",
    "ModelSettings",
]
