from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel

from handfast import (
    Agent,
    AgentToolInvocation,
    MaxTurnsExceeded,
    RunContextWrapper,
    RunHooks,
    Runner,
    RunResult,
    RunState,
    SQLiteSession,
    ToolContext,
    UserError,
    function_tool,
)
from handfast.testing.messages import ScriptedItem, assistant_message, function_call
from handfast.testing.scripted_model import ScriptedModel


def caller(tool: Any, *steps: list[ScriptedItem]) -> tuple[Agent[Any], ScriptedModel]:
    model = ScriptedModel(steps)
    return Agent(name="caller", model=model, tools=[tool]), model


def shown(model: ScriptedModel) -> list[object]:
    call = model.last_call
    assert call is not None
    assert not isinstance(call.input, str)
    return [item["output"] for item in call.input if "output" in item]


ASK = [function_call("ask", {"input": "q"})]
DONE = [assistant_message("done")]


async def test_a_custom_extractor_makes_the_output() -> None:
    async def extract(result: RunResult) -> str:
        return f"<{result.final_output}>"

    helper = Agent(name="helper", model=ScriptedModel([[assistant_message("a")]]))
    agent, model = caller(helper.as_tool("ask", "Ask.", extract), ASK, DONE)
    await Runner.run(agent, "go")
    assert shown(model) == ["<a>"]


async def test_the_extractor_is_told_which_call_the_run_answers() -> None:
    told: list[object] = []

    async def extract(result: RunResult) -> str:
        told.append(result.agent_tool_invocation)
        return "a"

    helper = Agent(name="helper", model=ScriptedModel([[assistant_message("a")]]))
    agent, _ = caller(helper.as_tool("ask", "Ask.", extract), ASK, DONE)
    result = await Runner.run(agent, "go")
    call_id = next(str(item["call_id"]) for item in result.to_input_list() if "call_id" in item)
    assert told == [AgentToolInvocation("ask", call_id, '{"input": "q"}')]
    assert result.agent_tool_invocation is None


async def test_an_agent_that_fails_is_an_answer_unless_the_user_says_otherwise() -> None:
    loops = [[function_call("missing")] for _ in range(3)]
    helper = Agent(name="helper", model=ScriptedModel(loops))
    agent, model = caller(helper.as_tool("ask", "Ask.", max_turns=2), ASK, DONE)
    result = await Runner.run(agent, "go")
    assert result.final_output == "done"
    assert "error" in str(shown(model)[0]).lower()
    assert result.context_wrapper.usage.requests == 4
    helper = Agent(name="helper", model=ScriptedModel(loops))
    tool = helper.as_tool("ask", "Ask.", max_turns=2, failure_error_function=None)
    agent, _ = caller(tool, ASK)
    with pytest.raises(MaxTurnsExceeded):
        await Runner.run(agent, "go")


async def test_structured_arguments_reach_the_agents_context() -> None:
    class Query(BaseModel):
        city: str

    inputs: list[object] = []

    def instructions(ctx: RunContextWrapper[Any], agent: Agent[Any]) -> str:
        del agent
        inputs.append(ctx.tool_input)
        return "x"

    helper = Agent(
        name="helper",
        instructions=instructions,
        model=ScriptedModel([[assistant_message("rain")]]),
    )
    tool = helper.as_tool("weather", "Weather.", parameters=Query)
    agent, model = caller(tool, [function_call("weather", {"city": "Oslo"})], DONE)
    await Runner.run(agent, "go")
    assert inputs == [{"city": "Oslo"}]
    assert shown(model) == ["rain"]


async def test_wrong_arguments_are_given_back() -> None:
    helper = Agent(name="helper", model=ScriptedModel())
    agent, model = caller(helper.as_tool("ask", "Ask."), [function_call("ask", {"inptu": 1})], DONE)
    assert (await Runner.run(agent, "go")).final_output == "done"
    assert "input" in str(shown(model)[0])


async def test_the_agent_shares_the_callers_context_and_has_its_own_hooks() -> None:
    told: list[str] = []

    class Hooks(RunHooks[Any, Any]):
        async def on_agent_start(self, context: Any, agent: Any) -> None:
            told.append(f"{agent.name} {context.context}")

    helper = Agent(name="helper", model=ScriptedModel([[assistant_message("a")]]))
    agent, _ = caller(helper.as_tool("ask", "Ask.", hooks=Hooks()), ASK, DONE)
    await Runner.run(agent, "go", context="shared")
    assert told == ["helper shared"]


