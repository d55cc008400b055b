from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from handfast import Agent, Runner, RunState, function_tool
from handfast.testing import ScriptedModel, assistant_message, function_call


@function_tool(needs_approval=True)
def refund(order: int, euros: int) -> str:
    """Pay money back."""
    return f"{euros} EUR paid for order {order}"


def team(steps: list[list[dict[str, object]]]) -> Agent:
    """Every process makes its agents anew; a stored run finds them by name."""
    model = ScriptedModel(steps)
    clerk = Agent(name="Clerk", tools=[refund], model=model)
    return Agent(name="Desk", handoffs=[clerk], model=model)


async def monday() -> str:
    desk = team(
        [
            [function_call("transfer_to_clerk", {}, call_id="call_1")],
            [function_call("refund", {"order": 7, "euros": 30}, call_id="call_2")],
        ],
    )
    result = await Runner.run(desk, "I want my money back.")
    return result.to_state().to_string()


async def friday(stored: str) -> None:
    desk = team([[assistant_message("30 EUR are on their way.")]])
    state = await RunState.from_string(desk, stored)
    for question in state.get_interruptions():
        print(f"{question.agent.name} asks: {question.name} {question.arguments}")
        state.approve(question)
    streamed = Runner.run_streamed(desk, state)
    async for event in streamed.stream_events():
        if event.type == "run_item_stream_event":
            print(event.name)
    print(f"{streamed.last_agent.name}: {streamed.final_output}")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "run.json")
        file.write_text(asyncio.run(monday()), encoding="utf-8")
        asyncio.run(friday(file.read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()
