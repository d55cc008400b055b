"""What a streamed run tells its reader.

The OpenAI Agents SDK keeps these names in a module of this name.
"""

from __future__ import annotations

from handfast.runner.stream_events import (
    AgentUpdatedStreamEvent,
    RawResponsesStreamEvent,
    RunItemStreamEvent,
    StreamEvent,
)

__all__ = [
    "AgentUpdatedStreamEvent",
    "RawResponsesStreamEvent",
    "RunItemStreamEvent",
    "StreamEvent",
]
