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
        [assistant_message("Let me see."), function_call("add", {"a": 1, "b": 2}, call_id="c1")],
        [function_call("transfer_to_teacher", {}, call_id="c2")],
        [assistant_message("It is 3.")],
    ],
)
teacher = Agent(name="Teacher", model=model)
pupil = Agent(name="Pupil", tools=[add], handoffs=[teacher], model=model)


async def main() -> None:
    streamed = Runner.run_streamed(pupil, "1 + 2?")
    in_answer = False
    async for event in streamed.stream_events():
        if event.type == "raw_response_event":
            if not in_answer:
                print("(raw events)")
            in_answer = True
            continue
        in_answer = False
        if event.type == "agent_updated_stream_event":
            print("agent:", event.new_agent.name)
        else:
            print(event.name)
    print(streamed.final_output)


if __name__ == "__main__":
    asyncio.run(main())
