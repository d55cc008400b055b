from __future__ import annotations

from typing import Any

import pytest

from handfast import (
    Agent,
    GuardrailFunctionOutput,
    InMemorySession,
    RunConfig,
    Runner,
    RunState,
    UserError,
    function_tool,
    handoff,
    output_guardrail,
)
from handfast.extensions.handoff_filters import remove_all_tools
from handfast.runner.server_conversation import ServerConversation
from handfast.testing import ModelStep, ScriptedModel, assistant_message, function_call
from handfast.testing.messages import ScriptedItem


@function_tool
def act() -> str:
    """Act."""
    return "acted"


@function_tool(needs_approval=True)
def ask() -> str:
    """Ask first."""
    return "asked"


def kept(*outputs: list[ScriptedItem]) -> ScriptedModel:
    return ScriptedModel(
        [ModelStep(output=output, response_id=f"r{n}") for n, output in enumerate(outputs, 1)],
    )


CALL = [function_call("act", call_id="c1")]
DONE = [assistant_message("done")]


def sizes(model: ScriptedModel) -> list[int]:
    return [len(call.input) for call in model.calls]


async def test_each_response_continues_the_one_before_and_only_what_is_new_is_sent() -> None:
    model = kept([assistant_message("hm"), *CALL], [function_call("act", call_id="c2")], DONE)
    agent = Agent(name="a", model=model, tools=[act])
    result = await Runner.run(agent, "go", auto_previous_response_id=True)
    assert [call.previous_response_id for call in model.calls] == [None, "r1", "r2"]
    assert sizes(model) == [1, 1, 1]
    assert len(result.to_input_list()) == 7


async def test_a_conversation_of_the_provider_is_named_in_each_request() -> None:
    model = kept(CALL, DONE)
    await Runner.run(Agent(name="a", model=model, tools=[act]), "go", conversation_id="conv_1")
    assert [call.conversation_id for call in model.calls] == ["conv_1", "conv_1"]
    assert [call.previous_response_id for call in model.calls] == [None, None]
    assert sizes(model) == [1, 1]


async def test_a_response_without_an_id_is_not_continued() -> None:
    model = ScriptedModel([ModelStep(CALL, response_id=None), DONE])
    agent = Agent(name="a", model=model, tools=[act])
    await Runner.run(agent, "go", auto_previous_response_id=True)
    assert [call.previous_response_id for call in model.calls] == [None, None]
    assert sizes(model) == [1, 3]


async def test_a_receiver_sends_the_answer_that_the_provider_still_waits_for() -> None:
    model = kept([function_call("transfer_to_b", call_id="h1")], DONE)
    agent = Agent(name="a", model=model, handoffs=[Agent(name="b", model=model)])
    await Runner.run(agent, "go", previous_response_id="r0")
    assert [call.previous_response_id for call in model.calls] == ["r0", "r1"]
    last = model.calls[1].input
    assert not isinstance(last, str)
    assert [item.get("call_id") for item in last] == ["h1"]


async def test_a_stored_run_knows_what_the_provider_has() -> None:
    model = kept([function_call("ask", call_id="c1")], DONE)
    agent = Agent(name="a", model=model, tools=[ask])
    paused = await Runner.run(agent, "go", auto_previous_response_id=True)
    state = await RunState.from_string(agent, paused.to_state().to_string())
    state.approve(state.get_interruptions()[0])
    result = await Runner.run(agent, state)
    assert result.final_output == "done"
    assert model.calls[1].previous_response_id == "r1"
    assert sizes(model) == [1, 1]


@output_guardrail
def passes(_context: object, _agent: object, _output: object) -> GuardrailFunctionOutput:
    return GuardrailFunctionOutput(None, tripwire_triggered=False)


async def test_what_cannot_work_is_refused_before_any_call(
    caplog: pytest.LogCaptureFixture,
) -> None:
    model = kept(DONE)
    plain = Agent(name="a", model=model)
    filtered = Agent(
        name="a",
        model=model,
        handoffs=[handoff(Agent(name="b"), input_filter=remove_all_tools)],
    )
    with pytest.raises(UserError, match="Session persistence cannot be combined"):
        await Runner.run(plain, "x", session=InMemorySession("s"), conversation_id="c")
    with pytest.raises(UserError, match="do not support handoff input filters"):
        await Runner.run(filtered, "x", conversation_id="c")
    config = RunConfig(handoff_input_filter=remove_all_tools)
    with pytest.raises(UserError, match="do not support handoff input filters"):
        await Runner.run(plain, "x", previous_response_id="r", run_config=config)
    guarded = Agent(name="g", model=model, output_guardrails=[passes])
    receives = Agent(name="a", model=model, handoffs=[guarded])
    for first in (guarded, receives):
        with pytest.raises(UserError, match="server-managed conversation history"):
            await Runner.run(first, "x", auto_previous_response_id=True)
    config = RunConfig(output_guardrails=[passes])
    with pytest.raises(UserError, match="Output guardrails cannot be combined"):
        Runner.run_streamed(plain, "x", conversation_id="c", run_config=config)
    assert model.calls == ()
    nested = RunConfig(nest_handoff_history=True)
    await Runner.run(plain, "x", conversation_id="c", run_config=nested)
    assert "nest_handoff_history is off" in caplog.text


@pytest.mark.parametrize("data", [7, {}, {"previous_response_id": None}])
def test_a_stored_conversation_that_is_none_is_refused(data: Any) -> None:
    with pytest.raises(UserError):
        ServerConversation.of(data)
    assert ServerConversation.of(None) is None
