"""A conversation in a terminal. The OpenAI Agents SDK keeps the name in a module of this name."""

from __future__ import annotations

from handfast.runner.repl import run_demo_loop

__all__ = ["run_demo_loop"]
