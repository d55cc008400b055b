"""A screen, mouse and keyboard.

The OpenAI Agents SDK keeps these names in a module of this name.
"""

from __future__ import annotations

from handfast.agents.computer import AsyncComputer, Button, Computer, ComputerProvider, Environment

__all__ = [
    "AsyncComputer",
    "Button",
    "Computer",
    "ComputerProvider",
    "Environment",
]
