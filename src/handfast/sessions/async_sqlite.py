"""`AsyncSQLiteSession`: as `SQLiteSession`, closed in async code."""

from __future__ import annotations

import asyncio

from handfast.sessions.sqlite import SQLiteConversation


class AsyncSQLiteSession(SQLiteConversation):
    """A conversation in an SQLite database. Reads and writes of either class wait in threads."""

    async def close(self) -> None:
        """Close the database once what is under way has ended; it cannot be used afterwards."""
        await asyncio.shield(asyncio.to_thread(self._close))
