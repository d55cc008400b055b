"""Models by name and prefix. The OpenAI Agents SDK keeps these names in a module of this name."""

from __future__ import annotations

from handfast.models.provider import MultiProvider

__all__ = [
    "MultiProvider",
]
