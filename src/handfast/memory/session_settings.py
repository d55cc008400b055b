"""How much of a session a run is shown.

The OpenAI Agents SDK keeps these names in a module of this name.
"""

from __future__ import annotations

from handfast.agents.session import SessionSettings

__all__ = [
    "SessionSettings",
]
