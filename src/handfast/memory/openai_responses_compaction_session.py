"""Sessions that OpenAI shortens.

The OpenAI Agents SDK keeps these names in a module of this name.
"""

from __future__ import annotations

from handfast.sessions.openai_compaction import OpenAIResponsesCompactionSession

__all__ = [
    "OpenAIResponsesCompactionSession",
]
