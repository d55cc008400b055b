from __future__ import annotations

from handfast import Agent, Runner, function_tool
from handfast.testing import ScriptedModel, assistant_message, function_call


@function_tool(needs_approval=True)
def refund(order: int, euros: int) -> str:
    """Pay money back."""
    return f"{euros} EUR paid for order {order}"


model = ScriptedModel(
    [
        [function_call("refund", {"order": 7, "euros": 30}, call_id="call_1")],
        [assistant_message("Refunded, by bank transfer.")],
    ],
)
clerk = Agent(name="Clerk", tools=[refund], model=model)


def main() -> None:
    state = Runner.run_sync(clerk, "Refund order 7.").to_state()
    state.approve(state.get_interruptions()[0])
    state.add_input("By bank transfer, please.")
    print(Runner.run_sync(clerk, state).final_output)
    seen = model.last_call
    assert seen is not None
    assert isinstance(seen.input, list)
    print([item.get("role") or item["type"] for item in seen.input])


if __name__ == "__main__":
    main()
