"""Further sessions. The OpenAI Agents SDK keeps these names in a module of this name.

`SQLAlchemySession` needs handfast[sqlalchemy]; import it from `sqlalchemy_session`.
"""

from __future__ import annotations

from handfast.sessions.async_sqlite import AsyncSQLiteSession

__all__ = ["AsyncSQLiteSession"]
