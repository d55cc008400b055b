"""A server that keeps results keeps nothing else."""

from __future__ import annotations

import asyncio
import gc
import sys
import weakref
from typing import Any

import pytest

from cases.case_model import Played, agent, called, play, scripted, step, steps_of
from handfast import (
    Agent,
    GuardrailFunctionOutput,
    HandoffOutputItem,
    InMemorySession,
    Runner,
    RunState,
    UserError,
    function_tool,
    handoff,
    input_guardrail,
    output_guardrail,
)

SCRIPT = steps_of("memory-1")


@input_guardrail
def fine(_context: Any, _agent: Any, _input: Any) -> GuardrailFunctionOutput:
    return GuardrailFunctionOutput(None, tripwire_triggered=False)


@output_guardrail
def fine_too(_context: Any, _agent: Any, _output: Any) -> GuardrailFunctionOutput:
    return GuardrailFunctionOutput(None, tripwire_triggered=False)


def team() -> Agent[Any]:
    """Agents with tools and handoffs in a circle, and a model of their own."""

    @function_tool
    def look(x: int) -> str:
        """Look."""
        return str(x)

    model = scripted(SCRIPT)
    a = agent("A", model, tools=[look], input_guardrails=[fine])
    b = agent("B", model, tools=[look], output_guardrails=[fine_too])
    a.handoffs, b.handoffs = [handoff(b)], [a]
    return a


async def request(refs: list[weakref.ref[Any]], *, streamed: bool) -> Played:
    first = team()
    receiver: Any = first.handoffs[0]
    refs.extend(weakref.ref(each) for each in (first, receiver.agent, receiver, *first.tools))
    return await play(first, streamed=streamed, session=InMemorySession())


async def test_agents_and_tools_are_gone_although_results_are_kept(*, streamed: bool) -> None:
    refs: list[weakref.ref[Any]] = []
    kept = [await request(refs, streamed=streamed) for _ in range(3)]
    await asyncio.sleep(0)
    gc.collect()
    assert [ref() for ref in refs if ref() is not None] == []
    for result in kept:
        assert result.final_output == "done"
        assert result.last_agent.name == "B"
        made_by: list[Any] = [item.agent for item in result.new_items]
        assert [each.name for each in made_by] == ["A", "A", "B"]
        moved: list[Any] = [i for i in result.new_items if isinstance(i, HandoffOutputItem)]
        assert [(item.source_agent.name, item.target_agent.name) for item in moved] == [("A", "B")]
        assert result.output_guardrail_results[0].agent.name == "B"
        assert len(result.to_input_list()) == 4
        assert "B" in repr(result)


async def test_agents_that_the_program_holds_are_the_very_ones(*, streamed: bool) -> None:
    first = team()
    result = await play(first, streamed=streamed)
    gc.collect()
    receiver: Any = first.handoffs[0]
    assert result.last_agent is receiver.agent
    made_by: Any = result.new_items[0].agent
    assert made_by is first
    assert result.output_guardrail_results[0].agent is receiver.agent
    result.release_agents()
    result.release_agents(release_new_items=False)
    assert result.last_agent is receiver.agent


async def test_who_dropped_an_agent_is_told_so_when_it_is_needed(*, streamed: bool) -> None:
    result = await request([], streamed=streamed)
    gc.collect()
    with pytest.raises(UserError, match="no longer in memory"):
        result.to_state()
    with pytest.raises(UserError, match="Runner runs an Agent"):
        await Runner.run(result.last_agent, "again")


async def test_a_run_that_waits_for_a_person_keeps_its_agents(*, streamed: bool) -> None:
    @function_tool(needs_approval=True)
    def pay() -> str:
        """Pay."""
        return "paid"

    model = scripted([step("A", called("c1", "pay")), step("A", text="done")])

    async def ask() -> Played:
        return await play(agent("A", model, tools=[pay]), streamed=streamed)

    paused = await ask()
    gc.collect()
    state: RunState = paused.to_state()
    state.approve(state.get_interruptions()[0])
    result = await Runner.run(paused.last_agent, state)
    assert result.final_output == "done"


async def test_nothing_of_a_thousand_runs_stays_behind(*, streamed: bool) -> None:
    async def left_by(runs: int) -> int:
        for _ in range(runs):
            await play(team(), streamed=streamed, session=InMemorySession())
        await asyncio.sleep(0)
        for _ in range(3):
            gc.collect()
        return sys.getallocatedblocks()

    await left_by(50)
    before = await left_by(50)
    after = await left_by(1_000)
    assert after - before < 1_000, "more than a block for each run stays behind"
