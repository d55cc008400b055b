from __future__ import annotations

import pytest

from handfast import Agent, RunConfig, RunContextWrapper
from handfast.core.items import HandoffResult, Message
from handfast.runner.drive import drive
from handfast.runner.run import Run


def new_run(agent: Agent) -> Run:
    return Run(agent, RunContextWrapper(None), RunConfig(), drive)


def test_items_are_shown_with_their_agents() -> None:
    target = Agent(name="b")
    agent = Agent(name="a", handoffs=[target])
    run = new_run(agent)
    shown = run.public_item(HandoffResult("h", {"call_id": "h"}, "a", "b"))
    assert shown.agent is agent
    assert getattr(shown, "target_agent") is target  # noqa: B009 - of handoff items only
    assert run.public_item(Message("user", "hi", {"role": "user"})).agent is agent


def test_a_run_that_has_not_begun_has_no_state() -> None:
    with pytest.raises(RuntimeError):
        _ = new_run(Agent(name="a")).state
