from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
import textwrap
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from handfast import SessionSettings, SQLiteSession, UserError
from handfast.errors import SessionItemError


def item(n: object) -> dict[str, Any]:
    return {"role": "user", "content": str(n)}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "sessions.db"


async def test_items_come_back_in_order_and_from_the_newest_end(path: Path) -> None:
    session = SQLiteSession("s", path)
    await session.add_items([item(1), item(2)])
    await session.add_items([])
    await session.add_items([item("你好 🌍")])
    assert await session.get_items() == [item(1), item(2), item("你好 🌍")]
    assert await session.get_items(limit=2) == [item(2), item("你好 🌍")]
    assert await session.get_items(limit=0) == []
    assert await session.pop_item() == item("你好 🌍")
    session.close()
    again = SQLiteSession("s", path)
    assert await again.get_items() == [item(1), item(2)]
    await again.clear_session()
    assert await again.pop_item() is None
    again.close()


async def test_sessions_of_one_database_are_apart(path: Path) -> None:
    one, two = SQLiteSession("one", path), SQLiteSession("two'; DROP TABLE agent_messages;--", path)
    await one.add_items([item(1)])
    await two.add_items([item(2)])
    await one.clear_session()
    assert await two.get_items() == [item(2)]
    one.close()
    two.close()


async def test_a_session_without_a_file_lives_in_its_object() -> None:
    session = SQLiteSession("s", session_settings=SessionSettings(1))
    await session.add_items([item(1), item(2)])
    assert await session.get_items() == [item(2)]
    session.close()


async def test_rows_that_hold_no_item_are_passed_over(path: Path) -> None:
    session = SQLiteSession("s", path)
    await session.add_items([item(1)])
    with sqlite3.connect(path) as database:
        for text in ("not json", "[1]"):
            database.execute(
                "INSERT INTO agent_messages (session_id, message_data) VALUES ('s', ?)",
                (text,),
            )
    database.close()
    assert await session.get_items() == [item(1)]
    assert await session.get_items(limit=1) == [item(1)]
    assert await session.pop_item() == item(1)
    session.close()


async def test_a_batch_that_cannot_be_stored_is_not_stored_in_part(path: Path) -> None:
    session = SQLiteSession("s", path)
    with pytest.raises(SessionItemError, match="JSON") as caught:
        await session.add_items([item(1), {"role": object()}])
    assert isinstance(caught.value, UserError | TypeError)
    assert await session.get_items() == []
    other = sqlite3.connect(path, timeout=0)
    other.execute("INSERT INTO agent_sessions (session_id) VALUES ('other')")
    other.close()
    await session.add_items([item(2)])
    assert await session.get_items() == [item(2)]
    session.close()


async def test_a_closed_session_says_so(path: Path) -> None:
    session = SQLiteSession("s", path)
    session.close()
    with pytest.raises(UserError, match="closed"):
        await session.add_items([])


async def test_what_is_no_database_is_refused_by_name(path: Path, tmp_path: Path) -> None:
    noise = b"certainly no database, but long enough to be looked at as one" * 40
    path.write_bytes(noise)  # noqa: ASYNC240 - a small file
    with pytest.raises(UserError, match=r"sessions\.db"):
        await SQLiteSession("s", path).get_items()
    with pytest.raises(UserError, match="cannot be opened"):
        await SQLiteSession("s", tmp_path / "missing" / "x.db").get_items()
    with pytest.raises(UserError, match="table name"):
        SQLiteSession("s", path, messages_table="x; DROP TABLE y")


async def test_a_cancelled_write_is_whole_or_not_there(path: Path) -> None:
    session = SQLiteSession("s", path)
    await session.add_items([item(0)])
    writing = asyncio.create_task(session.add_items([item(n) for n in range(1, 500)]))
    await asyncio.sleep(0)
    writing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await writing
    assert len(await session.get_items()) in {1, 500}
    session.close()


async def test_many_writers_in_one_process_lose_nothing(path: Path) -> None:
    sessions = [SQLiteSession("s", path) for _ in range(8)]
    await asyncio.gather(
        *[
            session.add_items([item(f"{n}-{m}")])
            for n, session in enumerate(sessions)
            for m in range(9)
        ]
    )
    assert len(await sessions[0].get_items()) == 72
    for session in sessions:
        session.close()


def test_eight_processes_lose_nothing_and_none_is_turned_away(path: Path) -> None:
    program = textwrap.dedent("""
        import asyncio, sys
        from handfast import SQLiteSession

        async def main() -> None:
            session = SQLiteSession("s", sys.argv[1])
            for n in range(25):
                await session.add_items(
                    [{"role": "user", "content": f"{sys.argv[2]}-{n}-{half}"} for half in "ab"]
                )
            session.close()

        asyncio.run(main())
    """)
    writers = [
        subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-c", program, str(path), str(number)],
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(8)
    ]
    errors = [writer.communicate(timeout=50)[1] for writer in writers]
    assert [writer.returncode for writer in writers] == [0] * 8, errors
    session = SQLiteSession("s", path)
    texts = [str(each["content"]) for each in asyncio.run(session.get_items())]
    session.close()
    assert Counter(texts) == Counter(
        f"{number}-{n}-{half}" for number in range(8) for n in range(25) for half in "ab"
    )
    # A batch stands together, whoever writes beside it.
    firsts, seconds = texts[::2], texts[1::2]
    assert [text[:-1] for text in firsts] == [text[:-1] for text in seconds]
