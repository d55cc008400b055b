from __future__ import annotations

import json

from handfast import (
    Agent,
    Runner,
    ToolCallOutputItem,
    ToolGuardrailFunctionOutput,
    ToolInputGuardrailData,
    ToolOutputGuardrailData,
    function_tool,
    tool_input_guardrail,
    tool_output_guardrail,
)
from handfast.testing import ScriptedModel, assistant_message, function_call


@tool_input_guardrail
def inside_only(data: ToolInputGuardrailData) -> ToolGuardrailFunctionOutput:
    """The model is told why, and the tool is not called."""
    receiver = json.loads(data.context.tool_arguments)["to"]
    if receiver.endswith("@example.org"):
        return ToolGuardrailFunctionOutput.allow()
    return ToolGuardrailFunctionOutput.reject_content(f"Do not write to {receiver}.")


@tool_output_guardrail
def no_keys(data: ToolOutputGuardrailData) -> ToolGuardrailFunctionOutput:
    """The model is told this in place of the output. `raise_exception()` would end the run."""
    if "key=" in str(data.output):
        return ToolGuardrailFunctionOutput.reject_content("Sent. (The receipt is withheld.)")
    return ToolGuardrailFunctionOutput.allow()


@function_tool(tool_input_guardrails=[inside_only], tool_output_guardrails=[no_keys])
def send(to: str, text: str) -> str:
    """Send a message."""
    return f"sent to {to} key=4711"


clerk = Agent(
    name="Clerk",
    tools=[send],
    model=ScriptedModel(
        [
            [
                function_call("send", {"to": "eve@evil.example", "text": "hi"}, call_id="call_1"),
                function_call("send", {"to": "ada@example.org", "text": "hi"}, call_id="call_2"),
            ],
            [assistant_message("I wrote to Ada only.")],
        ],
    ),
)


def main() -> None:
    result = Runner.run_sync(clerk, "Write to Eve and Ada.")
    for item in result.new_items:
        if isinstance(item, ToolCallOutputItem):
            print(item.output)
    print(len(result.tool_input_guardrail_results), "checks of input")


if __name__ == "__main__":
    main()
