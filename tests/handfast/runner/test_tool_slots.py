from __future__ import annotations

import asyncio

import pytest

from handfast import Agent, RunConfig, Runner, ToolExecutionConfig, function_tool
from handfast.testing.messages import assistant_message, function_call
from handfast.testing.scripted_model import ScriptedModel

DONE = [assistant_message("done")]


def shown(model: ScriptedModel) -> list[object]:
    call = model.last_call
    assert call is not None
    assert not isinstance(call.input, str)
    return [item["output"] for item in call.input if "output" in item]


async def test_calls_get_their_turn_in_order_where_few_may_work_at_once() -> None:
    working, most = 0, 0
    order: list[int] = []

    @function_tool
    async def work(n: int) -> str:
        nonlocal working, most
        working += 1
        most = max(most, working)
        order.append(n)
        for _ in range(3):
            await asyncio.sleep(0)
        working -= 1
        return str(n)

    calls = [function_call("work", {"n": n}, call_id=f"call_{n}") for n in range(6)]
    model = ScriptedModel([calls, DONE])
    limit = ToolExecutionConfig(max_function_tool_concurrency=2)
    agent = Agent(name="a", model=model, tools=[work])
    await Runner.run(agent, "go", run_config=RunConfig(tool_execution=limit))
    assert most == 2
    assert order == list(range(6))
    assert shown(model) == [str(n) for n in range(6)]


async def test_a_call_that_fails_gives_its_slot_back() -> None:
    @function_tool
    def fail() -> str:
        raise ValueError("no")

    model = ScriptedModel([[function_call("fail", call_id=f"c{n}") for n in range(3)], DONE])
    limit = ToolExecutionConfig(max_function_tool_concurrency=1)
    agent = Agent(name="a", model=model, tools=[fail])
    async with asyncio.timeout(5):
        await Runner.run(agent, "go", run_config=RunConfig(tool_execution=limit))
    assert len(shown(model)) == 3


def test_a_limit_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        ToolExecutionConfig(max_function_tool_concurrency=0)


async def test_an_agent_as_a_tool_never_waits_for_the_slot_that_it_holds() -> None:
    @function_tool
    def look() -> str:
        return "seen"

    helper = Agent(
        name="helper",
        model=ScriptedModel([[function_call("look", {})], DONE]),
        tools=[look],
    )
    tool = helper.as_tool("ask", "Ask the helper.")
    model = ScriptedModel([[function_call("ask", {"input": "go"})], DONE])
    limit = ToolExecutionConfig(max_function_tool_concurrency=1)
    agent = Agent(name="a", model=model, tools=[tool])
    async with asyncio.timeout(5):
        await Runner.run(agent, "go", run_config=RunConfig(tool_execution=limit))
    assert shown(model) == ["done"]
