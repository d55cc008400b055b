from __future__ import annotations

from handfast import Agent, Runner, handoff
from handfast.testing import ScriptedModel, assistant_message, function_call

lawyer = Agent(
    name="Lawyer",
    model=ScriptedModel([[assistant_message("The warranty covers it.")]]),
)
clerk_model = ScriptedModel(
    [
        [function_call("transfer_to_lawyer", {}, call_id="call_1")],
        [assistant_message("Good news: the warranty covers your lamp.")],
    ],
)
clerk = Agent(name="Clerk", handoffs=[handoff(lawyer, returns=True)], model=clerk_model)


def main() -> None:
    result = Runner.run_sync(clerk, "My lamp broke after a year.")
    print(f"{result.last_agent.name}: {result.final_output}")
    last = clerk_model.last_call
    assert last is not None
    assert isinstance(last.input, list)
    print("what came back:", last.input[-1]["output"])


if __name__ == "__main__":
    main()
