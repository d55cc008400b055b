"""The Responses API adapter, against a server on loopback."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest
from openai.types.responses import ResponseTextDeltaEvent

from handfast.agents.model import ModelRequest
from handfast.agents.model_settings import ModelSettings
from handfast.errors import ProviderProtocolError, UserError
from handfast.models.json_text import objects_in
from handfast.models.openai_responses import OpenAIResponsesModel, OpenAIResponsesWSModel
from provider_server import ProviderServer, event_stream, json_answer, provider_server

REASONING: dict[str, object] = {
    "id": "rs_1",
    "type": "reasoning",
    "summary": [],
    "encrypted_content": "opaque",
}
MESSAGE: dict[str, object] = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "status": "completed",
    "content": [{"type": "output_text", "text": "Hello", "annotations": []}],
}
WHOLE: dict[str, object] = {
    "id": "resp_1",
    "object": "response",
    "created_at": 1,
    "model": "m",
    "status": "completed",
    "error": None,
    "output": [REASONING, MESSAGE],
    "usage": {"input_tokens": 3, "output_tokens": 1, "total_tokens": 4},
}
STREAM = event_stream(
    {"type": "response.created", "response": {**WHOLE, "output": []}, "sequence_number": 0},
    {
        "type": "response.output_text.delta",
        "item_id": "msg_1",
        "output_index": 1,
        "content_index": 0,
        "delta": "Hello",
        "logprobs": [],
        "sequence_number": 1,
    },
    {"type": "response.completed", "response": WHOLE, "sequence_number": 2},
    done=False,
)
ASK = ModelRequest("Be brief.", "hi")


@pytest.fixture
async def server() -> AsyncGenerator[ProviderServer]:
    async with provider_server(json_answer(WHOLE)) as running:
        yield running


@pytest.fixture
async def model(server: ProviderServer) -> AsyncGenerator[OpenAIResponsesModel]:
    made = OpenAIResponsesModel("m", base_url=server.url, api_key="x", max_retries=0)
    yield made
    await made.close()


async def test_whole_and_streamed_answers_are_the_same(
    server: ProviderServer,
    model: OpenAIResponsesModel,
) -> None:
    whole = await model.respond(ASK)
    server.put(STREAM)
    events: list[object] = []
    streamed = await model.respond(ASK, events.append)
    assert streamed == whole
    assert whole.response_id == "resp_1"
    assert "stream" not in server.asked[0].json()
    assert server.asked[1].json()["stream"] is True
    deltas = [event.delta for event in events if isinstance(event, ResponseTextDeltaEvent)]
    assert deltas == ["Hello"]


async def test_a_server_that_never_streams_is_understood(model: OpenAIResponsesModel) -> None:
    events: list[object] = []
    assert await model.respond(ASK, events.append) == await model.respond(ASK)
    assert [getattr(event, "type", "") for event in events] == ["response.completed"]


async def test_items_go_back_verbatim(
    server: ProviderServer,
    model: OpenAIResponsesModel,
) -> None:
    history = (await model.respond(ASK)).to_input_items()
    await model.respond(ModelRequest(None, history))
    assert objects_in(server.asked[1].json(), "input") == [REASONING, MESSAGE]


async def test_another_model_of_the_provider_sees_the_words_and_not_the_reasoning(
    server: ProviderServer,
    model: OpenAIResponsesModel,
) -> None:
    history = (await model.respond(ASK)).to_input_items()
    other = OpenAIResponsesModel("another", base_url=server.url, api_key="x")
    await other.respond(ModelRequest(None, history))
    await other.close()
    without_id = {key: value for key, value in MESSAGE.items() if key != "id"}
    assert objects_in(server.asked[1].json(), "input") == [without_id]
    await model.respond(ModelRequest(None, history))
    assert objects_in(server.asked[2].json(), "input") == [REASONING, MESSAGE]


async def test_a_server_without_this_api_is_named(
    server: ProviderServer,
    model: OpenAIResponsesModel,
) -> None:
    server.put(json_answer({"choices": []}))
    with pytest.raises(ProviderProtocolError, match="OpenAIChatCompletionsModel"):
        await model.respond(ASK)


def test_a_model_without_a_name_is_refused() -> None:
    with pytest.raises(UserError, match="name"):
        OpenAIResponsesModel("")


def test_only_openais_own_models_take_a_cache_key() -> None:
    assert OpenAIResponsesModel("m").takes_prompt_cache_key()
    assert not OpenAIResponsesModel("m", base_url="http://x/v1").takes_prompt_cache_key()


def test_a_model_says_what_and_where_it_is() -> None:
    model = OpenAIResponsesModel("m")
    assert repr(model) == "OpenAIResponsesModel('m', base_url='https://api.openai.com/v1')"


def test_there_is_no_websocket_and_the_error_says_what_there_is() -> None:
    with pytest.raises(UserError, match="OpenAIResponsesModel gives the same answers over HTTP"):
        OpenAIResponsesWSModel("m")


async def test_the_provider_s_own_usage_is_kept_where_that_is_asked_for(
    model: OpenAIResponsesModel,
) -> None:
    assert (await model.respond(ASK)).raw_usage is None
    request = ModelRequest("", "hi", settings=ModelSettings(preserve_raw_usage=True))
    assert (await model.respond(request)).raw_usage is not None
