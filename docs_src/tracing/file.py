from __future__ import annotations

import json
from pathlib import Path

from handfast import (
    Agent,
    BatchTraceProcessor,
    FileSpanExporter,
    RunConfig,
    Runner,
    flush_traces,
    function_tool,
    set_trace_processors,
)
from handfast.testing import ScriptedModel, assistant_message, function_call


@function_tool
def look_up_order(number: int) -> str:
    """What is on file about an order."""
    return f"order {number}: delivered"


clerk = Agent(
    name="Clerk",
    tools=[look_up_order],
    model=ScriptedModel(
        [
            [function_call("look_up_order", {"number": 7})],
            [assistant_message("It was delivered.")],
        ],
    ),
)


def main() -> None:
    set_trace_processors([BatchTraceProcessor(FileSpanExporter("traces.jsonl"))])
    try:
        settings = RunConfig(workflow_name="Orders", group_id="chat-7")
        Runner.run_sync(clerk, "Where are my lamps?", run_config=settings)
        flush_traces()
    finally:
        set_trace_processors([])

    for line in Path("traces.jsonl").read_text().splitlines():
        told = json.loads(line)
        if told["object"] == "trace":
            print("trace", told["workflow_name"], told["group_id"])
        else:
            print("span", told["span_data"]["type"], told["span_data"].get("name"))


if __name__ == "__main__":
    main()
