"""Settings of a run. The OpenAI Agents SDK keeps these names in a module of this name."""

from __future__ import annotations

from handfast.runner.config import (
    CallModelData,
    CallModelInputFilter,
    ModelInputData,
    RunConfig,
    ToolExecutionConfig,
    ToolNameCollisionPolicy,
    ToolNotFoundBehavior,
)
from handfast.runner.formatting import (
    OutputGuardrailBlockedMessageArgs,
    ToolErrorFormatter,
    ToolErrorFormatterArgs,
)

__all__ = [
    "CallModelData",
    "CallModelInputFilter",
    "ModelInputData",
    "OutputGuardrailBlockedMessageArgs",
    "RunConfig",
    "ToolErrorFormatter",
    "ToolErrorFormatterArgs",
    "ToolExecutionConfig",
    "ToolNameCollisionPolicy",
    "ToolNotFoundBehavior",
]
