from __future__ import annotations

import asyncio

from handfast import Agent, Runner, SessionABC, TResponseInputItem
from handfast.testing import ScriptedModel, assistant_message


class ListSession(SessionABC):
    """A store of one's own: four methods."""

    def __init__(self, session_id: str) -> None:
        self.session_id = session_id
        self.rows: list[TResponseInputItem] = []

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        return self.rows[:] if limit is None else self.rows[-limit:] if limit else []

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        self.rows.extend(items)

    async def pop_item(self) -> TResponseInputItem | None:
        return self.rows.pop() if self.rows else None

    async def clear_session(self) -> None:
        self.rows.clear()


async def main() -> None:
    session = ListSession("visitor-7")
    guide = Agent(name="Guide", model=ScriptedModel([[assistant_message("Hello!")]]))
    await Runner.run(guide, "Hi.", session=session)
    print([row["role"] for row in session.rows])
    await session.pop_item()
    print([row["role"] for row in session.rows])


if __name__ == "__main__":
    asyncio.run(main())
