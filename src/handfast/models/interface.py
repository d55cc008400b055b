"""What a model is, and where models are found.

The OpenAI Agents SDK keeps these names in a module of this name.
"""

from __future__ import annotations

from handfast.agents.model import Model, ModelProvider, ModelTracing

__all__ = [
    "Model",
    "ModelProvider",
    "ModelTracing",
]
