from __future__ import annotations

import asyncio

from handfast import Agent, Runner
from handfast.testing import ScriptedModel, assistant_message

teller = Agent(name="Teller", model=ScriptedModel([[assistant_message("Once upon a time.")]]))


async def main() -> None:
    streamed = Runner.run_streamed(teller, "Tell me a story.")
    async for event in streamed.stream_events():
        if event.type == "run_item_stream_event":
            print(event.name, event.item.type)
    print(streamed.final_output)


asyncio.run(main())
