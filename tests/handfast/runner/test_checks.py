from __future__ import annotations

import asyncio
from typing import Any

import pytest

from handfast import (
    Agent,
    GuardrailFunctionOutput,
    InputGuardrail,
    InputGuardrailTripwireTriggered,
    ModelRefusalError,
    OutputGuardrail,
    OutputGuardrailTripwireTriggered,
    RunConfig,
    RunContextWrapper,
    Runner,
    ToolsToFinalOutputResult,
    function_tool,
)
from handfast.testing.messages import assistant_message, function_call, refusal_message
from handfast.testing.scripted_model import ScriptedModel

ran: list[str] = []


@pytest.fixture(autouse=True)
def _nothing_ran() -> None:
    ran.clear()


@function_tool
def act() -> str:
    """Act."""
    ran.append("act")
    return "acted"


def verdict(tripped: bool, info: object = None) -> GuardrailFunctionOutput:  # noqa: FBT001
    return GuardrailFunctionOutput(output_info=info, tripwire_triggered=tripped)


def says(tripped: bool) -> Any:  # noqa: FBT001
    async def guardrail(
        context: RunContextWrapper[Any],
        agent: Agent[Any],
        given: object,
    ) -> GuardrailFunctionOutput:
        del context, agent
        await asyncio.sleep(0)
        return verdict(tripped, given)

    return guardrail


async def test_a_blocking_guardrail_that_trips_spends_nothing() -> None:
    model = ScriptedModel([[assistant_message("never")]])
    guard = InputGuardrail(guardrail_function=says(tripped=True), run_in_parallel=False, name="g")
    agent = Agent(name="a", model=model, input_guardrails=[guard])
    with pytest.raises(InputGuardrailTripwireTriggered) as caught:
        await Runner.run(agent, "attack")
    assert model.calls == ()
    result: Any = caught.value.guardrail_result
    assert result.guardrail is guard
    assert result.output.output_info == "attack"
    data: Any = caught.value.run_data
    assert len(data.input_guardrail_results) == 1


async def test_no_tool_runs_before_a_guardrail_beside_the_model_has_spoken() -> None:
    answered = asyncio.Event()

    class Model(ScriptedModel):
        async def respond(self, *args: Any, **kwargs: Any) -> Any:
            response = await super().respond(*args, **kwargs)
            answered.set()
            return response

    async def late(context: Any, agent: Any, given: Any) -> GuardrailFunctionOutput:
        del context, agent, given
        await answered.wait()
        for _ in range(5):
            await asyncio.sleep(0)
        assert ran == []
        return verdict(tripped=True)

    model = Model([[function_call("act")]])
    agent = Agent(name="a", model=model, tools=[act], input_guardrails=[InputGuardrail(late)])
    with pytest.raises(InputGuardrailTripwireTriggered):
        await Runner.run(agent, "go")
    assert ran == []


async def test_guardrails_that_pass_are_in_the_result() -> None:
    model = ScriptedModel([[assistant_message("fine")]])
    agent = Agent(
        name="a",
        model=model,
        input_guardrails=[
            InputGuardrail(says(tripped=False), name="one"),
            InputGuardrail(says(tripped=False), name="two", run_in_parallel=False),
        ],
        output_guardrails=[OutputGuardrail(says(tripped=False), name="three")],
    )
    result = await Runner.run(agent, "go")
    assert [r.guardrail.get_name() for r in result.input_guardrail_results] == ["two", "one"]
    (output,) = result.output_guardrail_results
    assert output.agent_output == "fine"


async def test_output_guardrails_of_the_last_agent_and_of_the_run_are_asked() -> None:
    model = ScriptedModel([[function_call("transfer_to_b")], [assistant_message("secret")]])
    first = OutputGuardrail(says(tripped=True), name="first agent's")
    target = Agent(name="b", model=model)
    agent = Agent(name="a", model=model, handoffs=[target], output_guardrails=[first])
    result = await Runner.run(agent, "go")
    assert result.final_output == "secret"
    assert result.output_guardrail_results == []
    model.extend([[assistant_message("secret")]])
    config = RunConfig(output_guardrails=[OutputGuardrail(says(tripped=True), name="run's")])
    with pytest.raises(OutputGuardrailTripwireTriggered):
        await Runner.run(agent, "go", run_config=config)


