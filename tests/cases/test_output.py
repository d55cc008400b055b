"""What a run comes to is what the model said, or an error that says why there is nothing."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel

from cases.case_model import (
    agent,
    chat_answer,
    chat_stream,
    play,
    responses_answer,
    responses_stream,
    scripted,
    step,
    steps_of,
)
from handfast import (
    Model,
    ModelBehaviorError,
    ModelRefusalError,
    Runner,
    function_tool,
)
from handfast.models.openai_chat import OpenAIChatCompletionsModel
from handfast.models.openai_responses import OpenAIResponsesModel
from provider_server import ProviderServer, provider_server

PROTOCOLS = pytest.mark.parametrize("protocol", ["chat", "responses"])


def answer(protocol: str, *, streamed: bool) -> Any:
    if protocol == "chat":
        return chat_stream if streamed else chat_answer
    return responses_stream if streamed else responses_answer


def model_at(server: ProviderServer, protocol: str) -> Model:
    if protocol == "chat":
        return OpenAIChatCompletionsModel("m", base_url=server.url, api_key="k")
    return OpenAIResponsesModel("m", base_url=server.url, api_key="k")


@PROTOCOLS
@pytest.mark.parametrize("text", ['{"text": "Once upon a', '{"text":', "{", "", '{"text": "x"'])
async def test_a_call_that_the_limit_cut_is_not_run_and_not_asked_for_again(
    *,
    protocol: str,
    text: str,
    streamed: bool,
) -> None:
    ran: list[str] = []

    @function_tool
    def write(text: str = "nothing") -> str:
        """Write."""
        ran.append(text)
        return "written"

    (cut,) = steps_of("output-1")
    calls = [{**cut["calls"][0], "args_text": text}]
    told = answer(protocol, streamed=streamed)({**cut, "calls": calls})
    async with provider_server(told) as server:
        model = model_at(server, protocol)
        with pytest.raises(ModelBehaviorError, match="output limit cut the call of 'write'"):
            await play(agent("A", model, tools=[write]), streamed=streamed)
        assert len(server.asked) == 1
        await model.close()
    assert ran == []


class Report(BaseModel):
    text: str


@PROTOCOLS
@pytest.mark.parametrize("kind", [Report, list[int], None])
async def test_a_refusal_is_told_in_its_own_words_and_not_repaired(
    *,
    protocol: str,
    kind: Any,
    streamed: bool,
) -> None:
    (refused,) = steps_of("output-3")
    async with provider_server(answer(protocol, streamed=streamed)(refused)) as server:
        model = model_at(server, protocol)
        a = agent("A", model, output_type=kind)
        with pytest.raises(ModelRefusalError) as caught:
            await play(a, streamed=streamed, run_config={"output_repairs": 3})
        assert len(server.asked) == 1
        await model.close()
    assert caught.value.refusal == "I cannot help with that."
    assert not isinstance(caught.value, ModelBehaviorError)


@PROTOCOLS
async def test_an_empty_answer_is_no_refusal(*, protocol: str, streamed: bool) -> None:
    told = answer(protocol, streamed=streamed)(step("A", text=""))
    async with provider_server(told) as server:
        model = model_at(server, protocol)
        result = await play(agent("A", model), streamed=streamed)
        await model.close()
    assert result.final_output == ""


@PROTOCOLS
async def test_words_about_a_handoff_are_words(*, protocol: str, streamed: bool) -> None:
    (said,) = steps_of("output-5")
    async with provider_server(answer(protocol, streamed=streamed)(said)) as server:
        model = model_at(server, protocol)
        a = agent("A", model, handoffs=[agent("billing", model)])
        result = await play(a, streamed=streamed)
        assert len(server.asked) == 1
        await model.close()
    assert result.final_output == "I will hand this over to billing."
    assert result.last_agent is a
    assert [item.type for item in result.new_items] == ["message_output_item"]


async def test_a_run_without_words_ends_in_an_error(*, streamed: bool) -> None:
    model = scripted([step("A")] * 20)
    asks = agent("A", model, output_type=int)
    with pytest.raises(ModelBehaviorError, match="neither words nor calls"):
        await play(asks, streamed=streamed, max_turns=None)


async def test_a_refusal_after_words_is_a_refusal() -> None:
    model = scripted([step("A", text="Here is what I can say.", refusal="Not more.")])
    with pytest.raises(ModelRefusalError, match="Not more"):
        await Runner.run(agent("A", model), "go")
