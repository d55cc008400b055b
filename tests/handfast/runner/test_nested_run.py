from __future__ import annotations

from typing import Any

import pytest

from handfast import (
    Agent,
    GuardrailFunctionOutput,
    OutputGuardrail,
    RunConfig,
    RunContextWrapper,
    Runner,
    RunResult,
    SQLiteSession,
    ToolContext,
    UserError,
    function_tool,
)
from handfast.agents.agent_tool import AgentCall
from handfast.runner.nested_run import nested_config, nested_context
from handfast.testing.messages import assistant_message, function_call
from handfast.testing.scripted_model import ScriptedModel

ASK = [function_call("ask", {"input": "q"}, call_id="c1")]
DONE = [assistant_message("done")]


@function_tool
def look() -> str:
    return "seen"


def answer(result: RunResult) -> object:
    outputs = [
        item for item in result.to_input_list() if item.get("type") == "function_call_output"
    ]
    return outputs[-1]["output"]


async def run_with(tool: Any, **options: Any) -> RunResult:
    model = ScriptedModel([ASK, DONE])
    return await Runner.run(Agent(name="caller", model=model, tools=[tool]), "go", **options)


@pytest.mark.parametrize(
    ("steps", "output"),
    [
        ([[function_call("look")], [assistant_message("")]], "seen"),
        ([[assistant_message("hm"), function_call("look")], [assistant_message("")]], "seen"),
        ([[assistant_message("")]], ""),
        ([[function_call("look")], [assistant_message("said")]], "said"),
    ],
)
async def test_an_empty_output_gives_way_to_the_last_words(steps: list[Any], output: str) -> None:
    helper = Agent(name="helper", model=ScriptedModel(steps), tools=[look])
    assert answer(await run_with(helper.as_tool("ask", "Ask."))) == output


async def test_an_output_that_was_judged_stays_as_it_is() -> None:
    def passes(*_: object) -> GuardrailFunctionOutput:
        return GuardrailFunctionOutput(None, tripwire_triggered=False)

    helper = Agent(
        name="helper",
        model=ScriptedModel([[function_call("look")], [assistant_message("")]]),
        tools=[look],
        output_guardrails=[OutputGuardrail(passes)],
    )
    assert answer(await run_with(helper.as_tool("ask", "Ask."))) == ""


async def test_an_extractor_sees_which_call_the_run_answers() -> None:
    seen: list[object] = []

    def extract(result: RunResult) -> str:
        call = result.agent_tool_invocation
        assert call is not None
        seen.append((call.tool_name, call.tool_call_id, call.tool_arguments))
        return "x"

    helper = Agent(name="helper", model=ScriptedModel([[assistant_message("a")]]))
    outer = await run_with(helper.as_tool("ask", "Ask.", extract))
    assert seen == [("ask", "c1", '{"input": "q"}')]
    assert outer.agent_tool_invocation is None


async def test_the_agents_conversation_may_be_the_providers() -> None:
    model = ScriptedModel([[assistant_message("a")]])
    helper = Agent(name="helper", model=model)
    await run_with(helper.as_tool("ask", "Ask.", previous_response_id="r1"))
    assert model.first_call is not None
    assert model.first_call.previous_response_id == "r1"
    both = helper.as_tool("ask", "Ask.", conversation_id="v1", session=SQLiteSession("s"))
    both.failure_error_function = None
    with pytest.raises(UserError, match="Session persistence cannot be combined"):
        await run_with(both)


async def test_the_agents_session_goes_through_the_callback_of_its_settings() -> None:
    session = SQLiteSession("s")
    await session.add_items([{"role": "user", "content": "before"}])
    model = ScriptedModel([[assistant_message("a")]])
    config = RunConfig(session_input_callback=lambda history, new: [*new, *history])
    tool = Agent(name="helper", model=model).as_tool(
        "ask", "Ask.", session=session, run_config=config
    )
    await run_with(tool)
    assert model.first_call is not None
    assert isinstance(model.first_call.input, list)
    assert [item["content"] for item in model.first_call.input] == ["q", "before"]


def test_the_callers_settings_hold_where_the_tool_has_none() -> None:
    own, callers = RunConfig(), RunConfig()
    agent = Agent(name="helper")
    with_own, without = agent.as_tool(run_config=own).agent_tool, agent.as_tool().agent_tool
    assert with_own is not None
    assert without is not None
    assert nested_config(with_own, callers) is own
    assert nested_config(without, callers) is callers
    assert nested_config(without, None) is None


def test_the_context_shares_object_usage_and_decisions_and_not_the_input() -> None:
    call: ToolContext[Any] = ToolContext(
        "object",
        tool_name="ask",
        tool_call_id="c1",
        tool_arguments="{}",
        tool_namespace="desk",
        tool_input={"old": 1},
    )
    made = nested_context(call, AgentCall("q", None), None)
    assert isinstance(made, ToolContext)
    assert (made.context, made.tool_call_id, made.tool_namespace) == ("object", "c1", "desk")
    assert made.usage is call.usage
    assert made.tool_input is None
    assert made.approvals.decisions is call.approvals.decisions
    assert made.approvals.scope == "c1/"
    plain: RunContextWrapper[Any] = RunContextWrapper("object")
    made = nested_context(plain, AgentCall("q", {"a": 1}), None)
    assert (made.usage is plain.usage, made.tool_input) == (True, {"a": 1})
