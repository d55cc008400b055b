from __future__ import annotations

from handfast import Agent, Runner, ToolCallOutputItem, function_tool
from handfast.testing import ScriptedModel, assistant_message, function_call


@function_tool(needs_approval=True)
def refund(order: int, euros: int) -> str:
    """Pay money back."""
    return f"{euros} EUR paid for order {order}"


clerk = Agent(
    name="Clerk",
    tools=[refund],
    model=ScriptedModel(
        [
            [
                function_call("refund", {"order": 7, "euros": 30}, call_id="call_1"),
                function_call("refund", {"order": 8, "euros": 9_000}, call_id="call_2"),
            ],
            [assistant_message("I refunded order 7, but not order 8.")],
        ],
    ),
)


def main() -> None:
    result = Runner.run_sync(clerk, "Refund orders 7 and 8.")
    print(f"{len(result.interruptions)} calls wait; output {result.final_output}")

    state = result.to_state()
    small, large = state.get_interruptions()
    state.approve(small)
    state.reject(large, rejection_message="Too much; ask the manager.")
    result = Runner.run_sync(clerk, state)
    for item in result.new_items:
        if isinstance(item, ToolCallOutputItem):
            print(item.output)
    print(result.final_output)


if __name__ == "__main__":
    main()
