from __future__ import annotations

from handfast import Agent, Runner, function_tool, handoff
from handfast.extensions import handoff_filters
from handfast.testing import ScriptedModel, assistant_message, function_call


@function_tool
def look_up_order(number: int) -> str:
    """Everything on file about an order."""
    return f"order {number}: 3 lamps, delivered"


clerk_model = ScriptedModel(
    [
        [function_call("look_up_order", {"number": 7}, call_id="call_1")],
        [function_call("transfer_to_writer", {}, call_id="call_2")],
    ],
)
writer_model = ScriptedModel([[assistant_message("Dear customer, your lamps were delivered.")]])

writer = Agent(name="Writer", model=writer_model)
clerk = Agent(
    name="Clerk",
    tools=[look_up_order],
    handoffs=[handoff(writer, input_filter=handoff_filters.remove_all_tools)],
    model=clerk_model,
)

Runner.run_sync(clerk, "Where are my lamps?")
seen = writer_model.first_call
print(seen.input if seen else None)
