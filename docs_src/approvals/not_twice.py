from __future__ import annotations

from handfast import Agent, Runner, ToolCallOutputItem, UserError, function_tool
from handfast.testing import ScriptedModel, assistant_message, function_call

paid: list[int] = []


@function_tool(needs_approval=True)
def refund(order: int) -> str:
    """Pay money back."""
    paid.append(order)
    return f"order {order} is refunded"


@function_tool(needs_approval=True, failure_error_function=None)
def write_letter() -> str:
    """Write to the customer."""
    raise ConnectionError("the printer does not answer")


clerk = Agent(
    name="Clerk",
    tools=[refund, write_letter],
    model=ScriptedModel(
        [
            [
                function_call("refund", {"order": 7}, call_id="call_1"),
                function_call("write_letter", {}, call_id="call_2"),
            ],
            [assistant_message("Refunded. Please look whether the letter was printed.")],
        ],
    ),
)


def main() -> None:
    state = Runner.run_sync(clerk, "Refund order 7.").to_state()
    for question in state.get_interruptions():
        state.approve(question)
    try:
        Runner.run_sync(clerk, state)
    except UserError as error:
        print(error)

    # The same value goes on where the run failed: what was paid is not paid again.
    result = Runner.run_sync(clerk, state)
    print(paid)
    for item in result.new_items:
        if isinstance(item, ToolCallOutputItem):
            print(item.output)


if __name__ == "__main__":
    main()
