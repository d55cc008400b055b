from __future__ import annotations

import json
from typing import Any

import pytest

from handfast import Agent, RunHooks, Runner, RunState, UserError, function_tool
from handfast.runner.once import UNKNOWN
from handfast.testing.messages import assistant_message, function_call
from handfast.testing.scripted_model import ScriptedModel


class FailsOnce(RunHooks[Any]):
    """Fails when it is first told that a tool ended."""

    failed = False

    async def on_tool_end(self, context: Any, agent: Any, tool: Any, result: object) -> None:
        del context, agent, tool, result
        if not self.failed:
            self.failed = True
            raise RuntimeError("the hook fell over")


def payment(*, idempotent: bool = False, breaks: bool = False) -> tuple[Agent[Any], list[int]]:
    paid: list[int] = []

    @function_tool(needs_approval=True, failure_error_function=None, idempotent=idempotent)
    def pay(eur: int) -> str:
        paid.append(eur)
        if breaks and len(paid) == 1:
            raise ConnectionError("the line dropped")
        return f"paid {eur}"

    model = ScriptedModel(
        [[function_call("pay", {"eur": 5}, call_id="c1")], [assistant_message("done")]],
    )
    return Agent(name="payer", model=model, tools=[pay]), paid


async def approved(agent: Agent[Any]) -> RunState[Any]:
    state = (await Runner.run(agent, "pay")).to_state()
    state.approve(state.get_interruptions()[0])
    return state


def answer_of(agent: Agent[Any]) -> str:
    model = agent.model
    assert isinstance(model, ScriptedModel)
    sent = model.calls[-1].input
    assert isinstance(sent, list)
    return str(sent[-1]["output"])


@pytest.mark.parametrize("stored", [False, True])
async def test_a_call_that_ended_is_not_made_again(stored: bool) -> None:  # noqa: FBT001 - a parameter of pytest
    agent, paid = payment()
    state = await approved(agent)
    hooks = FailsOnce()
    with pytest.raises(Exception, match="fell over"):
        await Runner.run(agent, state, hooks=hooks)
    if stored:
        state = await RunState.from_json(agent, json.loads(state.to_string()))
    result = await Runner.run(agent, state, hooks=hooks)
    assert result.final_output == "done"
    assert paid == [5]
    assert answer_of(agent) == "paid 5"


async def test_a_call_of_which_nobody_knows_is_told_of_and_not_made_again() -> None:
    agent, paid = payment(breaks=True)
    state = await approved(agent)
    with pytest.raises(UserError, match="the line dropped"):
        await Runner.run(agent, state)
    result = await Runner.run(agent, state)
    assert result.final_output == "done"
    assert paid == [5]
    assert answer_of(agent) == UNKNOWN


async def test_a_call_that_may_be_made_again_is() -> None:
    agent, paid = payment(breaks=True, idempotent=True)
    state = await approved(agent)
    with pytest.raises(UserError, match="the line dropped"):
        await Runner.run(agent, state)
    await Runner.run(agent, state)
    assert paid == [5, 5]
    assert answer_of(agent) == "paid 5"
