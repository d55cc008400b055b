from __future__ import annotations

from pydantic import BaseModel

from handfast import (
    Agent,
    ModelBehaviorError,
    RunConfig,
    RunContextWrapper,
    Runner,
    ToolCallOutputItem,
    handoff,
)
from handfast.testing import ScriptedModel, assistant_message, function_call


class Escalation(BaseModel):
    amount: int


def on_escalation(_context: RunContextWrapper, escalation: Escalation) -> None:
    print(f"escalated over {escalation.amount} EUR")


def support() -> Agent:
    model = ScriptedModel(
        [
            [function_call("transfer_to_manager", {"amount": "thirty"}, call_id="call_1")],
            [function_call("transfer_to_manager", {"amount": 30}, call_id="call_2")],
            [assistant_message("You get your 30 EUR back.")],
        ],
    )
    manager = Agent(name="Manager", model=model)
    escalate = handoff(manager, on_handoff=on_escalation, input_type=Escalation)
    return Agent(name="Support", handoffs=[escalate], model=model)


def main() -> None:
    result = Runner.run_sync(support(), "I want my 30 EUR back!")
    for item in result.new_items:
        if isinstance(item, ToolCallOutputItem):
            print(f"given back: {item.output}")
    print(result.final_output)

    try:
        Runner.run_sync(support(), "Again!", run_config=RunConfig(handoff_json_repairs=0))
    except ModelBehaviorError as error:
        print(f"without repairs: {type(error).__name__}")


if __name__ == "__main__":
    main()
