"""Sessions in PostgreSQL and other databases. The OpenAI Agents SDK keeps the name here."""

from __future__ import annotations

from handfast.sessions.sqlalchemy import SQLAlchemySession

__all__ = ["SQLAlchemySession"]
