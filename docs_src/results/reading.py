from __future__ import annotations

from pydantic import BaseModel

from handfast import Agent, Runner, function_tool
from handfast.testing import ScriptedModel, assistant_message, function_call


class Answer(BaseModel):
    delivered: bool


@function_tool
def look_up_order(number: int) -> str:
    """What is on file about an order."""
    return f"order {number}: 3 lamps, delivered"


clerk = Agent(
    name="Clerk",
    tools=[look_up_order],
    output_type=Answer,
    model=ScriptedModel(
        [
            [function_call("look_up_order", {"number": 7}, call_id="call_1")],
            [assistant_message('{"delivered": true}')],
        ],
    ),
)


def main() -> None:
    result = Runner.run_sync(clerk, "Where are my lamps?")
    print(result.final_output_as(Answer).delivered)
    print(result.last_agent.name, [item.type for item in result.new_items])
    print(
        len(result.raw_responses), "responses,", result.context_wrapper.usage.requests, "requests"
    )
    print(result)


if __name__ == "__main__":
    main()