async def test_input_guardrails_of_later_agents_are_not_asked() -> None:
    model = ScriptedModel([[function_call("transfer_to_b")], [assistant_message("hi")]])
    guard = InputGuardrail(says(tripped=True))
    agent = Agent(
        name="a",
        model=model,
        handoffs=[Agent(name="b", model=model, input_guardrails=[guard])],
    )
    assert (await Runner.run(agent, "go")).final_output == "hi"


async def test_the_first_guardrail_that_trips_ends_the_others() -> None:
    ended: list[str] = []

    async def slow(context: Any, agent: Any, given: Any) -> GuardrailFunctionOutput:
        del context, agent, given
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("slow")
        return verdict(tripped=False)

    model = ScriptedModel([[assistant_message("never")]])
    guards = [InputGuardrail(slow), InputGuardrail(says(tripped=True))]
    before = asyncio.all_tasks()
    with pytest.raises(InputGuardrailTripwireTriggered):
        await Runner.run(Agent(name="a", model=model, input_guardrails=guards), "go")
    assert ended == ["slow"]
    assert asyncio.all_tasks() == before


async def test_a_guardrail_that_raises_ends_the_run_with_its_exception() -> None:
    async def broken(context: Any, agent: Any, given: Any) -> GuardrailFunctionOutput:
        del context, agent, given
        raise ZeroDivisionError

    model = ScriptedModel([[assistant_message("never")]])
    agent = Agent(name="a", model=model, input_guardrails=[InputGuardrail(broken)])
    with pytest.raises(ZeroDivisionError):
        await Runner.run(agent, "go")


async def test_a_refusal_is_no_output() -> None:
    agent = Agent(name="a", model=ScriptedModel([[refusal_message("I will not.")]]))
    with pytest.raises(ModelRefusalError) as caught:
        await Runner.run(agent, "go")
    assert caught.value.refusal == "I will not."


async def test_an_answer_that_only_thought_asks_again() -> None:
    thought: dict[str, object] = {"type": "reasoning", "id": "rs_1", "summary": []}
    model = ScriptedModel([[thought], [assistant_message("hi")]])
    assert (await Runner.run(Agent(name="a", model=model), "go")).final_output == "hi"


async def test_an_answer_of_no_items_is_an_empty_text() -> None:
    result = await Runner.run(Agent(name="a", model=ScriptedModel([[]])), "go")
    assert not result.final_output
    assert isinstance(result.final_output, str)


async def test_an_answer_of_no_items_is_no_value_of_a_type() -> None:
    model = ScriptedModel([[], [assistant_message('{"response": 3}')]])
    result = await Runner.run(Agent(name="a", model=model, output_type=int), "go")
    assert result.final_output == 3


async def test_the_first_tools_result_can_be_the_output() -> None:
    model = ScriptedModel([[function_call("act"), function_call("act")]])
    agent = Agent(name="a", model=model, tools=[act], tool_use_behavior="stop_on_first_tool")
    result = await Runner.run(agent, "go")
    assert result.final_output == "acted"
    assert ran == ["act", "act"]


async def test_named_tools_can_end_the_run() -> None:
    @function_tool
    def other() -> str:
        return "other"

    model = ScriptedModel([[function_call("other")], [function_call("act")]])
    agent = Agent(
        name="a",
        model=model,
        tools=[act, other],
        tool_use_behavior={"stop_at_tool_names": ["act"]},
    )
    assert (await Runner.run(agent, "go")).final_output == "acted"


async def test_a_function_can_decide_whether_results_are_the_output() -> None:
    def decide(context: Any, results: Any) -> ToolsToFinalOutputResult:
        del context
        return ToolsToFinalOutputResult(
            is_final_output=len(results) == 2,
            final_output=[r.output for r in results],
        )

    model = ScriptedModel([[function_call("act")], [function_call("act"), function_call("act")]])
    agent = Agent(name="a", model=model, tools=[act], tool_use_behavior=decide)
    assert (await Runner.run(agent, "go")).final_output == ["acted", "acted"]
