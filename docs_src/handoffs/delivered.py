from __future__ import annotations

from pydantic import BaseModel

from handfast import Agent, RunContextWrapper, Runner, handoff
from handfast.testing import ScriptedModel, assistant_message, function_call


class Complaint(BaseModel):
    product: str
    amount: int


def note(_context: RunContextWrapper, complaint: Complaint) -> None:
    print("noted:", complaint)


def instructions(context: RunContextWrapper, _agent: Agent) -> str:
    complaint = context.handoff_input
    assert isinstance(complaint, Complaint)
    return f"Offer at most {complaint.amount} for the {complaint.product}."


model = ScriptedModel(
    [
        [function_call("transfer_to_refunds", {"product": "lamp", "amount": 20}, call_id="call_1")],
        [assistant_message("You get 20 back.")],
    ],
)
refunds = Agent(name="Refunds", instructions=instructions, model=model)
front = Agent(
    name="Front",
    handoffs=[handoff(refunds, on_handoff=note, input_type=Complaint, deliver_input=True)],
    model=model,
)


def main() -> None:
    result = Runner.run_sync(front, "The lamp is broken.")
    last = model.last_call
    assert last is not None
    print("instructions:", last.system_instructions)
    print(result.final_output)


if __name__ == "__main__":
    main()
