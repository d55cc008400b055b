from __future__ import annotations

from pydantic import BaseModel

from handfast import Agent, RunContextWrapper, Runner, handoff
from handfast.testing import ScriptedModel, assistant_message, function_call


class Escalation(BaseModel):
    reason: str
    urgent: bool


def escalated(context: RunContextWrapper[list[str]], escalation: Escalation) -> None:
    """Runs before the agent changes. Raising here stops the handoff and the run."""
    context.context.append(escalation.reason)


model = ScriptedModel(
    [
        [
            function_call(
                "transfer_to_supervisor",
                {"reason": "charged twice", "urgent": True},
                call_id="call_1",
            ),
        ],
        [assistant_message("I am looking into the double charge.")],
    ],
)
supervisor = Agent[list[str]](name="Supervisor", model=model)
support = Agent[list[str]](
    name="Support",
    handoffs=[handoff(supervisor, on_handoff=escalated, input_type=Escalation)],
    model=model,
)

reasons: list[str] = []
result = Runner.run_sync(support, "You charged me twice!", context=reasons)
print(reasons, result.last_agent.name)
