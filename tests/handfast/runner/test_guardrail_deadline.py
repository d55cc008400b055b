"""Guardrails that give no verdict."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from handfast import (
    Agent,
    GuardrailFunctionOutput,
    GuardrailTimeoutError,
    RunConfig,
    Runner,
    ToolGuardrailFunctionOutput,
    function_tool,
    input_guardrail,
    output_guardrail,
    tool_input_guardrail,
    tool_output_guardrail,
)
from handfast.testing import ScriptedModel, assistant_message, function_call

ENDED: list[str] = []


async def for_ever() -> None:
    try:
        await asyncio.Event().wait()
    finally:
        ENDED.append("check")


async def of_input(_context: object, _agent: object, _given: object) -> GuardrailFunctionOutput:
    await for_ever()
    return GuardrailFunctionOutput(None, tripwire_triggered=False)


async def of_tool(_data: object) -> ToolGuardrailFunctionOutput:
    await for_ever()
    return ToolGuardrailFunctionOutput.allow()


def agent(kind: str) -> Agent[Any]:
    checks: dict[str, Any] = {
        "input": {"input_guardrails": [input_guardrail(of_input)]},
        "blocking": {"input_guardrails": [input_guardrail(run_in_parallel=False)(of_input)]},
        "output": {"output_guardrails": [output_guardrail(of_input)]},
    }
    of_tools: dict[str, Any] = {
        "tool input": {"tool_input_guardrails": [tool_input_guardrail(of_tool)]},
        "tool output": {"tool_output_guardrails": [tool_output_guardrail(of_tool)]},
    }

    @function_tool(**of_tools.get(kind, {}))
    def look() -> str:
        return "seen"

    model = ScriptedModel([[function_call("look", {})], [assistant_message("done")]])
    return Agent(name="a", model=model, tools=[look], **checks.get(kind, {}))


async def play(kind: str, config: RunConfig, *, streamed: bool) -> None:
    if not streamed:
        await Runner.run(agent(kind), "go", run_config=config)
        return
    async for _ in Runner.run_streamed(agent(kind), "go", run_config=config).stream_events():
        pass


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("kind", ["input", "blocking", "output", "tool input", "tool output"])
async def test_a_guardrail_without_a_verdict_ends_the_run(kind: str, *, streamed: bool) -> None:
    ENDED.clear()
    config = RunConfig(guardrail_timeout=0.02)
    with pytest.raises(GuardrailTimeoutError, match=r"0\.02 seconds") as caught:
        await play(kind, config, streamed=streamed)
    assert caught.value.guardrail_name in {"of_input", "of_tool"}
    assert caught.value.run_data is not None
    assert ENDED == ["check"]


@pytest.mark.parametrize("seconds", [None, 60.0])
async def test_one_that_speaks_in_time_is_heard(seconds: float | None) -> None:
    async def slow(_context: object, _agent: object, _given: object) -> GuardrailFunctionOutput:
        await asyncio.sleep(0)
        return GuardrailFunctionOutput("fine", tripwire_triggered=False)

    speaking = Agent(
        name="a",
        model=ScriptedModel([[assistant_message("done")]]),
        input_guardrails=[input_guardrail(slow)],
    )
    config = RunConfig(guardrail_timeout=seconds)
    result = await Runner.run(speaking, "go", run_config=config)
    assert [each.output.output_info for each in result.input_guardrail_results] == ["fine"]


async def test_a_timeout_of_the_guardrails_own_is_its_own_error() -> None:
    async def gives_up(_context: object, _agent: object, _given: object) -> GuardrailFunctionOutput:
        raise TimeoutError("the classifier is away")

    giving_up = Agent(
        name="a",
        model=ScriptedModel([[assistant_message("done")]]),
        input_guardrails=[input_guardrail(gives_up)],
    )
    with pytest.raises(TimeoutError, match="the classifier is away"):
        await Runner.run(giving_up, "go")
