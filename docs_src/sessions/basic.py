from __future__ import annotations

import asyncio

from handfast import Agent, Runner, SQLiteSession
from handfast.testing import ScriptedModel, assistant_message

model = ScriptedModel([[assistant_message("Hello, Ada!")], [assistant_message("You are Ada.")]])
guide = Agent(name="Guide", model=model)


async def main() -> None:
    session = SQLiteSession("visitor-7", "conversations.db")
    await Runner.run(guide, "I am Ada.", session=session)
    result = await Runner.run(guide, "Who am I?", session=session)
    print(result.final_output)

    seen = model.last_call
    assert seen is not None
    print(len(seen.input), "items were shown")
    print(len(await session.get_items()), "items are kept")
    session.close()


if __name__ == "__main__":
    asyncio.run(main())
