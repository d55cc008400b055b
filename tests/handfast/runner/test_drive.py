from __future__ import annotations

import asyncio
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from handfast import Agent, Runner, function_tool
from handfast.testing.messages import ScriptedItem, assistant_message, function_call
from handfast.testing.scripted_model import ScriptedModel

Turns = list[list[int]]


def steps(turns: Turns) -> list[list[ScriptedItem]]:
    asked = [
        [function_call("work", {"yields": n}, call_id=f"c{t}-{i}") for i, n in enumerate(turn)]
        for t, turn in enumerate(turns)
    ]
    return [*asked, [assistant_message("done")]]


@function_tool
async def work(yields: int) -> str:
    """Take so many turns of the event loop."""
    for _ in range(yields):
        await asyncio.sleep(0)
    return f"after {yields}"


@given(st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=5), max_size=4))
def test_how_long_tools_take_does_not_change_a_run(turns: Turns) -> None:
    async def run(streamed: bool, hurry: bool) -> Any:  # noqa: FBT001
        script = [[{**each} for each in step] for step in steps(turns)]
        if hurry:
            for step in script[:-1]:
                for each in step:
                    each["arguments"] = '{"yields": 0}'
        agent = Agent(name="a", model=ScriptedModel(script), tools=[work])
        if not streamed:
            return (await Runner.run(agent, "go")).to_input_list()
        result = Runner.run_streamed(agent, "go")
        async for _ in result.stream_events():
            pass
        return result.to_input_list()

    async def all_ways() -> None:
        whole = await run(streamed=False, hurry=False)
        assert await run(streamed=True, hurry=False) == whole
        hurried = await run(streamed=False, hurry=True)
        assert [i.get("call_id") for i in hurried] == [i.get("call_id") for i in whole]

    asyncio.run(all_ways())


async def test_a_single_call_starts_no_task() -> None:
    tasks: list[asyncio.Task[Any] | None] = []

    @function_tool
    async def look() -> str:
        tasks.append(asyncio.current_task())
        return "ok"

    model = ScriptedModel([[function_call("look")], [assistant_message("done")]])
    await Runner.run(Agent(name="a", model=model, tools=[look]), "go")
    assert tasks == [asyncio.current_task()]


async def test_a_thousand_runs_at_once_leave_nothing_behind() -> None:
    agent = Agent(name="a", tools=[work])
    before = asyncio.all_tasks()

    async def one() -> str:
        model = ScriptedModel(steps([[1, 0], [2]]))
        return str((await Runner.run(agent.clone(model=model), "go")).final_output)

    assert set(await asyncio.gather(*[one() for _ in range(1_000)])) == {"done"}
    assert asyncio.all_tasks() == before
