from __future__ import annotations

import asyncio

from handfast import Agent, Runner
from handfast.testing import ScriptedModel, assistant_message

teller = Agent(
    name="Teller",
    model=ScriptedModel([[assistant_message("Once upon a time there was a lamp.")]]),
)


async def main() -> None:
    streamed = Runner.run_streamed(teller, "Tell me a story.")
    async for event in streamed.stream_events():
        if event.type == "raw_response_event" and event.data.type == "response.output_text.delta":
            print(event.data.delta, end="")
    print()


if __name__ == "__main__":
    asyncio.run(main())
