from __future__ import annotations

from typing import Any

import pytest

from handfast import Agent, AgentHooks, function_tool, handoff
from handfast.agents.agent_signature import agent_signature


@function_tool
def look(path: str) -> str:
    """Look at a path."""
    return path


def agent(**changes: Any) -> Agent[Any]:
    fields: dict[str, Any] = {"name": "a", "instructions": "Do.", "tools": [look], **changes}
    return Agent(**fields)


def test_a_declaration_has_the_same_signature_every_time() -> None:
    assert agent_signature(agent()) == agent_signature(agent())


@pytest.mark.parametrize(
    "change",
    [
        {"instructions": "Do not."},
        {"tools": []},
        {"handoff_description": "knows all"},
        {"model": "small"},
        {"output_type": int},
        {"tool_use_behavior": "stop_on_first_tool"},
        {"hooks": AgentHooks[Any]()},
        {"handoffs": [handoff(Agent(name="b"))]},
        {"handoffs": [Agent(name="b")]},
    ],
)
def test_every_declared_difference_shows(change: dict[str, object]) -> None:
    assert agent_signature(agent(**change)) != agent_signature(agent())


def test_the_state_of_hooks_does_not() -> None:
    class Counting(AgentHooks[Any]):
        count = 0

    first, second = Counting(), Counting()
    second.count = 7
    assert agent_signature(agent(hooks=first)) == agent_signature(agent(hooks=second))
