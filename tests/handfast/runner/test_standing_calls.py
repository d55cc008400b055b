from __future__ import annotations

from typing import Any

import pytest

from handfast import (
    Agent,
    ModelBehaviorError,
    RunConfig,
    Runner,
    RunState,
    ToolCallOutputItem,
    UserError,
    function_tool,
    handoff,
)
from handfast.testing.messages import assistant_message, function_call
from handfast.testing.scripted_model import ScriptedModel

TOLD = RunConfig(tool_not_found_behavior="return_error_to_model")


def asking(name: str, ran: list[str]) -> Any:
    def tool() -> str:
        ran.append(name)
        return name

    return function_tool(tool, name_override=name, needs_approval=True)


async def approved(agent: Agent[Any]) -> RunState:
    state = (await Runner.run(agent, "go")).to_state()
    for item in state.get_interruptions():
        state.approve(item)
    return state


async def test_a_tool_that_is_gone_ends_the_run_before_its_siblings_have_run() -> None:
    ran: list[str] = []
    kept, gone = asking("kept", ran), asking("gone", ran)
    calls = [function_call("kept", call_id="1"), function_call("gone", call_id="2")]
    agent = Agent(
        name="a",
        model=ScriptedModel([calls, [assistant_message("done")]]),
        tools=[kept, gone],
    )
    state = await approved(agent)
    agent.tools = [kept]
    with pytest.raises(ModelBehaviorError, match="Tool gone not found in agent a"):
        await Runner.run(agent, state)
    assert ran == []
    agent.tools = [kept, gone]
    assert (await Runner.run(agent, state)).final_output == "done"
    assert sorted(ran) == ["gone", "kept"]


async def test_the_model_is_told_of_a_tool_that_is_gone_where_the_run_says_so() -> None:
    ran: list[str] = []
    model = ScriptedModel([[function_call("gone")], [assistant_message("done")]])
    agent = Agent(name="a", model=model, tools=[asking("gone", ran)])
    state = await approved(agent)
    agent.tools = []
    result = await Runner.run(agent, state, run_config=TOLD)
    outputs = [item.output for item in result.new_items if isinstance(item, ToolCallOutputItem)]
    assert "not found" in str(outputs)
    assert ran == []


async def test_a_rejected_call_needs_no_tool() -> None:
    model = ScriptedModel([[function_call("gone")], [assistant_message("done")]])
    agent = Agent(name="a", model=model, tools=[asking("gone", [])])
    state = (await Runner.run(agent, "go")).to_state()
    state.reject(state.get_interruptions()[0])
    agent.tools = []
    assert (await Runner.run(agent, state)).final_output == "done"


async def test_a_call_nobody_decided_about_goes_on_waiting() -> None:
    agent = Agent(
        name="a", model=ScriptedModel([[function_call("gone")]]), tools=[asking("gone", [])]
    )
    state = (await Runner.run(agent, "go")).to_state()
    agent.tools = []
    assert len((await Runner.run(agent, state)).interruptions) == 1


async def test_a_handoff_that_is_gone_is_seen_before_the_calls_beside_it_run() -> None:
    ran: list[str] = []
    calls = [function_call("ask", call_id="1"), function_call("route", call_id="2")]
    route = handoff(Agent(name="b"), tool_name_override="route")
    agent = Agent(
        name="a", model=ScriptedModel([calls]), tools=[asking("ask", ran)], handoffs=[route]
    )
    state = await approved(agent)
    agent.handoffs = []
    with pytest.raises(ModelBehaviorError, match="Tool route not found in agent a"):
        await Runner.run(agent, state, run_config=TOLD)
    assert ran == []


async def test_a_paused_agent_waits_for_its_own_tool() -> None:
    ran: list[str] = []
    inner = Agent(
        name="inner",
        model=ScriptedModel([[function_call("ask")], [assistant_message("found")]]),
        tools=[asking("ask", ran)],
    )
    nested = inner.as_tool("look", "Look.")
    model = ScriptedModel([[function_call("look", {"input": "x"})], [assistant_message("done")]])
    outer = Agent(name="outer", model=model, tools=[nested])
    state = await approved(outer)
    outer.tools = [function_tool(lambda: "other", name_override="look")]
    with pytest.raises(ModelBehaviorError, match="Cannot reconcile queued tool look"):
        await Runner.run(outer, state)
    outer.tools = []
    with pytest.raises(ModelBehaviorError, match="Tool look not found in agent outer"):
        await Runner.run(outer, state)
    assert ran == []
    outer.tools = [nested]
    assert (await Runner.run(outer, state)).final_output == "done"
    assert ran == ["ask"]


async def test_a_function_does_not_become_a_handoff_while_it_waits() -> None:
    model = ScriptedModel([[function_call("route")]])
    agent = Agent(name="a", model=model, tools=[asking("route", [])])
    state = await approved(agent)
    agent.tools, agent.handoffs = [], [handoff(Agent(name="b"), tool_name_override="route")]
    with pytest.raises(ModelBehaviorError, match="Cannot reconcile queued tool route"):
        await Runner.run(agent, state)


async def test_two_tools_of_one_name_are_refused_on_resumption_too() -> None:
    ran: list[str] = []
    tool = asking("ask", ran)
    agent = Agent(name="a", model=ScriptedModel([[function_call("ask")]]), tools=[tool])
    state = await approved(agent)
    agent.tools = [tool, asking("ask", ran)]
    with pytest.raises(UserError, match="Ambiguous function tool configuration"):
        await Runner.run(agent, state, run_config=RunConfig(tool_name_collision_policy="error"))
    assert ran == []
