from __future__ import annotations

import asyncio

from handfast import Agent, Runner, function_tool
from handfast.testing import ScriptedModel, assistant_message, function_call


@function_tool
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


model = ScriptedModel(
    [
        [function_call("add", {"a": 1, "b": 2}, call_id="call_1")],
        [assistant_message("It is 3.")],
    ],
)
pupil = Agent(name="Pupil", tools=[add], model=model)


async def main() -> None:
    streamed = Runner.run_streamed(pupil, "1 + 2?")
    async for event in streamed.stream_events():
        if event.type == "run_item_stream_event" and event.name == "tool_called":
            streamed.cancel(mode="after_turn")
    print([item.type for item in streamed.new_items], streamed.final_output)

    result = await Runner.run(pupil, streamed.to_state())
    print(result.final_output)


if __name__ == "__main__":
    asyncio.run(main())
