from __future__ import annotations

import asyncio
import json

from handfast import Agent, HandoffInputData, Runner, handoff
from handfast.extensions import handoff_filters
from handfast.testing import ScriptedModel, assistant_message, function_call


def spanish_handoff_message_filter(data: HandoffInputData) -> HandoffInputData:
    data = handoff_filters.remove_all_tools(data)
    history = data.input_history
    return data.clone(input_history=history if isinstance(history, str) else history[2:])


def assistant() -> Agent:
    spanish_agent = Agent(
        name="Spanish Assistant",
        instructions="You only speak Spanish and are extremely concise.",
        handoff_description="An assistant who speaks Spanish.",
        model=ScriptedModel([[assistant_message("No sé tu nombre.")]]),
    )
    return Agent(
        name="Assistant",
        instructions="Be helpful. If the user speaks Spanish, hand over to the Spanish assistant.",
        handoffs=[handoff(spanish_agent, input_filter=spanish_handoff_message_filter)],
        model=ScriptedModel(
            [
                [assistant_message("Hi Sora!")],
                [function_call("transfer_to_spanish_assistant", {}, call_id="call_1")],
            ],
        ),
    )


async def main() -> None:
    agent = assistant()
    result = await Runner.run(agent, "Hi, my name is Sora.")
    words = "Por favor habla en español. ¿Cuál es mi nombre?"
    conversation = [*result.to_input_list(), {"role": "user", "content": words}]

    # The filter emits nothing and takes nothing back: what the turn said was out before it ran.
    streamed = Runner.run_streamed(agent, input=conversation)
    async for event in streamed.stream_events():
        if event.type == "agent_updated_stream_event":
            print(f"-- {event.new_agent.name}")
        elif event.type == "run_item_stream_event":
            print(event.name)

    for message in streamed.to_input_list():
        print(json.dumps(message, ensure_ascii=False, sort_keys=True))


if __name__ == "__main__":
    asyncio.run(main())
