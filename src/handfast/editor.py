"""An editor of files. The OpenAI Agents SDK keeps these names in a module of this name."""

from __future__ import annotations

from handfast.agents.editor import ApplyPatchEditor, ApplyPatchOperation, ApplyPatchResult

__all__ = [
    "ApplyPatchEditor",
    "ApplyPatchOperation",
    "ApplyPatchResult",
]
