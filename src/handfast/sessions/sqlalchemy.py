"""`SQLAlchemySession`: conversations in PostgreSQL, SQLite, or another database of SQLAlchemy's.

Needs handfast[sqlalchemy] and an async driver. Each change is one transaction whose first statement
locks the row of its conversation, so that writers of one conversation queue, whole turn by whole
turn, and those of different ones do not wait for each other (SQLite has one writer at a time).
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final

from sqlalchemy import (
    TIMESTAMP,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    delete,
    func,
    insert,
    select,
    text,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.schema import CreateIndex, CreateTable, ExecutableDDLElement

from handfast.agents.json_types import is_object
from handfast.agents.raw import InputItem
from handfast.agents.session import SessionABC, SessionSettings, settings_of
from handfast.errors import SessionItemError

BUSY_SECONDS: Final = 60.0
"""How long an SQLite database of `from_url` waits for other writers."""

_LOCK_FOR_TABLES: Final = 0x68616E64
"""A number for PostgreSQL's advisory lock, held while tables are made."""


class SQLAlchemySession(SessionABC):
    """A conversation in a database.

    Args:
        session_id: Which conversation of the database.
        engine: An async engine; it stays yours to dispose of.
        create_tables: Make the tables where they are missing.
        sessions_table: The table of conversations.
        messages_table: The table of items.
        session_settings: How much of the conversation a run is shown.
    """

    def __init__(
        self,
        session_id: str,
        *,
        engine: AsyncEngine,
        create_tables: bool = False,
        sessions_table: str = "agent_sessions",
        messages_table: str = "agent_messages",
        session_settings: SessionSettings | None = None,
    ) -> None:
        self.session_id = session_id
        self.session_settings: SessionSettings | None = settings_of(session_settings)
        self._engine = engine
        self._missing = create_tables
        self._making = asyncio.Lock()
        self._tables = MetaData()
        self._sessions = _sessions(self._tables, sessions_table)
        self._messages = _messages(self._tables, messages_table, sessions_table)

    @classmethod
    def from_url(
        cls,
        session_id: str,
        *,
        url: str,
        engine_kwargs: Mapping[str, Any] | None = None,
        **options: Any,  # noqa: ANN401 - the constructor's own
    ) -> SQLAlchemySession:
        """A session with an engine of its own; `await session.engine.dispose()` closes it.

        Args:
            session_id: Which conversation of the database.
            url: For example `postgresql+asyncpg://user@host/db` or `sqlite+aiosqlite:///file.db`.
            engine_kwargs: More for `create_async_engine`.
            options: As for the constructor.
        """
        more = dict(engine_kwargs or {})
        if url.startswith("sqlite"):
            more["connect_args"] = {"timeout": BUSY_SECONDS, **more.get("connect_args", {})}
        return cls(session_id, engine=create_async_engine(url, **more), **options)

    @property
    def engine(self) -> AsyncEngine:
        """The engine that it works with."""
        return self._engine

    async def get_items(self, limit: int | None = None) -> list[InputItem]:
        """The conversation, oldest first; with a limit, that many of its newest items.

        A row that holds no JSON object, as another program may have left it, is passed over.
        """
        wanted = settings_of(self.session_settings).limit if limit is None else limit
        if wanted is not None and wanted <= 0:
            return []
        rows = self._messages.c
        newest_first = rows.id if wanted is None else rows.id.desc()
        query = (
            select(rows.message_data)
            .where(rows.session_id == self.session_id)
            .order_by(newest_first)
        )
        items: list[InputItem] = []
        async with self._begin() as connection, connection.stream(query) as found:
            async for (data,) in found:
                item = _item(data)
                if item is not None:
                    items.append(item)
                if len(items) == wanted:
                    break
        return items if wanted is None else items[::-1]

    async def add_items(self, items: list[InputItem]) -> None:
        """Add items at the end: all of them or, where it fails, none.

        Raises:
            SessionItemError: An item is not JSON.
        """
        rows = [{"session_id": self.session_id, "message_data": _text(item)} for item in items]
        if not rows:
            return
        async with self._begin() as connection:
            await self._lock(connection)
            await connection.execute(insert(self._messages), rows)

    async def pop_item(self) -> InputItem | None:
        """Take the newest item away and return it; None where there is none."""
        rows = self._messages.c
        newest = (
            select(rows.id, rows.message_data)
            .where(rows.session_id == self.session_id)
            .order_by(rows.id.desc())
            .limit(1)
        )
        async with self._begin() as connection:
            await self._touch(connection)
            while True:
                row = (await connection.execute(newest)).first()
                if row is None:
                    return None
                await connection.execute(delete(self._messages).where(rows.id == row[0]))
                item = _item(row[1])
                if item is not None:
                    return item

    async def clear_session(self) -> None:
        """Remove every item."""
        messages, sessions = self._messages, self._sessions
        async with self._begin() as connection:
            await self._touch(connection)
            for table in (messages, sessions):
                await connection.execute(
                    delete(table).where(table.c.session_id == self.session_id),
                )

    @asynccontextmanager
    async def _begin(self) -> AsyncGenerator[AsyncConnection, None]:
        """One transaction, once there are tables."""
        if self._missing:
            async with self._making:
                if self._missing:
                    await self._make_tables()
                    self._missing = False
        async with self._engine.begin() as connection:
            yield connection

    async def _make_tables(self) -> None:
        async with self._engine.begin() as connection:
            if self._engine.dialect.name == "postgresql":
                # Two programs that make a table at once would both find it missing.
                lock = text("SELECT pg_advisory_xact_lock(:number)")
                await connection.execute(lock, {"number": _LOCK_FOR_TABLES})
            if self._engine.dialect.name == "sqlite":
                for statement in _made_if_missing(self._tables):
                    await connection.execute(statement)
            else:
                await connection.run_sync(self._tables.create_all)

    async def _lock(self, connection: AsyncConnection) -> None:
        """Make the row of the conversation, or lock the one that is there, to the end."""
        values = {"session_id": self.session_id}
        now = {"updated_at": func.current_timestamp()}
        key = [self._sessions.c.session_id]
        dialect = self._engine.dialect.name
        if dialect == "postgresql":
            made = postgresql.insert(self._sessions).values(**values)
            await connection.execute(made.on_conflict_do_update(index_elements=key, set_=now))
        elif dialect == "sqlite":
            fresh = sqlite.insert(self._sessions).values(**values)
            await connection.execute(fresh.on_conflict_do_update(index_elements=key, set_=now))
        elif not await self._touch(connection):
            try:
                async with connection.begin_nested():
                    await connection.execute(insert(self._sessions).values(**values))
            except IntegrityError:  # another program was faster
                await self._touch(connection)

    async def _touch(self, connection: AsyncConnection) -> bool:
        """Lock the row of the conversation; False where there is none."""
        sessions = self._sessions
        touched = await connection.execute(
            update(sessions)
            .where(sessions.c.session_id == self.session_id)
            .values(updated_at=func.current_timestamp()),
        )
        return touched.rowcount > 0


