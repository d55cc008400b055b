"""The runner. The OpenAI Agents SDK keeps these names in a module of this name."""

from __future__ import annotations

from handfast.runner.config import CallModelData, ModelInputData, RunConfig
from handfast.runner.runner import Runner

__all__ = [
    "CallModelData",
    "ModelInputData",
    "RunConfig",
    "Runner",
]
