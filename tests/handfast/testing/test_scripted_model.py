from __future__ import annotations

from typing import Any

import pytest

from handfast import Agent, ModelRequest, ModelResponse, Runner, Usage
from handfast.testing.messages import assistant_message, function_call
from handfast.testing.scripted_model import (
    InvalidModelStep,
    ModelCall,
    ModelStep,
    ScriptedModel,
    UnconsumedModelSteps,
    UnexpectedModelCall,
)

REQUEST = ModelRequest(None, "hi")


async def test_steps_are_played_in_order_and_calls_are_kept() -> None:
    model = ScriptedModel([[assistant_message("one")], [assistant_message("two")]])
    one = await model.respond(REQUEST)
    assert model.remaining_steps == 1
    two = await model.respond(ModelRequest("sys", [{"role": "user", "content": "x"}]))
    assert [one.wire_items, two.wire_items] == [
        [assistant_message("one")],
        [assistant_message("two")],
    ]
    assert model.first_call is not None
    assert model.first_call.input == "hi"
    assert model.last_call is not None
    assert model.last_call.system_instructions == "sys"
    assert not model.last_call.streamed
    model.assert_complete()


async def test_too_many_and_too_few_calls_are_told() -> None:
    model = ScriptedModel([[assistant_message("one")]])
    with pytest.raises(UnconsumedModelSteps, match="1 scripted model step was"):
        model.assert_complete()
    await model.respond(REQUEST)
    with pytest.raises(UnexpectedModelCall, match="model call #2"):
        await model.respond(REQUEST)


async def test_a_step_can_raise_or_be_made_from_the_call() -> None:
    def echo(call: ModelCall) -> list[object]:
        return [assistant_message(str(call.input))]

    async def later(call: ModelCall) -> ModelStep:
        del call
        return ModelStep.respond(echo)

    model = ScriptedModel(
        [ValueError("x"), ModelStep.raise_error(KeyError()), ModelStep.respond(later)]
    )
    with pytest.raises(ValueError, match="x"):
        await model.respond(REQUEST)
    with pytest.raises(KeyError):
        await model.respond(REQUEST)
    assert (await model.respond(REQUEST)).wire_items == [assistant_message("hi")]


async def test_a_whole_response_is_a_step_as_it_is() -> None:
    given = ModelResponse([assistant_message("one")], Usage(requests=2), "resp-1", "req-1")
    model = ScriptedModel([given, ModelStep.respond(lambda _: given)])
    for _ in range(2):
        played = await model.respond(REQUEST)
        assert played.wire_items == [assistant_message("one")]
        assert (played.response_id, played.request_id) == ("resp-1", "req-1")
        assert played.usage.requests == 2


async def test_a_response_without_usage_costs_the_default() -> None:
    model = ScriptedModel([ModelResponse([assistant_message("one")])])
    assert (await model.respond(REQUEST)).usage.requests == 1


async def test_what_was_scripted_cannot_be_changed_afterwards() -> None:
    message = assistant_message("before")
    usage = Usage(requests=2)
    model = ScriptedModel([ModelStep(output=[message], usage=usage)])
    message["content"][0]["text"] = "after"
    usage.requests = 9
    response = await model.respond(REQUEST)
    assert response.wire_items == [assistant_message("before")]
    assert response.usage.requests == 2


async def test_calls_are_copies() -> None:
    items: list[Any] = [{"role": "user", "content": [{"text": "first"}]}]
    model = ScriptedModel([[assistant_message("x")]])
    await model.respond(ModelRequest(None, items))
    items[0]["content"][0]["text"] = "second"
    call = model.calls[0]
    assert not isinstance(call.input, str)
    assert call.input[0]["content"] == [{"text": "first"}]
    call.input.clear()
    assert len(model.calls[0].input) == 1


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        ({"unknown": 1}, "unsupported_field"),
        ({"error": "text"}, "invalid_error"),
        ({"responder": "text"}, "invalid_responder"),
        ({"stream_events": 1}, "invalid_stream_events"),
        ({"error": ValueError(), "responder": print}, "conflicting_outcomes"),
        ({"output": "text"}, "invalid_input"),
        ({"usage": {}}, "invalid_input"),
        ({"response_id": 1}, "invalid_input"),
        ({"raw_usage": []}, "invalid_input"),
    ],
)
def test_a_step_that_is_none_is_refused_whole(step: Any, reason: str) -> None:
    model = ScriptedModel([[assistant_message("kept")]])
    with pytest.raises(InvalidModelStep, match="step #2") as caught:
        model.extend([[assistant_message("not kept")], step])
    assert (caught.value.reason, caught.value.input_index) == (reason, 1)
    assert model.remaining_steps == 1


async def test_usage_is_one_request_unless_said_otherwise() -> None:
    model = ScriptedModel([[assistant_message("x")], [assistant_message("x")]])
    assert (await model.respond(REQUEST)).usage.requests == 1
    model.set_default_usage(Usage(requests=1, total_tokens=7))
    assert (await model.respond(REQUEST)).usage.total_tokens == 7


async def test_a_custom_model_of_the_sdk_kind_runs_too() -> None:
    model = ScriptedModel([[function_call("missing")], [assistant_message("ok")]])
    assert (await Runner.run(Agent(name="a", model=model), "x")).final_output == "ok"
    model.enqueue([assistant_message("direct")])
    response = await model.get_response(
        None,
        "x",
        REQUEST.settings,
        [],
        None,
        [],
        REQUEST.tracing,
    )
    assert response.wire_items == [assistant_message("direct")]
