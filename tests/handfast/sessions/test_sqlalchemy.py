from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import textwrap
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, text

from handfast import SessionSettings, UserError
from handfast.sessions.sqlalchemy import SQLAlchemySession


def item(n: object) -> dict[str, Any]:
    return {"role": "user", "content": str(n)}


def _programs() -> Path | None:
    """The folder of PostgreSQL's programs; Debian keeps them out of the path."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    on_path = shutil.which("initdb")
    if found:
        return found[-1].parent
    return Path(on_path).resolve().parent if on_path else None


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """The address of a PostgreSQL of this module's own, reached by a socket in a private folder."""
    programs = _programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed")
    folder = Path(tempfile.mkdtemp(prefix="pg"))
    # PostgreSQL refuses to run as root.
    user: dict[str, Any] = {"user": "nobody"} if os.geteuid() == 0 else {}
    if user:
        shutil.chown(folder, "nobody")
    data = folder / "data"
    options = f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off"
    control = [programs / "pg_ctl", "-D", data, "-w", "-s"]

    def call(*command: object) -> None:
        subprocess.run(  # noqa: S603 - programs that were found above
            [str(part) for part in command],
            check=True,
            cwd=folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=50,
            **user,
        )

    try:
        call(programs / "initdb", "-D", data, "-U", "tester", "-A", "trust", "-E", "UTF8", "-N")
        call(*control, "-o", options, "-l", folder / "log", "start")
        yield f"postgresql+asyncpg://tester@/postgres?host={folder}"
    finally:
        call(*control, "-m", "immediate", "stop")
        shutil.rmtree(folder)


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite+aiosqlite:///{tmp_path}/sessions.db"
    address: str = request.getfixturevalue("cluster")
    return address


def made(session_id: str, url: str, **options: Any) -> SQLAlchemySession:
    return SQLAlchemySession.from_url(session_id, url=url, create_tables=True, **options)


async def test_items_come_back_in_order_and_from_the_newest_end(url: str) -> None:
    session = made("order", url)
    await session.add_items([item(1), item(2)])
    await session.add_items([])
    await session.add_items([item("你好 🌍 \x00 \ud800")])
    newest = item("你好 🌍 \x00 \ud800")
    assert await session.get_items() == [item(1), item(2), newest]
    assert await session.get_items(limit=2) == [item(2), newest]
    assert await session.get_items(limit=0) == []
    assert await session.pop_item() == newest
    await session.engine.dispose()
    again = made("order", url)
    assert await again.get_items() == [item(1), item(2)]
    await again.clear_session()
    assert await again.pop_item() is None
    await again.engine.dispose()


async def test_sessions_of_one_database_are_apart(url: str) -> None:
    one, two = made("one", url), made("two'; DROP TABLE agent_messages;--", url)
    await one.add_items([item(1)])
    await two.add_items([item(2)])
    await one.clear_session()
    assert await two.get_items() == [item(2)]
    await one.engine.dispose()
    await two.engine.dispose()


async def test_a_session_shows_as_much_as_its_settings_say(url: str) -> None:
    session = made("settings", url, session_settings=SessionSettings(1))
    await session.add_items([item(1), item(2)])
    assert await session.get_items() == [item(2)]
    await session.engine.dispose()


async def test_rows_that_hold_no_item_are_passed_over(url: str) -> None:
    session = made("odd", url)
    await session.add_items([item(1)])
    async with session.engine.begin() as connection:
        for data in ("{not json", "[1]"):
            await connection.execute(
                text("INSERT INTO agent_messages (session_id, message_data) VALUES ('odd', :d)"),
                {"d": data},
            )
    assert await session.get_items() == [item(1)]
    assert await session.get_items(limit=1) == [item(1)]
    assert await session.pop_item() == item(1)
    assert await session.pop_item() is None
    await session.engine.dispose()


async def test_a_turn_is_stored_whole_or_not_at_all(url: str) -> None:
    session = made("whole", url)
    with pytest.raises(UserError, match="A session stores JSON"):
        await session.add_items([item(1), {"content": object()}])
    assert await session.get_items() == []
    await session.engine.dispose()


WRITER = textwrap.dedent("""
    import asyncio, sys
    from handfast.sessions.sqlalchemy import SQLAlchemySession

    async def main(url, name):
        session = SQLAlchemySession.from_url("shared", url=url, create_tables=True)
        for turn in range(10):
            words = [{"role": "user", "content": f"{name} {turn} {n}"} for n in range(3)]
            await session.add_items(words)
        await session.engine.dispose()

    asyncio.run(main(*sys.argv[1:]))
""")


async def test_eight_processes_write_one_session_and_lose_nothing(url: str) -> None:
    writers = [
        await asyncio.create_subprocess_exec(
            sys.executable, "-c", WRITER, url, str(n), stderr=subprocess.PIPE
        )
        for n in range(8)
    ]
    said = await asyncio.gather(*(writer.communicate() for writer in writers))
    assert [
        (writer.returncode, errors) for writer, (_, errors) in zip(writers, said, strict=True)
    ] == [(0, b"")] * 8
    session = made("shared", url)
    words = [str(each["content"]).split() for each in await session.get_items()]
    await session.engine.dispose()
    assert Counter(name for name, _, _ in words) == {str(n): 30 for n in range(8)}
    turns = [words[n : n + 3] for n in range(0, len(words), 3)]
    assert all(len({(name, turn) for name, turn, _ in each}) == 1 for each in turns)


async def test_tables_that_another_program_makes_meanwhile_are_used(tmp_path: Path) -> None:
    path = tmp_path / "sessions.db"
    first = made("first", f"sqlite+aiosqlite:///{path}")
    overtaken: list[str] = []

    def overtake(connection: object, cursor: object, statement: str, *_: object) -> None:
        del connection, cursor
        if "CREATE TABLE" in statement and not overtaken:
            overtaken.append(statement)
            with closing(sqlite3.connect(path)) as other:
                other.execute(statement)

    event.listen(first.engine.sync_engine, "before_cursor_execute", overtake)
    await first.add_items([item(2)])
    assert overtaken
    assert await first.get_items() == [item(2)]
    await first.engine.dispose()
