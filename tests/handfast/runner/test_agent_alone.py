from __future__ import annotations

import asyncio
from typing import Any

import pytest
from pydantic import BaseModel

from handfast import (
    Agent,
    AgentToolPausedError,
    AgentToolStreamEvent,
    RunConfig,
    RunContextWrapper,
    RunHooks,
    SQLiteSession,
    ToolContext,
    function_tool,
)
from handfast.agent_tool_state import get_agent_tool_state_scope, set_agent_tool_state_scope
from handfast.runner.agent_runner import AgentRunner, set_default_agent_runner
from handfast.testing.messages import assistant_message, function_call
from handfast.testing.scripted_model import ScriptedModel

ASK = '{"input": "q"}'


def context(call: object = None, arguments: str = ASK, **options: Any) -> ToolContext[Any]:
    return ToolContext(
        "ctx",
        tool_name="ask",
        tool_call_id="c1",
        tool_arguments=arguments,
        tool_call=call,
        **options,
    )


def approving(*later: Any) -> tuple[Agent[Any], list[str]]:
    acted: list[str] = []

    @function_tool(needs_approval=True)
    def act(what: str) -> str:
        acted.append(what)
        return "acted"

    model = ScriptedModel([[function_call("act", {"what": "it"}, call_id="a1")], *later])
    return Agent(name="helper", model=model, tools=[act]), acted


async def test_an_agent_tool_invoked_by_hand_runs_its_agent() -> None:
    helper = Agent(name="helper", model=ScriptedModel([[assistant_message("alone")]]))
    ctx = context()
    assert await helper.as_tool("ask", "Ask.").on_invoke_tool(ctx, ASK) == "alone"
    assert ctx.usage.requests == 1


async def test_the_run_begins_at_the_public_door_with_what_the_tool_was_given() -> None:
    given: list[dict[str, Any]] = []

    class Result:
        final_output = "theirs"

    class Own(AgentRunner):
        async def run(self, starting_agent: Any, input: Any, **options: Any) -> Any:  # noqa: A002 - the SDK's name
            given.append({"agent": starting_agent, "input": input, **options})
            return Result()

    helper = Agent(name="helper")
    hooks, session, config = RunHooks[Any](), SQLiteSession("s"), RunConfig()
    tool = helper.as_tool("ask", "Ask.", max_turns=3, hooks=hooks, session=session)
    set_default_agent_runner(Own())
    try:
        assert await tool.on_invoke_tool(context(run_config=config), ASK) == "theirs"
    finally:
        set_default_agent_runner(None)
    [told] = given
    assert (told["agent"], told["input"], told["max_turns"]) == (helper, "q", 3)
    assert (told["hooks"], told["session"], told["run_config"]) == (hooks, session, config)
    assert told["context"].context == "ctx"


async def test_structured_arguments_and_the_scope_reach_the_agents_context() -> None:
    class Query(BaseModel):
        city: str

    seen: list[object] = []

    def instructions(ctx: RunContextWrapper[Any], agent: Agent[Any]) -> str:
        del agent
        seen.extend([ctx.tool_input, get_agent_tool_state_scope(ctx)])
        return "x"

    model = ScriptedModel([[assistant_message("rain")]])
    helper = Agent(name="helper", instructions=instructions, model=model)
    tool = helper.as_tool("ask", "Ask.", parameters=Query)
    ctx = context(arguments='{"city": "Oslo"}')
    set_agent_tool_state_scope(ctx, "scope")
    assert await tool.on_invoke_tool(ctx, '{"city": "Oslo"}') == "rain"
    assert seen == [{"city": "Oslo"}, "scope"]


async def test_a_listener_is_told_of_the_run() -> None:
    told: list[AgentToolStreamEvent] = []
    helper = Agent(name="helper", model=ScriptedModel([[assistant_message("alone")]]))
    call = function_call("ask", {"input": "q"}, call_id="c1")
    tool = helper.as_tool("ask", "Ask.", on_stream=told.append)
    assert await tool.on_invoke_tool(context(call), ASK) == "alone"
    assert told
    assert all(each["tool_call"] is call for each in told)


@pytest.mark.parametrize(("approves", "answer"), [(True, ["it"]), (False, [])])
@pytest.mark.parametrize("streamed", [False, True])
async def test_a_call_that_waits_is_decided_and_goes_on_when_the_tool_is_invoked_again(
    approves: bool,  # noqa: FBT001 - a parameter of pytest
    answer: list[str],
    streamed: bool,  # noqa: FBT001 - a parameter of pytest
) -> None:
    helper, acted = approving([assistant_message("ended")])
    tool = helper.as_tool("ask", "Ask.", on_stream=(lambda _: None) if streamed else None)
    call = function_call("ask", {"input": "q"}, call_id=f"c{approves}{streamed}")
    ctx = context(call)
    with pytest.raises(AgentToolPausedError, match="needs approval") as caught:
        await tool.on_invoke_tool(ctx, ASK)
    waiting: Any = caught.value.interruptions[0]
    assert waiting.arguments == '{"what": "it"}'
    with pytest.raises(AgentToolPausedError):
        await tool.on_invoke_tool(ctx, ASK)
    assert acted == []
    if approves:
        ctx.approve_tool(waiting)
    else:
        ctx.reject_tool(waiting)
    again = context(call, usage=ctx.usage, approvals=ctx.approvals)
    assert await tool.on_invoke_tool(again, ASK) == "ended"
    assert acted == answer
    assert ctx.usage.requests == 2


async def test_a_run_that_was_cancelled_as_it_went_on_goes_on_from_there() -> None:
    helper, acted = approving(asyncio.CancelledError(), [assistant_message("ended")])
    tool = helper.as_tool("ask", "Ask.", failure_error_function=None)
    ctx = context(function_call("ask", {"input": "q"}, call_id="c-again"))
    with pytest.raises(AgentToolPausedError) as caught:
        await tool.on_invoke_tool(ctx, ASK)
    ctx.approve_tool(caught.value.interruptions[0])
    with pytest.raises(BaseException, match="cancelled"):
        await tool.on_invoke_tool(ctx, ASK)
    assert await tool.on_invoke_tool(ctx, ASK) == "ended"
    assert acted == ["it"]


async def test_without_a_call_to_keep_it_by_a_pause_is_an_error() -> None:
    helper, acted = approving()
    tool = helper.as_tool("ask", "Ask.")
    with pytest.raises(AgentToolPausedError, match="Let Runner"):
        await tool.on_invoke_tool(context(), ASK)
    assert acted == []


async def test_another_call_of_the_same_id_is_another_call() -> None:
    helper, _ = approving([assistant_message("other")])
    tool = helper.as_tool("ask", "Ask.")
    first = context(function_call("ask", {"input": "q"}, call_id="same"))
    with pytest.raises(AgentToolPausedError):
        await tool.on_invoke_tool(first, ASK)
    other = context(function_call("ask", {"input": "else"}, call_id="same"))
    assert await tool.on_invoke_tool(other, '{"input": "else"}') == "other"
