from __future__ import annotations

import asyncio

from pydantic import BaseModel

from handfast import Agent, RunContextWrapper, Runner, handoff
from handfast.testing import ScriptedModel, assistant_message, function_call


class EscalationData(BaseModel):
    reason: str
    amount: int


async def on_handoff(context: RunContextWrapper[int], data: EscalationData) -> None:
    """The context holds what may be refunded without a manager; raising stops the run."""
    if data.amount > context.context:
        raise PermissionError(f"A refund of {data.amount} needs a manager.")
    print(f"Escalated: {data.reason}")


def support(amount: int) -> Agent[int]:
    model = ScriptedModel(
        [
            [
                function_call(
                    "transfer_to_escalation_agent",
                    {"reason": "charged twice", "amount": amount},
                    call_id="call_1",
                ),
            ],
            [assistant_message("I have refunded the second charge.")],
        ],
    )
    escalation = Agent[int](name="Escalation agent", model=model)
    escalate = handoff(agent=escalation, on_handoff=on_handoff, input_type=EscalationData)
    return Agent[int](name="Support", handoffs=[escalate], model=model)


async def main() -> None:
    result = await Runner.run(support(30), "You charged me twice!", context=100)
    print(f"{result.last_agent.name}: {result.final_output}")
    try:
        await Runner.run(support(3_000), "You charged me twice!", context=100)
    except PermissionError as error:
        print(error)


if __name__ == "__main__":
    asyncio.run(main())
