from __future__ import annotations

from handfast import Agent, HandoffInputData, InMemorySession, Runner, handoff
from handfast.testing import ScriptedModel, assistant_message, function_call


async def words_only(data: HandoffInputData) -> HandoffInputData:
    """May be async. `input_items` is what the receiver sees; `new_items` is what is kept."""
    words = tuple(item for item in data.new_items if item.type == "message_output_item")
    return data.clone(input_items=words)


writer_model = ScriptedModel([[assistant_message("Dear customer, ...")]])
writer = Agent(name="Writer", model=writer_model)
clerk = Agent(
    name="Clerk",
    handoffs=[handoff(writer, input_filter=words_only)],
    model=ScriptedModel(
        [
            [
                assistant_message("I ask the writer."),
                function_call("transfer_to_writer", {}, call_id="call_1"),
            ],
        ],
    ),
)


async def run() -> None:
    session = InMemorySession()
    result = await Runner.run(clerk, "Write to the shop.", session=session)
    seen = writer_model.first_call
    assert seen is not None
    assert isinstance(seen.input, list)
    print("the writer sees:", [item.get("role") or item["type"] for item in seen.input])
    print("the result has:", [item.type for item in result.new_items])
    kept = await session.get_items()
    print("the session has:", [item.get("role") or item["type"] for item in kept])


if __name__ == "__main__":
    import asyncio

    asyncio.run(run())