async def test_an_agent_may_hand_over_inside_its_call_and_the_caller_stays() -> None:
    inner = ScriptedModel([[function_call("transfer_to_expert")], [assistant_message("expertise")]])
    helper = Agent(name="helper", model=inner, handoffs=[Agent(name="expert", model=inner)])
    agent, model = caller(helper.as_tool("ask", "Ask."), ASK, DONE)
    result = await Runner.run(agent, "go")
    assert shown(model) == ["expertise"]
    assert result.last_agent is agent


async def test_several_agents_are_asked_side_by_side() -> None:
    helper = Agent(name="helper", model=ScriptedModel([[assistant_message("x")]] * 3))
    ask = [function_call("ask", {"input": str(n)}) for n in range(3)]
    agent, model = caller(helper.as_tool("ask", "Ask."), ask, DONE)
    await Runner.run(agent, "go")
    assert shown(model) == ["x", "x", "x"]


async def test_an_agent_tool_invoked_by_hand_runs_its_agent() -> None:
    helper = Agent(name="helper", model=ScriptedModel([[assistant_message("alone")]]))
    tool = helper.as_tool("ask", "Ask.")
    context: ToolContext[Any] = ToolContext(
        None,
        tool_name="ask",
        tool_call_id="c1",
        tool_arguments='{"input": "q"}',
    )
    assert await tool.on_invoke_tool(context, '{"input": "q"}') == "alone"
    assert context.usage.requests == 1


async def test_an_agent_can_use_an_agent_that_uses_an_agent() -> None:
    @function_tool
    def look() -> str:
        return "seen"

    deep = Agent(
        name="deep",
        model=ScriptedModel([[function_call("look")], [assistant_message("deep saw")]]),
        tools=[look],
    )
    middle = Agent(
        name="middle",
        model=ScriptedModel([[function_call("go_deep", {"input": "x"})], [assistant_message("m")]]),
        tools=[deep.as_tool("go_deep", "Deeper.")],
    )
    agent, _ = caller(middle.as_tool("ask", "Ask."), ASK, DONE)
    result = await Runner.run(agent, "go")
    assert result.context_wrapper.usage.requests == 6


class Fails(RunHooks[Any, Any]):
    """Fails the first time that a model is called again after a tool."""

    def __init__(self, error: BaseException) -> None:
        self.error: BaseException | None = error
        self.calls = 0

    async def on_llm_start(self, *_args: Any, **_named: Any) -> None:
        self.calls += 1
        if self.calls > 1 and self.error is not None:
            error, self.error = self.error, None
            raise error


@pytest.mark.parametrize("stored", [False, True])
@pytest.mark.parametrize("asks", [False, True])
async def test_an_agent_whose_callers_run_failed_goes_on_and_makes_no_call_twice(
    stored: bool,  # noqa: FBT001 - a parameter of pytest
    asks: bool,  # noqa: FBT001 - a parameter of pytest
) -> None:
    ran: list[str] = []

    @function_tool(needs_approval=asks)
    def act() -> str:
        ran.append("act")
        return "acted"

    session = SQLiteSession("s")
    inner = ScriptedModel([[function_call("act", call_id="a1")], [assistant_message("inner done")]])
    tool = Agent(name="helper", model=inner, tools=[act]).as_tool(
        "ask", "Ask.", hooks=Fails(RuntimeError("down")), session=session
    )
    tool.failure_error_function = None
    agent, model = caller(tool, ASK, DONE)
    state = RunState(RunContextWrapper(None), "go", agent)
    if asks:
        state = (await Runner.run(agent, state)).to_state()
        state.approve(state.get_interruptions()[0])
    with pytest.raises(UserError, match="down"):
        await Runner.run(agent, state)
    if stored:
        state = await RunState.from_string(agent, state.to_string())
    result = await Runner.run(agent, state)
    assert result.final_output == "done"
    assert ran == ["act"]
    assert shown(model) == ["inner done"]
    assert len(inner.calls) == 2
    assert result.context_wrapper.usage.requests == 4
    kept = [item.get("type") or item.get("role") for item in await session.get_items()]
    assert kept == ["user", "function_call", "function_call_output", "message"]
