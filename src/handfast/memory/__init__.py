"""Stored conversations. The OpenAI Agents SDK keeps these names in a module of this name."""

from __future__ import annotations

from handfast.agents.compaction import (
    OpenAIResponsesCompactionArgs,
    OpenAIResponsesCompactionAwareSession,
    is_openai_responses_compaction_aware_session,
)
from handfast.agents.session import Session, SessionABC, SessionSettings
from handfast.sessions.openai_compaction import OpenAIResponsesCompactionSession
from handfast.sessions.openai_conversations import OpenAIConversationsSession
from handfast.sessions.sqlite import SQLiteSession

__all__ = [
    "OpenAIConversationsSession",
    "OpenAIResponsesCompactionArgs",
    "OpenAIResponsesCompactionAwareSession",
    "OpenAIResponsesCompactionSession",
    "SQLiteSession",
    "Session",
    "SessionABC",
    "SessionSettings",
    "is_openai_responses_compaction_aware_session",
]
