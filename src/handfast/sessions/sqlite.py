"""`SQLiteSession`: conversations in an SQLite database, shared by any number of processes.

Every operation is one transaction that takes the write lock at its beginning (`BEGIN IMMEDIATE`)
and waits for it, so writers queue instead of failing with "database is locked". A file is kept in
WAL mode: readers do not wait for writers.
"""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TypeVar

from handfast.agents.json_types import is_object
from handfast.agents.raw import InputItem
from handfast.agents.session import SessionABC, SessionSettings, settings_of
from handfast.errors import SessionClosedError, SessionItemError, UserError

T = TypeVar("T")

BUSY_SECONDS: Final = 60.0
"""How long an operation waits for other writers."""

_TABLE_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,62}")


class SQLiteConversation(SessionABC):
    """A conversation in an SQLite database; `SQLiteSession` and `AsyncSQLiteSession` close it.

    Args:
        session_id: Which conversation of the database.
        db_path: The file, made where there is none; `:memory:` keeps it in this object.
        sessions_table: The table of conversations.
        messages_table: The table of items.
        session_settings: How much of the conversation a run is shown.

    Raises:
        UserError: A table name is not plain, or the file cannot be opened.
    """

    def __init__(
        self,
        session_id: str,
        db_path: str | Path = ":memory:",
        sessions_table: str = "agent_sessions",
        messages_table: str = "agent_messages",
        session_settings: SessionSettings | None = None,
    ) -> None:
        self.session_id = session_id
        self.session_settings: SessionSettings | None = settings_of(session_settings)
        self.db_path = db_path
        self.sessions_table = _plain(sessions_table)
        self.messages_table = _plain(messages_table)
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._closed = False

    async def get_items(self, limit: int | None = None) -> list[InputItem]:
        """The conversation, oldest first; with a limit, that many of its newest items.

        A row that holds no JSON object, as another program may have left it, is passed over.

        Raises:
            SessionClosedError: The session is closed.
        """
        wanted = settings_of(self.session_settings).limit if limit is None else limit
        return await self._in_thread(lambda connection: self._read(connection, wanted))

    async def add_items(self, items: list[InputItem]) -> None:
        """Add items at the end: all of them or, where it fails, none.

        Raises:
            SessionClosedError: The session is closed.
            SessionItemError: An item is not JSON.
        """
        await self._in_thread(lambda connection: self._add(connection, items))

    async def pop_item(self) -> InputItem | None:
        """Take the newest item away and return it; None where there is none.

        Raises:
            SessionClosedError: The session is closed.
        """
        return await self._in_thread(self._pop)

    async def clear_session(self) -> None:
        """Remove every item.

        Raises:
            SessionClosedError: The session is closed.
        """
        await self._in_thread(self._clear)

    def _close(self) -> None:
        with self._lock:
            self._closed = True
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    async def _in_thread(self, operate: Callable[[sqlite3.Connection], T]) -> T:
        """Run one operation off the event loop; once begun it ends, whoever stops waiting."""
        work = asyncio.ensure_future(asyncio.to_thread(self._operate, operate))
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            # The transaction is under way: wait for its end, so that nobody finds half of it.
            await asyncio.wait([work])
            if not work.cancelled():
                work.exception()
            raise

    def _operate(self, operate: Callable[[sqlite3.Connection], T]) -> T:
        with self._lock:
            if self._closed:
                raise SessionClosedError(
                    f"{type(self).__name__} is closed ({self.session_id!r}); open another one.",
                )
            if self._connection is None:
                self._connection = self._open()
            return operate(self._connection)

    def _open(self) -> sqlite3.Connection:
        try:
            connection = sqlite3.connect(
                self.db_path,
                timeout=BUSY_SECONDS,
                isolation_level=None,
                check_same_thread=False,
            )
        except sqlite3.Error as error:
            raise UserError(
                f"The session database {self.db_path} cannot be opened: {error}"
            ) from error
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            with _transaction(connection):
                self._make_tables(connection)
        except sqlite3.Error as error:
            connection.close()
            raise UserError(f"{self.db_path} is no session database: {error}") from error
        return connection

    def _make_tables(self, connection: sqlite3.Connection) -> None:
        connection.execute(
            f"CREATE TABLE IF NOT EXISTS {self.sessions_table} ("
            "session_id TEXT PRIMARY KEY, "
            "created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, "
            "updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP)",
        )
        connection.execute(
            f"CREATE TABLE IF NOT EXISTS {self.messages_table} ("
            "id INTEGER PRIMARY KEY AUTOINCREMENT, "
            "session_id TEXT NOT NULL, "
            "message_data TEXT NOT NULL, "
            "created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, "
            f"FOREIGN KEY (session_id) REFERENCES {self.sessions_table} (session_id) "
            "ON DELETE CASCADE)",
        )
        connection.execute(
            f"CREATE INDEX IF NOT EXISTS idx_{self.messages_table}_session_id "
            f"ON {self.messages_table} (session_id, id)",
        )

    def _read(self, connection: sqlite3.Connection, limit: int | None) -> list[InputItem]:
        if limit is not None and limit <= 0:
            return []
        order = "ASC" if limit is None else "DESC"
        rows: Iterator[tuple[str]] = connection.execute(
            f"SELECT message_data FROM {self.messages_table} "  # noqa: S608 - plain names
            f"WHERE session_id = ? ORDER BY id {order}",
            (self.session_id,),
        )
        items: list[InputItem] = []
        for (text,) in rows:
            item = _item(text)
            if item is not None:
                items.append(item)
            if limit is not None and len(items) == limit:
                break
        return items if limit is None else items[::-1]

    def _add(self, connection: sqlite3.Connection, items: list[InputItem]) -> None:
        if not items:
            return
        rows = [_text(item) for item in items]
        with _transaction(connection):
            connection.execute(
                f"INSERT INTO {self.sessions_table} (session_id) VALUES (?) "  # noqa: S608 - plain names
                "ON CONFLICT (session_id) DO UPDATE SET updated_at = CURRENT_TIMESTAMP",
                (self.session_id,),
            )
            connection.executemany(
                f"INSERT INTO {self.messages_table} (session_id, message_data) VALUES (?, ?)",  # noqa: S608 - plain names
                [(self.session_id, row) for row in rows],
            )

    def _pop(self, connection: sqlite3.Connection) -> InputItem | None:
        with _transaction(connection):
            while True:
                row: tuple[str] | None = connection.execute(
                    f"DELETE FROM {self.messages_table} WHERE id = ("  # noqa: S608 - plain names
                    f"SELECT max(id) FROM {self.messages_table} WHERE session_id = ?) "
                    "RETURNING message_data",
                    (self.session_id,),
                ).fetchone()
                if row is None:
                    return None
                item = _item(row[0])
                if item is not None:
                    return item

    def _clear(self, connection: sqlite3.Connection) -> None:
        with _transaction(connection):
            for table in (self.messages_table, self.sessions_table):
                connection.execute(
                    f"DELETE FROM {table} WHERE session_id = ?",  # noqa: S608 - plain names
                    (self.session_id,),
                )


class SQLiteSession(SQLiteConversation):
    """A conversation in an SQLite database, closed without waiting."""

    def close(self) -> None:
        """Close the database; the session cannot be used afterwards."""
        self._close()


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Generator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _plain(name: str) -> str:
    if not _TABLE_NAME.fullmatch(name):
        raise UserError(
            f"{name!r} is no table name here: use letters, digits and underscores, at most 63.",
        )
    return name


def _text(item: InputItem) -> str:
    try:
        return json.dumps(dict(item), ensure_ascii=False)
    except (TypeError, ValueError) as error:
        raise SessionItemError(f"A session stores JSON; this item is not: {error}.") from None


def _item(text: str) -> InputItem | None:
    try:
        item: object = json.loads(text)
    except ValueError:
        return None
    return item if is_object(item) else None
