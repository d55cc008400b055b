from __future__ import annotations

import threading

from handfast import Agent, Runner, ToolCallOutputItem, function_tool
from handfast.testing import ScriptedModel, assistant_message, function_call

released = threading.Event()


@function_tool(timeout=0.05)
def stuck() -> str:
    """Wait for something that does not come."""
    released.wait()
    return "too late"


@function_tool
def where_am_i() -> str:
    """Say which thread this is."""
    return str(threading.current_thread() is threading.main_thread())


model = ScriptedModel(
    [
        [
            function_call("stuck", {}, call_id="call_1"),
            function_call("where_am_i", {}, call_id="call_2"),
        ],
        [assistant_message("One of them did not answer.")],
    ],
)
agent = Agent(name="Clerk", tools=[stuck, where_am_i], model=model)


def main() -> None:
    result = Runner.run_sync(agent, "Go.")
    for item in result.new_items:
        if isinstance(item, ToolCallOutputItem):
            print(item.output)
    released.set()  # its thread can end; what it returns is dropped


if __name__ == "__main__":
    main()
