from __future__ import annotations

from handfast import Agent, Runner
from handfast.testing import ScriptedModel, assistant_message, function_call

translator = Agent(
    name="Translator",
    instructions="Translate into Chinese.",
    model=ScriptedModel([[assistant_message("你好")]]),
)
host = Agent(
    name="Host",
    tools=[translator.as_tool("translate", "Translates a text into Chinese.")],
    model=ScriptedModel(
        [
            [function_call("translate", {"input": "hello"}, call_id="call_1")],
            [assistant_message("In Chinese one says 你好.")],
        ],
    ),
)

print(Runner.run_sync(host, "How do I say hello in Chinese?").final_output)
