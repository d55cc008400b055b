from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel

from handfast import (
    Agent,
    InMemorySession,
    ItemHelpers,
    MaxTurnsExceeded,
    ModelBehaviorError,
    ModelRefusalError,
    OutputGuardrail,
    OutputGuardrailTripwireTriggered,
    RunConfig,
    RunErrorHandlerInput,
    RunErrorHandlerResult,
    RunErrorHandlers,
    Runner,
    UserError,
    function_tool,
)
from handfast.agents.guardrail import GuardrailFunctionOutput
from handfast.testing import ScriptedModel, assistant_message, function_call, refusal_message
from handfast.testing.messages import ScriptedItem


class Report(BaseModel):
    summary: str


@function_tool
def act() -> str:
    """Act."""
    return "acted"


def busy(turns: int, **options: Any) -> Agent[Any]:
    model = ScriptedModel([[function_call("act")] for _ in range(turns)])
    return Agent(name="a", model=model, tools=[act], **options)


async def test_a_run_out_of_turns_can_have_an_output_all_the_same() -> None:
    seen: list[RunErrorHandlerInput] = []

    async def handler(data: RunErrorHandlerInput) -> str:
        seen.append(data)
        return f"{len(data.run_data.new_items)} items"

    session = InMemorySession("s")
    result = await Runner.run(
        busy(2),
        "go",
        max_turns=2,
        error_handlers={"max_turns": handler},
        session=session,
    )
    assert result.final_output == "4 items"
    assert ItemHelpers.text_message_outputs(result.new_items) == "4 items"
    (data,) = seen
    assert isinstance(data.error, MaxTurnsExceeded)
    assert len(data.run_data.history) == 5
    assert len(data.run_data.output) == 4
    assert len(await session.get_items()) == 6


async def test_an_output_can_stay_out_of_the_conversation() -> None:
    def handler(_: RunErrorHandlerInput) -> RunErrorHandlerResult:
        return RunErrorHandlerResult("quiet", include_in_history=False)

    result = await Runner.run(busy(0), "go", max_turns=0, error_handlers={"max_turns": handler})
    assert result.final_output == "quiet"
    assert result.new_items == []


async def test_a_handler_may_let_the_failure_stand() -> None:
    with pytest.raises(MaxTurnsExceeded):
        await Runner.run(busy(0), "go", max_turns=0, error_handlers={"max_turns": lambda _: None})


async def test_an_output_has_to_fit_the_agents_type() -> None:
    agent = busy(0, output_type=Report)
    good = await Runner.run(
        agent,
        "go",
        max_turns=0,
        error_handlers={"max_turns": lambda _: {"summary": "ok"}},
    )
    assert good.final_output == Report(summary="ok")
    with pytest.raises(UserError, match="Report"):
        await Runner.run(agent, "go", max_turns=0, error_handlers={"max_turns": lambda _: "bad"})


async def test_a_refusal_and_an_output_that_does_not_fit_can_be_handled() -> None:
    model = ScriptedModel([[refusal_message("no")], [assistant_message("not json")]])
    agent = Agent(name="a", model=model, output_type=Report)
    errors: list[type] = []

    def handler(data: RunErrorHandlerInput) -> Report:
        errors.append(type(data.error))
        return Report(summary="fallback")

    for kind in ("model_refusal", "invalid_final_output"):
        result = await Runner.run(agent, "go", error_handlers={kind: handler})
        assert result.final_output == Report(summary="fallback")
    assert issubclass(errors[0], ModelRefusalError)
    assert issubclass(errors[1], ModelBehaviorError)


async def test_output_guardrails_look_at_a_handlers_output_too() -> None:
    def trips(context: Any, agent: Any, output: Any) -> GuardrailFunctionOutput:
        del context, agent
        return GuardrailFunctionOutput(output, tripwire_triggered=True)

    agent = busy(0, output_guardrails=[OutputGuardrail(trips)])
    with pytest.raises(OutputGuardrailTripwireTriggered):
        await Runner.run(agent, "go", max_turns=0, error_handlers={"max_turns": lambda _: "x"})


@pytest.mark.parametrize("empty", [[], [assistant_message("")]])
@pytest.mark.parametrize("fallback", ["fallback", None])
async def test_an_answer_without_any_output_may_be_recovered_or_asked_for_again(
    empty: list[ScriptedItem],
    fallback: str | None,
) -> None:
    asked: list[str] = []

    def handler(data: RunErrorHandlerInput) -> object:
        asked.append(str(data.error))
        return None if fallback is None else Report(summary=fallback)

    model = ScriptedModel([empty, [assistant_message('{"summary": "second"}')]])
    agent = Agent(name="a", model=model, output_type=Report)
    handlers: RunErrorHandlers = {"invalid_final_output": handler}
    result = await Runner.run(agent, "go", error_handlers=handlers)
    assert result.final_output == Report(summary=fallback or "second")
    assert asked == ["Model returned no final output for the structured output type."]


async def test_what_is_finished_is_kept_before_a_handler_is_asked() -> None:
    session = InMemorySession("s")
    kept: list[int] = []

    async def handler(_data: object) -> str:
        kept.append(len(await session.get_items()))
        return "fallback"

    await Runner.run(
        busy(1),
        "go",
        max_turns=1,
        session=session,
        error_handlers={"max_turns": handler},
    )
    assert kept == [3]
    assert len(await session.get_items()) == 4


async def test_a_kind_that_does_not_exist_is_refused_at_once() -> None:
    def handler(_data: object) -> str:
        return "x"

    handlers: Any = {"max_turn": handler}
    with pytest.raises(UserError, match="max_turns"):
        await Runner.run(busy(0), "go", error_handlers=handlers)
    broken: Any = {"max_turns": "x"}
    with pytest.raises(UserError, match="callable"):
        await Runner.run(busy(0), "go", error_handlers=broken)


async def test_a_streamed_run_recovers_in_the_same_way() -> None:
    result = Runner.run_streamed(
        busy(1),
        "go",
        max_turns=1,
        error_handlers={"max_turns": lambda _: "fallback"},
    )
    names = [e.name async for e in result.stream_events() if e.type == "run_item_stream_event"]
    assert names[-1] == "message_output_created"
    assert result.final_output == "fallback"


async def test_a_last_answer_is_given_without_tools() -> None:
    model = ScriptedModel([[function_call("act")], [assistant_message("what I know")]])
    agent = Agent(name="a", model=model, tools=[act], instructions="Be brief.")
    config = RunConfig(max_turns_behavior="answer_without_tools")
    result = await Runner.run(agent, "go", max_turns=1, run_config=config)
    assert result.final_output == "what I know"
    call = model.last_call
    assert call is not None
    assert call.tools == []
    assert (call.system_instructions or "").startswith("Be brief.")
    assert "no turns left" in (call.system_instructions or "")


@pytest.mark.parametrize("silence", [[], [assistant_message("")]])
async def test_an_output_that_is_not_there_can_be_handled(silence: list[dict[str, object]]) -> None:
    model = ScriptedModel([silence, [assistant_message('{"summary": "late"}')]])
    agent = Agent(name="a", model=model, output_type=Report)
    told: list[str] = []

    def handler(data: RunErrorHandlerInput) -> Report:
        told.append(str(data.error))
        return Report(summary="fallback")

    handlers: Any = {"invalid_final_output": handler}
    result = await Runner.run(agent, "go", error_handlers=handlers)
    assert result.final_output == Report(summary="fallback")
    assert told == ["Model returned no final output for the structured output type."]
    assert model.remaining_steps == 1
