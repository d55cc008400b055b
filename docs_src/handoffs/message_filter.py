from __future__ import annotations

import asyncio
import json

from handfast import Agent, HandoffInputData, Runner, function_tool, handoff
from handfast.extensions import handoff_filters
from handfast.testing import ScriptedModel, assistant_message, function_call


@function_tool
def random_number(most: int) -> int:
    """A number between 0 and the one given."""
    return most * 2 // 3


def spanish_handoff_message_filter(data: HandoffInputData) -> HandoffInputData:
    # First, drop everything that has to do with tools.
    data = handoff_filters.remove_all_tools(data)
    # Then the first two items of the history, to show that a filter may do anything. A history
    # that was given as text is one message, and stays.
    history = data.input_history
    return data.clone(input_history=history if isinstance(history, str) else history[2:])


def team() -> tuple[Agent, Agent]:
    """An assistant, and one that hands over to a Spanish colleague."""
    first_agent = Agent(
        name="Assistant",
        instructions="Be extremely concise.",
        tools=[random_number],
        model=ScriptedModel(
            [
                [assistant_message("Hi Sora!")],
                [function_call("random_number", {"most": 100}, call_id="call_1")],
                [assistant_message("66.")],
            ],
        ),
    )
    spanish_agent = Agent(
        name="Spanish Assistant",
        instructions="You only speak Spanish and are extremely concise.",
        handoff_description="An assistant who speaks Spanish.",
        model=ScriptedModel([[assistant_message("No sé tu nombre. Vives en Nueva York.")]]),
    )
    second_agent = Agent(
        name="Assistant",
        instructions="Be helpful. If the user speaks Spanish, hand over to the Spanish assistant.",
        handoffs=[handoff(spanish_agent, input_filter=spanish_handoff_message_filter)],
        model=ScriptedModel(
            [
                [assistant_message("About 8.5 million.")],
                [function_call("transfer_to_spanish_assistant", {}, call_id="call_2")],
            ],
        ),
    )
    return first_agent, second_agent


async def main() -> None:
    first_agent, second_agent = team()
    # 1. A greeting; 2. a tool; 3. another agent with the same conversation; 4. the handoff.
    result = await Runner.run(first_agent, input="Hi, my name is Sora.")
    for agent, words in (
        (first_agent, "Give me a random number between 0 and 100."),
        (second_agent, "I live in New York City. How many people live there?"),
        (second_agent, "Por favor habla en español. ¿Cuál es mi nombre y dónde vivo?"),
    ):
        conversation = [*result.to_input_list(), {"role": "user", "content": words}]
        result = await Runner.run(agent, input=conversation)

    print(result.last_agent.name)
    for message in result.to_input_list():
        print(json.dumps(message, ensure_ascii=False, sort_keys=True))


if __name__ == "__main__":
    asyncio.run(main())
