from __future__ import annotations

import asyncio

from handfast import Agent, Runner
from handfast.extensions.memory.sqlalchemy_session import SQLAlchemySession
from handfast.testing import ScriptedModel, assistant_message

model = ScriptedModel([[assistant_message("Hello, Ada!")], [assistant_message("You are Ada.")]])
guide = Agent(name="Guide", model=model)


async def main() -> None:
    # For PostgreSQL: postgresql+asyncpg://user@host/database
    url = "sqlite+aiosqlite:///conversations.db"
    session = SQLAlchemySession.from_url("visitor-7", url=url, create_tables=True)
    try:
        await Runner.run(guide, "I am Ada.", session=session)
        result = await Runner.run(guide, "Who am I?", session=session)
        print(result.final_output)
        print(len(await session.get_items()), "items are kept")
    finally:
        await session.engine.dispose()


if __name__ == "__main__":
    asyncio.run(main())
