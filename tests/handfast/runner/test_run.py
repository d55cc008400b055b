from __future__ import annotations

import pytest

from handfast import Agent, RunConfig, RunContextWrapper
from handfast.core.items import Call, HandoffResult, Message
from handfast.core.loop import start
from handfast.runner.drive import drive
from handfast.runner.run import Run


def new_run(agent: Agent) -> Run:
    return Run(agent, RunContextWrapper(None), RunConfig(), drive)


def test_a_call_keeps_its_id_when_that_is_free_and_gets_its_own_when_not() -> None:
    run = new_run(Agent(name="a"))
    run.begin(start("a", [Call("old", "t", "{}", {})]))
    assert run.claim_call_id("c1", 1, 0) == "c1"
    assert run.claim_call_id("c1", 1, 1) == "call_1_1"
    assert run.claim_call_id("", 1, 2) == "call_1_2"
    assert run.claim_call_id("old", 2, 0) == "call_2_0"
    assert run.claim_call_id("call_1_1", 2, 1) == "call_2_1"
    assert run.claim_call_id("", 1, 1) == "call_1_1_1"


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
