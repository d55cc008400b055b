from __future__ import annotations

from typing import Any

from handfast import Agent, Handoff, RunContextWrapper, Runner
from handfast.testing import ScriptedModel, assistant_message, function_call

model = ScriptedModel(
    [
        [function_call("transfer_to_support", {}, call_id="call_1")],
        [assistant_message("How can I help you tonight?")],
    ],
)
day_shift = Agent(name="Day shift", model=model)
night_shift = Agent(name="Night shift", model=model)


async def who_is_there(context: RunContextWrapper[Any], _arguments: str) -> Agent:
    return day_shift if 8 <= context.context < 18 else night_shift


support = Handoff[Any, Agent](
    tool_name="transfer_to_support",
    tool_description="Hand over to whoever is on duty.",
    input_json_schema={
        "type": "object",
        "properties": {},
        "required": [],
        "additionalProperties": False,
    },
    on_invoke_handoff=who_is_there,
    agent_name="Support",
)
desk = Agent(name="Desk", handoffs=[support], model=model)


def main() -> None:
    result = Runner.run_sync(desk, "Is anybody there?", context=23)
    print(f"{result.last_agent.name}: {result.final_output}")


if __name__ == "__main__":
    main()
