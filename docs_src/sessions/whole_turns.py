from __future__ import annotations

import asyncio

from handfast import Agent, InMemorySession, Runner, UserError, function_tool
from handfast.testing import ScriptedModel, assistant_message, function_call


@function_tool
def look_up_order(number: int) -> str:
    """What is on file about an order."""
    return f"order {number}: 3 lamps, delivered"


@function_tool(failure_error_function=None)
def refund(euros: int) -> str:
    """Pay money back."""
    raise ConnectionError("the bank does not answer")


model = ScriptedModel(
    [
        [function_call("look_up_order", {"number": 7}, call_id="call_1")],
        [
            assistant_message("I refund it."),
            function_call("refund", {"euros": 30}, call_id="call_2"),
        ],
        [assistant_message("The bank was down. Shall I try again?")],
    ],
)
clerk = Agent(name="Clerk", tools=[look_up_order, refund], model=model)


async def main() -> None:
    session = InMemorySession()
    try:
        await Runner.run(clerk, "Refund order 7.", session=session)
    except UserError as error:
        print(error)
    # The call that failed is not there: no call without its output.
    for item in await session.get_items():
        print(" ", item.get("role") or item["type"])
    result = await Runner.run(clerk, "And now?", session=session)
    print(result.final_output)


if __name__ == "__main__":
    asyncio.run(main())
