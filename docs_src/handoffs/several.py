from __future__ import annotations

from handfast import Agent, ModelBehaviorError, RunConfig, Runner
from handfast.testing import ScriptedModel, assistant_message, function_call


def desk() -> Agent:
    """Its model asks for two handoffs in one answer."""
    lawyer = Agent(name="Lawyer", model=ScriptedModel([[assistant_message("It is covered.")]]))
    engineer = Agent(name="Engineer", model=ScriptedModel([[assistant_message("A loose wire.")]]))
    model = ScriptedModel(
        [
            [
                function_call("transfer_to_lawyer", {}, call_id="call_1"),
                function_call("transfer_to_engineer", {}, call_id="call_2"),
            ],
            [assistant_message("A loose wire, and it is covered.")],
        ],
    )
    return Agent(name="Desk", handoffs=[lawyer, engineer], model=model)


def main() -> None:
    first = Runner.run_sync(desk(), "My lamp broke.")
    print(f"first: {first.last_agent.name}: {first.final_output}")

    every = RunConfig(multiple_handoffs="all")
    gathered = Runner.run_sync(desk(), "My lamp broke.", run_config=every)
    print(f"all: {gathered.last_agent.name}: {gathered.final_output}")
    for item in gathered.to_input_list():
        if item.get("type") == "function_call_output":
            print(f"  {item['call_id']}: {item['output']}")

    try:
        Runner.run_sync(desk(), "My lamp broke.", run_config=RunConfig(multiple_handoffs="error"))
    except ModelBehaviorError as error:
        print(f"error: {error}")


if __name__ == "__main__":
    main()
