"""A run that waited goes on where it was: nothing twice, nothing lost."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cases.case_model import agent, assert_whole, kinds, play, scripted, shown, step, steps_of
from handfast import (
    Agent,
    RunContextWrapper,
    RunState,
    SQLiteSession,
    function_tool,
)
from handfast.sessions.memory import InMemorySession


@pytest.fixture(params=["live", "stored"])
def through(request: pytest.FixtureRequest) -> bool:
    """True where the state goes through JSON text before it is decided about."""
    return bool(request.param == "stored")


async def waiting(first: Agent[Any], state: RunState[Any], *, through: bool) -> RunState[Any]:
    if not through:
        return state
    return await RunState.from_json(first, json.loads(state.to_string()))


@pytest.mark.parametrize("approve", [True, False])
async def test_a_session_holds_each_item_of_a_resumed_run_once(
    approve: bool,  # noqa: FBT001 - a parameter of pytest
    *,
    streamed: bool,
    through: bool,
) -> None:
    sent: list[int] = []

    @function_tool(needs_approval=True)
    def wire(eur: int) -> str:
        sent.append(eur)
        return "ok"

    session = SQLiteSession("s")
    a = agent("A", scripted(steps_of("resume-1")), tools=[wire])
    paused = await play(a, "pay 5", streamed=streamed, session=session)
    state = await waiting(a, paused.to_state(), through=through)
    item = state.get_interruptions()[0]
    if approve:
        state.approve(item)
    else:
        state.reject(item, rejection_message="no money")
    result = await play(a, state, streamed=streamed, session=session)
    assert result.final_output == "sent"
    assert sent == ([5] if approve else [])
    kept = [dict(each) for each in await session.get_items()]
    assert kinds(kept) == ["message", "function_call", "function_call_output", "message"]
    assert kept[2]["output"] == ("ok" if approve else "no money")
    assert result.context_wrapper.usage.requests == 2
    assert len(result.raw_responses) == 2
    assert_whole(kept)


async def test_an_approval_outlives_a_new_context(*, streamed: bool, through: bool) -> None:
    seen: list[object] = []

    @function_tool(needs_approval=True)
    def deploy(ctx: RunContextWrapper[Any]) -> str:
        seen.append(ctx.context)
        return "ok"

    a = agent("A", scripted(steps_of("resume-3")), tools=[deploy])
    paused = await play(a, streamed=streamed, context="old")
    state = await waiting(a, paused.to_state(), through=through)
    state.approve(state.get_interruptions()[0])
    result = await play(a, state, streamed=streamed, context="new")
    assert result.final_output == "deployed"
    assert seen == ["new"]
    assert result.context_wrapper.context == "new"


@pytest.mark.parametrize("approve", [True, False])
async def test_a_decision_reaches_an_agent_inside_a_tool(
    approve: bool,  # noqa: FBT001 - a parameter of pytest
    *,
    streamed: bool,
    through: bool,
) -> None:
    done: list[str] = []

    @function_tool
    def prepare() -> str:
        done.append("prepare")
        return "ready"

    @function_tool(needs_approval=True)
    def delete() -> str:
        done.append("delete")
        return "ok"

    outer_asks, *inner_steps, outer_ends = steps_of("resume-5")
    before = step("inner", {"id": "p1", "name": "prepare", "args": {}})
    outer_asks = {**outer_asks, "calls": [{**outer_asks["calls"][0], "args": {"input": "x"}}]}
    model = scripted([outer_asks, before, *inner_steps, outer_ends])
    inner = agent("inner", model, tools=[prepare, delete])
    outer = agent("outer", model, tools=[inner.as_tool("ask_inner", "Ask inner.")])
    paused = await play(outer, streamed=streamed)
    state = await waiting(outer, paused.to_state(), through=through)
    item = state.get_interruptions()[0]
    assert (item.agent.name, item.tool_name) == ("inner", "delete")
    if approve:
        state.approve(item)
    else:
        state.reject(item)
    result = await play(outer, state, streamed=streamed)
    assert result.final_output == "done"
    assert done == (["prepare", "delete"] if approve else ["prepare"])
    assert result.context_wrapper.usage.requests == 5
    assert_whole(shown(model))


async def test_one_of_two_decisions_goes_on_when_the_other_comes(
    *,
    streamed: bool,
    through: bool,
) -> None:
    done: list[int] = []

    @function_tool(needs_approval=True)
    def wire(eur: int) -> str:
        done.append(eur)
        return f"sent {eur}"

    calls = [{"id": f"c{n}", "name": "wire", "args": {"eur": n}} for n in range(3)]
    model = scripted([step("A", *calls), {"by": "A", "text": "done"}])
    a = agent("A", model, tools=[wire])
    session = InMemorySession("s")
    state = (await play(a, streamed=streamed, session=session)).to_state()
    for expected in ([2], [2, 0], [2, 0]):
        state = await waiting(a, state, through=through)
        items = state.get_interruptions()
        if len(items) == 1:
            state.reject(items[0], rejection_message="enough")
        else:
            state.approve(items[-1] if len(items) == 3 else items[0])
        state = (await play(a, state, streamed=streamed, session=session)).to_state()
        assert done == expected
    kept = [dict(each) for each in await session.get_items()]
    answers = [each["output"] for each in kept if "output" in each]
    assert answers == ["sent 0", "enough", "sent 2"]
    assert_whole(kept)
