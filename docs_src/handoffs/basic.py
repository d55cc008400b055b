from __future__ import annotations

from handfast import Agent, Runner, handoff
from handfast.testing import ScriptedModel, assistant_message, function_call

model = ScriptedModel(
    [
        [function_call("transfer_to_refund_agent", {}, call_id="call_1")],
        [assistant_message("Your money is on its way back.")],
    ],
)

billing_agent = Agent(name="Billing agent", handoff_description="Invoices.", model=model)
refund_agent = Agent(name="Refund agent", model=model)

# An agent as it is, or wrapped in handoff() where there is more to say.
triage_agent = Agent(
    name="Triage agent",
    handoffs=[billing_agent, handoff(refund_agent)],
    model=model,
)


def main() -> None:
    result = Runner.run_sync(triage_agent, "The lamp arrived broken. I want my money back.")
    offered = model.first_call
    assert offered is not None
    for each in offered.handoffs:
        print(f"{each.tool_name}: {each.tool_description}")
    print(f"{result.last_agent.name}: {result.final_output}")


if __name__ == "__main__":
    main()
