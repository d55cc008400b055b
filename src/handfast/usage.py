"""Counts of requests and tokens.

The OpenAI Agents SDK keeps these names in a module of this name.
"""

from __future__ import annotations

from handfast.agents.usage import (
    InputTokensDetails,
    OutputTokensDetails,
    RequestUsage,
    Usage,
    deserialize_usage,
    model_usage_to_span_usage,
    serialize_usage,
)

__all__ = [
    "InputTokensDetails",
    "OutputTokensDetails",
    "RequestUsage",
    "Usage",
    "deserialize_usage",
    "model_usage_to_span_usage",
    "serialize_usage",
]
