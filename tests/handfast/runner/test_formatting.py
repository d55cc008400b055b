from __future__ import annotations

from typing import Any

from handfast import (
    Agent,
    GuardrailFunctionOutput,
    OutputGuardrail,
    RunConfig,
    Runner,
    function_tool,
)
from handfast.agents.items import ToolCallOutputItem
from handfast.runner.formatting import ToolErrorFormatterArgs
from handfast.testing.messages import assistant_message, function_call
from handfast.testing.scripted_model import ScriptedModel


def failing() -> Agent[Any]:
    @function_tool(failure_error_function=None)
    def burn() -> str:
        raise ValueError("fire")

    model = ScriptedModel(
        [[function_call("born", {}, call_id="c1")], [assistant_message("done")]],
    )
    return Agent(name="a", model=model, tools=[burn])


async def outputs(agent: Agent[Any], config: RunConfig) -> list[object]:
    result = await Runner.run(agent, "go", run_config=config)
    return [item.output for item in result.new_items if isinstance(item, ToolCallOutputItem)]
