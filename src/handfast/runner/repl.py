"""`run_demo_loop`: a conversation with an agent in a terminal, to try it out."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from typing import Any, Final

from handfast.agents.agent import AnyAgent
from handfast.agents.items import ToolCallItem, ToolCallOutputItem
from handfast.agents.raw import InputItem
from handfast.runner.config import DEFAULT_MAX_TURNS, RunConfig
from handfast.runner.result import RunResult
from handfast.runner.runner import Runner
from handfast.runner.stream import RunResultStreaming
from handfast.runner.stream_events import (
    AgentUpdatedStreamEvent,
    RawResponsesStreamEvent,
    RunItemStreamEvent,
    StreamEvent,
)

LAST_WORDS: Final = frozenset({"exit", "quit"})


async def run_demo_loop(
    agent: AnyAgent,
    *,
    stream: bool = True,
    context: Any = None,  # noqa: ANN401 - the user's own object
    max_turns: int | None = DEFAULT_MAX_TURNS,
    run_config: RunConfig | Mapping[str, Any] | None = None,
) -> None:
    """Talk to an agent in the terminal, until `exit`, `quit` or the end of the input.

    Args:
        agent: Who is talked to first; handoffs change that for the rest of the conversation.
        stream: Show words as they come.
        context: Your own object, handed to tools, hooks and guardrails.
        max_turns: Model calls for each of your messages.
        run_config: Settings of the runs.
    """
    conversation: list[InputItem] = []
    current = agent
    while True:
        try:
            said = await asyncio.to_thread(input, " > ")
        except (EOFError, KeyboardInterrupt):
            _show("\n")
            return
        if said.strip().lower() in LAST_WORDS:
            return
        if not said:
            continue
        conversation.append({"role": "user", "content": said})
        options: dict[str, Any] = {
            "context": context,
            "max_turns": max_turns,
            "run_config": run_config,
        }
        result: RunResult | RunResultStreaming
        if stream:
            result = Runner.run_streamed(current, list(conversation), **options)
            await _follow(result)
        else:
            result = await Runner.run(current, list(conversation), **options)
            _show(f"{result.final_output}\n")
        current = result.last_agent
        conversation = result.to_input_list()


async def _follow(result: RunResultStreaming) -> None:
    async for event in result.stream_events():
        _show(_told(event))
    _show("\n")


def _told(event: StreamEvent) -> str:
    """What a person is shown of an event."""
    match event:
        case RawResponsesStreamEvent(data=data):
            is_text = getattr(data, "type", None) == "response.output_text.delta"
            return str(data.delta) if is_text else ""
        case RunItemStreamEvent(item=ToolCallItem()):
            return "\n[tool called]\n"
        case RunItemStreamEvent(item=ToolCallOutputItem(output=output)):
            return f"\n[tool output: {output}]\n"
        case AgentUpdatedStreamEvent(new_agent=agent):
            return f"\n[Agent updated: {agent.name}]\n"
        case _:
            return ""


def _show(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()
