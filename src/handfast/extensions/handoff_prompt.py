"""Words that explain handoffs to a model, to put before an agent's own instructions."""

from __future__ import annotations

RECOMMENDED_PROMPT_PREFIX = (
    "# System context\n"
    "You work in a multi-agent system. It is built from two things: **agents** and **handoffs**. "
    "An agent is a set of instructions and tools, and may pass the conversation on to another "
    "agent that is better placed to go on with it. It does so with a handoff: a call of a "
    "transfer function, usually named `transfer_to_<agent_name>`. "
    "The system carries transfers out behind the scenes and the user does not notice them: do not "
    "mention them and do not draw attention to them when you talk to the user.\n"
)
"""What a model should know about handoffs; begins the instructions of agents that have any."""


def prompt_with_handoff_instructions(prompt: str) -> str:
    """The prompt with the recommended words about handoffs before it."""
    return f"{RECOMMENDED_PROMPT_PREFIX}\n{prompt}"
