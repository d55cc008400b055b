from __future__ import annotations

import asyncio

from handfast import (
    Agent,
    InMemorySession,
    RunConfig,
    Runner,
    SessionSettings,
    TResponseInputItem,
)
from handfast.testing import ScriptedModel, assistant_message


def begin_with(
    history: list[TResponseInputItem],
    new_input: list[TResponseInputItem],
) -> list[TResponseInputItem]:
    """The conversation that the run begins with. Only what is new is added to the session."""
    today = {"role": "developer", "content": "Today is 1 December 2026."}
    return [today, *history[-2:], *new_input]


async def main() -> None:
    model = ScriptedModel([[assistant_message("Yes.")]] * 4)
    guide = Agent(name="Guide", model=model)
    session = InMemorySession()
    for words in ("One?", "Two?"):
        await Runner.run(guide, words, session=session)

    limited = RunConfig(session_settings=SessionSettings(limit=2))
    await Runner.run(guide, "Three?", session=session, run_config=limited)
    merged = RunConfig(session_input_callback=begin_with)
    await Runner.run(guide, "Four?", session=session, run_config=merged)

    for call in model.calls[2:]:
        assert isinstance(call.input, list)
        print([item["content"] for item in call.input if item["role"] != "assistant"])
    print(len(await session.get_items()), "items are kept")


if __name__ == "__main__":
    asyncio.run(main())
