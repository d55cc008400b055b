from __future__ import annotations

from typing import Any

from handfast import Agent, RunConfig, RunContextWrapper, Runner, ToolApprovalItem, function_tool
from handfast.testing import ScriptedModel, assistant_message, function_call


async def above_100(_context: RunContextWrapper, arguments: dict[str, Any], _call_id: str) -> bool:
    return int(arguments["euros"]) > 100


@function_tool(needs_approval=above_100)
def refund(order: int, euros: int) -> str:
    """Pay money back."""
    return f"{euros} EUR paid for order {order}"


def ask(_context: RunContextWrapper, call: ToolApprovalItem) -> bool:
    """Asks somebody who is there; None would leave the run waiting."""
    print(f"may it? {call.name} {call.arguments}")
    return True


clerk = Agent(
    name="Clerk",
    tools=[refund],
    model=ScriptedModel(
        [
            [function_call("refund", {"order": 7, "euros": 30}, call_id="call_1")],
            [function_call("refund", {"order": 8, "euros": 900}, call_id="call_2")],
            [assistant_message("Both are refunded.")],
        ],
    ),
)


def main() -> None:
    result = Runner.run_sync(clerk, "Refund 7 and 8.", run_config=RunConfig(approver=ask))
    print(result.final_output)


if __name__ == "__main__":
    main()
