"""A conversation at OpenAI. The OpenAI Agents SDK keeps the name in a module of this name."""

from __future__ import annotations

from handfast.sessions.openai_conversations import OpenAIConversationsSession

__all__ = ["OpenAIConversationsSession"]
