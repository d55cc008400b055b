from __future__ import annotations

import asyncio

from pydantic import BaseModel

from handfast import Agent, RunContextWrapper, Runner, function_tool, handoff
from handfast.extensions import handoff_filters
from handfast.testing import ScriptedModel, assistant_message, function_call


class RefundRequest(BaseModel):
    reason: str


@function_tool
def look_up_order(context: RunContextWrapper[dict[int, str]], number: int) -> str:
    """What is on file about an order."""
    return context.context[number]


async def on_refund(context: RunContextWrapper[dict[int, str]], request: RefundRequest) -> None:
    print(f"refund asked for: {request.reason}")


model = ScriptedModel(
    [
        [function_call("look_up_order", {"number": 7}, call_id="call_1")],
        [function_call("transfer_to_refund_agent", {"reason": "broken lamp"}, call_id="call_2")],
        [assistant_message("Your money is on its way.")],
    ],
)
refund_agent = Agent[dict[int, str]](
    name="Refund agent",
    instructions="You refund what was paid.",
    model=model,
)
triage_agent = Agent[dict[int, str]](
    name="Triage agent",
    tools=[look_up_order],
    handoffs=[
        handoff(
            agent=refund_agent,
            on_handoff=on_refund,
            input_type=RefundRequest,
            input_filter=handoff_filters.remove_all_tools,
        ),
    ],
    model=model,
)


async def main() -> None:
    orders = {7: "3 lamps, delivered"}
    result = await Runner.run(triage_agent, "One of my lamps is broken.", context=orders)
    print(f"{result.last_agent.name}: {result.final_output}")


if __name__ == "__main__":
    asyncio.run(main())
