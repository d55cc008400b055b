from __future__ import annotations

import asyncio

from handfast import Agent, Runner, RunState, function_tool
from handfast.testing import ScriptedModel, assistant_message, function_call


@function_tool(needs_approval=True)
def refund(order: int, euros: int) -> str:
    """Pay money back."""
    return f"{euros} EUR paid for order {order}"


model = ScriptedModel(
    [
        [function_call("refund", {"order": 7, "euros": 30}, call_id="call_1")],
        [assistant_message("Done, 30 EUR are on their way.")],
    ],
)
clerk = Agent(name="Clerk", tools=[refund], model=model)


async def main() -> None:
    waiting = await Runner.run(clerk, "Refund order 7, please.")
    stored = waiting.to_state().to_string()  # JSON: put it in a file, a row, a message

    # A day later, in another process: nothing was held open meanwhile.
    state = await RunState.from_string(clerk, stored)
    for question in state.get_interruptions():
        print("may it?", question.name, question.arguments)
        state.approve(question)
    result = await Runner.run(clerk, state)
    print(result.final_output)


asyncio.run(main())
