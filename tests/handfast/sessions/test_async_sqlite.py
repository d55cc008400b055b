from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from handfast.errors import SessionClosedError
from handfast.sessions.async_sqlite import AsyncSQLiteSession


async def test_items_are_kept_and_the_session_is_closed_for_good(tmp_path: Path) -> None:
    session = AsyncSQLiteSession("s", tmp_path / "s.db")
    await session.add_items([{"role": "user", "content": "x"}])
    assert await session.get_items() == [{"role": "user", "content": "x"}]
    await asyncio.gather(session.close(), session.close())
    for operation in (session.get_items(), session.pop_item(), session.clear_session()):
        with pytest.raises(SessionClosedError, match="AsyncSQLiteSession is closed"):
            await operation
    with pytest.raises(RuntimeError):
        await session.add_items([])


async def test_a_session_that_was_closed_unused_stays_closed() -> None:
    session = AsyncSQLiteSession("s")
    await session.close()
    with pytest.raises(SessionClosedError):
        await session.get_items()
