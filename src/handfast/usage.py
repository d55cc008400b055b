"""Counts of requests and tokens.

The OpenAI Agents SDK keeps these names in a module of this name.
"""

from __future__ import annotations

from handfast.agents.usage import InputTokensDetails, OutputTokensDetails, RequestUsage, Usage

__all__ = [
    "InputTokensDetails",
    "OutputTokensDetails",
    "RequestUsage",
    "Usage",
]
