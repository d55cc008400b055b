from __future__ import annotations

from handfast import Agent, ModelBehaviorError, RunConfig, Runner, ToolCallOutputItem, function_tool
from handfast.testing import ScriptedModel, assistant_message, function_call


@function_tool
def look_up_order(number: int) -> str:
    """What is on file about an order."""
    return f"order {number}: 3 lamps, delivered"


def clerk() -> Agent:
    return Agent(
        name="Clerk",
        tools=[look_up_order],
        model=ScriptedModel(
            [
                [function_call("lookup_order", {"number": 7}, call_id="call_1")],
                [function_call("look_up_order", {"number": 7}, call_id="call_2")],
                [assistant_message("Your lamps were delivered.")],
            ],
        ),
    )


def main() -> None:
    result = Runner.run_sync(clerk(), "Where are my lamps?")
    for item in result.new_items:
        if isinstance(item, ToolCallOutputItem):
            print(item.output)
    print(result.final_output)

    strict = RunConfig(tool_not_found_behavior="raise_error")
    try:
        Runner.run_sync(clerk(), "Where are my lamps?", run_config=strict)
    except ModelBehaviorError as error:
        print(error)


if __name__ == "__main__":
    main()