def _sessions(tables: MetaData, name: str) -> Table:
    now = func.current_timestamp()
    return Table(
        name,
        tables,
        Column("session_id", String(255), primary_key=True),
        Column("created_at", TIMESTAMP, server_default=now, nullable=False),
        Column("updated_at", TIMESTAMP, server_default=now, nullable=False),
    )


def _messages(tables: MetaData, name: str, sessions: str) -> Table:
    return Table(
        name,
        tables,
        Column("id", Integer, primary_key=True, autoincrement=True),
        Column(
            "session_id",
            String(255),
            ForeignKey(f"{sessions}.session_id", ondelete="CASCADE"),
            nullable=False,
        ),
        Column("message_data", Text, nullable=False),
        Column("created_at", TIMESTAMP, server_default=func.current_timestamp(), nullable=False),
        Index(f"idx_{name}_session_id", "session_id", "id"),
        sqlite_autoincrement=True,
    )


def _made_if_missing(tables: MetaData) -> Iterator[ExecutableDDLElement]:
    """Statements that make what is missing, also while another program makes it."""
    for table in tables.sorted_tables:
        yield CreateTable(table, if_not_exists=True)
        for index in table.indexes:
            yield CreateIndex(index, if_not_exists=True)


def _text(item: InputItem) -> str:
    # Escapes keep out what databases refuse in text: NUL, and halves of surrogate pairs.
    try:
        return json.dumps(dict(item))
    except (TypeError, ValueError) as error:
        raise SessionItemError(f"A session stores JSON; this item is not: {error}.") from None


def _item(data: str) -> InputItem | None:
    try:
        item: object = json.loads(data)
    except ValueError:
        return None
    return item if is_object(item) else None
