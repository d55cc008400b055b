from __future__ import annotations

import asyncio
from typing import Any

import pytest

from handfast import (
    Agent,
    RunConfig,
    RunHooks,
    Runner,
    ToolGuardrailFunctionOutput,
    ToolInputGuardrailTripwireTriggered,
    ToolOutputGuardrailTripwireTriggered,
    ToolTimeoutError,
    function_tool,
    tool_input_guardrail,
    tool_output_guardrail,
)
from handfast.testing.messages import assistant_message, function_call
from handfast.testing.scripted_model import ScriptedModel

DONE = [assistant_message("done")]


def shown(model: ScriptedModel) -> list[object]:
    call = model.last_call
    assert call is not None
    assert not isinstance(call.input, str)
    return [item["output"] for item in call.input if "output" in item]


async def called(tool: Any, arguments: Any = "{}", **options: Any) -> list[object]:
    model = ScriptedModel([[function_call(tool.name, arguments)], DONE])
    await Runner.run(Agent(name="a", model=model, tools=[tool]), "go", **options)
    return shown(model)


async def test_an_input_guardrail_can_answer_in_place_of_the_tool() -> None:
    ran: list[str] = []

    @tool_input_guardrail
    def no_secrets(data: Any) -> ToolGuardrailFunctionOutput:
        if "secret" in data.context.tool_arguments:
            return ToolGuardrailFunctionOutput.reject_content("Not that.")
        return ToolGuardrailFunctionOutput.allow()

    @function_tool(tool_input_guardrails=[no_secrets])
    def send(text: str) -> str:
        ran.append(text)
        return "sent"

    assert await called(send, {"text": "secret"}) == ["Not that."]
    assert await called(send, {"text": "hello"}) == ["sent"]
    assert ran == ["hello"]


async def test_an_output_guardrail_can_replace_what_the_model_sees() -> None:
    @tool_output_guardrail
    def hide(data: Any) -> ToolGuardrailFunctionOutput:
        assert data.output == "key 123"
        return ToolGuardrailFunctionOutput.reject_content("[hidden]")

    @function_tool(tool_output_guardrails=[hide])
    def read() -> str:
        return "key 123"

    assert await called(read) == ["[hidden]"]


async def test_tool_guardrails_can_end_the_run() -> None:
    @tool_input_guardrail
    def stop(_: Any) -> ToolGuardrailFunctionOutput:
        return ToolGuardrailFunctionOutput.raise_exception("in")

    @tool_output_guardrail
    def stop_after(_: Any) -> ToolGuardrailFunctionOutput:
        return ToolGuardrailFunctionOutput.raise_exception("out")

    @function_tool(tool_input_guardrails=[stop])
    def before() -> str:
        return "never"

    @function_tool(tool_output_guardrails=[stop_after])
    def after() -> str:
        return "x"

    with pytest.raises(ToolInputGuardrailTripwireTriggered):
        await called(before)
    with pytest.raises(ToolOutputGuardrailTripwireTriggered):
        await called(after)


async def test_a_tool_that_hangs_costs_its_deadline() -> None:
    @function_tool(timeout=0.01)
    async def own() -> str:
        await asyncio.Event().wait()
        return "never"

    @function_tool
    async def runs() -> str:
        await asyncio.Event().wait()
        return "never"

    @function_tool(timeout=0.01, timeout_behavior="raise_exception")
    async def fatal() -> str:
        await asyncio.Event().wait()
        return "never"

    assert await called(own) == ["Tool 'own' timed out after 0.01 seconds."]
    config = RunConfig(tool_timeout=0.01)
    assert await called(runs, run_config=config) == ["Tool 'runs' timed out after 0.01 seconds."]
    with pytest.raises(ToolTimeoutError):
        await called(fatal)


async def test_a_tool_that_answers_with_a_timeout_of_its_own_is_a_failed_tool() -> None:
    @function_tool
    async def slow() -> str:
        raise TimeoutError("the database")

    (text,) = await called(slow)
    assert "error" in str(text).lower()
    assert "timed out after" not in str(text)


async def test_output_is_cut_to_the_tools_cap_and_says_so() -> None:
    @function_tool(max_output_chars=100)
    def flood() -> str:
        return "x" * 10_000

    (text,) = await called(flood)
    assert len(str(text)) < 400
    assert "9" in str(text).replace("x", "")


async def test_a_tool_that_cancels_itself_is_a_failed_tool() -> None:
    @function_tool
    async def gives_up() -> str:
        raise asyncio.CancelledError

    (text,) = await called(gives_up)
    assert "error" in str(text).lower()


async def test_hooks_are_told_of_tools() -> None:
    told: list[str] = []

    class Hooks(RunHooks[Any, Any]):
        async def on_tool_start(self, context: Any, agent: Any, tool: Any) -> None:
            told.append(f"start {agent.name} {tool.name} {context.tool_call_id}")

        async def on_tool_end(self, context: Any, agent: Any, tool: Any, result: Any) -> None:
            del context, agent
            told.append(f"end {tool.name} {result}")

    @function_tool
    def act() -> int:
        return 7

    model = ScriptedModel([[function_call("act", call_id="c1")], DONE])
    await Runner.run(Agent(name="a", model=model, tools=[act]), "go", hooks=Hooks())
    assert told == ["start a act c1", "end act 7"]


async def test_fifty_sync_tools_wait_side_by_side() -> None:
    import threading  # noqa: PLC0415 - only here

    everyone = threading.Barrier(50, timeout=20)

    @function_tool
    def meet() -> str:
        everyone.wait()
        return "met"

    calls = [function_call("meet", call_id=f"c{n}") for n in range(50)]
    model = ScriptedModel([calls, DONE])
    await Runner.run(Agent(name="a", model=model, tools=[meet]), "go")
    assert shown(model) == ["met"] * 50


async def test_a_call_in_free_text_is_answered_in_its_own_kind() -> None:
    ran: list[str] = []

    @function_tool
    def save(text: str) -> str:
        ran.append(text)
        return "saved"

    def custom(call_id: str, name: str) -> dict[str, object]:
        return {"type": "custom_tool_call", "call_id": call_id, "name": name, "input": "words"}

    model = ScriptedModel([[custom("c1", "save"), custom("c2", "nothing")], DONE])
    await Runner.run(Agent(name="a", model=model, tools=[save]), "go")
    call = model.last_call
    assert call is not None
    answers = [item for item in call.input if isinstance(item, dict) and "output" in item]
    assert [item["type"] for item in answers] == ["custom_tool_call_output"] * 2
    assert shown(model) == [
        "Tool 'save' is a function: call it with JSON arguments.",
        "Tool 'nothing' not found. Available: save.",
    ]
    assert ran == []


async def test_who_asks_for_the_sdks_answer_to_unknown_tools_gets_its_words() -> None:
    @function_tool
    def act() -> str:
        return "acted"

    config = RunConfig(tool_not_found_behavior="return_error_to_model")
    model = ScriptedModel([[function_call("ac")], DONE])
    await Runner.run(Agent(name="a", model=model, tools=[act]), "go", run_config=config)
    assert shown(model) == ["Tool 'ac' not found."]
