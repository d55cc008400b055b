"""The protocol of a stored conversation.

The OpenAI Agents SDK keeps these names in a module of this name.
"""

from __future__ import annotations

from handfast.agents.session import Session, SessionABC

__all__ = [
    "Session",
    "SessionABC",
]
