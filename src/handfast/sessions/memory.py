"""`InMemorySession`: a conversation that lives as long as its process."""

from __future__ import annotations

import copy

from handfast.agents.raw import InputItem
from handfast.agents.session import SessionABC, SessionSettings, settings_of


class InMemorySession(SessionABC):
    """A conversation in memory.

    Args:
        session_id: Its id.
        session_settings: How much of it a run is shown.
    """

    def __init__(
        self,
        session_id: str = "default",
        session_settings: SessionSettings | None = None,
    ) -> None:
        self.session_id = session_id
        self.session_settings: SessionSettings | None = settings_of(session_settings)
        self._items: list[InputItem] = []

    async def get_items(self, limit: int | None = None) -> list[InputItem]:
        """The conversation, oldest first; with a limit, that many of its newest items."""
        limit = settings_of(self.session_settings).limit if limit is None else limit
        if limit is None:
            return copy.deepcopy(self._items)
        return copy.deepcopy(self._items[-limit:]) if limit > 0 else []

    async def add_items(self, items: list[InputItem]) -> None:
        """Add items at the end."""
        self._items.extend(copy.deepcopy(items))

    async def pop_item(self) -> InputItem | None:
        """Take the newest item away and return it; None where there is none."""
        return self._items.pop() if self._items else None

    async def clear_session(self) -> None:
        """Remove every item."""
        self._items.clear()
