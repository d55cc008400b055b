from handfast import Agent, Runner, handoff
from handfast.testing import ScriptedModel, assistant_message, function_call

model = ScriptedModel(
    [
        [function_call("transfer_to_billing", {}, call_id="call_1")],
        [assistant_message("Your refund is on its way.")],
    ]
)
billing = Agent(name="Billing", handoff_description="Refunds and invoices.", model=model)
triage = Agent(name="Triage", handoffs=[handoff(billing)], model=model)

result = Runner.run_sync(triage, "I want my money back.")
print(f"{result.last_agent.name}: {result.final_output}")
