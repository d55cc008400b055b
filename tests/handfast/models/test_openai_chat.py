"""The chat completions adapter, against a server on loopback."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator

import pytest
from openai import AsyncOpenAI
from openai.types.responses import ResponseTextDeltaEvent

from handfast.agents.model import ModelRequest, ModelTracing
from handfast.agents.model_settings import ModelSettings
from handfast.errors import ProviderProtocolError, UserError
from handfast.models.chat_dialect import ChatDialect
from handfast.models.json_text import object_in, objects_in
from handfast.models.openai_chat import OpenAIChatCompletionsModel
from provider_server import Canned, ProviderServer, event_stream, json_answer, provider_server

MESSAGE: dict[str, object] = {"role": "assistant", "content": "Hello"}
WHOLE: dict[str, object] = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 1,
    "model": "m",
    "choices": [{"index": 0, "message": MESSAGE, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 3, "completion_tokens": 1, "total_tokens": 4},
}


def chunk(delta: object, finish: str | None = None, **more: object) -> dict[str, object]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {"id": "chatcmpl-1", "created": 1, "model": "m", "choices": [choice], **more}


STREAM = event_stream(
    chunk({"role": "assistant", "content": "Hel"}),
    chunk({"content": "lo"}),
    chunk({}, "stop", usage=WHOLE["usage"]),
)
ASK = ModelRequest("Be brief.", "hi")


@pytest.fixture
async def server() -> AsyncGenerator[ProviderServer]:
    async with provider_server(json_answer(WHOLE)) as running:
        yield running


@pytest.fixture
async def model(server: ProviderServer) -> AsyncGenerator[OpenAIChatCompletionsModel]:
    made = OpenAIChatCompletionsModel("m", base_url=server.url, api_key="x", max_retries=0)
    yield made
    await made.close()


async def test_the_provider_s_own_usage_is_kept_where_that_is_asked_for(
    server: ProviderServer,
    model: OpenAIChatCompletionsModel,
) -> None:
    request = ModelRequest("", "hi", settings=ModelSettings(preserve_raw_usage=True))
    whole = await model.respond(request)
    server.put(STREAM)
    streamed = await model.respond(request, lambda _event: None)
    assert streamed.raw_usage == whole.raw_usage == WHOLE["usage"]


async def test_whole_and_streamed_answers_are_the_same(
    server: ProviderServer,
    model: OpenAIChatCompletionsModel,
) -> None:
    whole = await model.respond(ASK)
    server.put(STREAM)
    events: list[object] = []
    streamed = await model.respond(ASK, events.append)
    assert streamed == whole
    assert streamed.raw_usage is whole.raw_usage is None
    assert "stream" not in server.asked[0].json()
    assert server.asked[1].json()["stream"] is True
    deltas = [event.delta for event in events if isinstance(event, ResponseTextDeltaEvent)]
    assert deltas == ["Hel", "lo"]


async def test_a_server_that_always_streams_is_understood(
    server: ProviderServer,
    model: OpenAIChatCompletionsModel,
) -> None:
    whole = await model.respond(ASK)
    server.put(STREAM)
    assert await model.respond(ASK) == whole


async def test_a_server_that_never_streams_is_understood(model: OpenAIChatCompletionsModel) -> None:
    events: list[object] = []
    response = await model.respond(ASK, events.append)
    assert response == await model.respond(ASK)
    assert getattr(events[-1], "type", "") == "response.completed"


async def test_the_sdk_s_own_methods_work_too(
    server: ProviderServer,
    model: OpenAIChatCompletionsModel,
) -> None:
    settings, tracing = ModelSettings(), ModelTracing.DISABLED
    response = await model.get_response("Be brief.", "hi", settings, [], None, [], tracing)
    assert response == await model.respond(ASK)
    server.put(STREAM)
    events = model.stream_response("Be brief.", "hi", settings, [], None, [], tracing)
    kinds = [getattr(event, "type", "") async for event in events]
    assert kinds[-1] == "response.completed"


async def test_a_turn_with_a_call_goes_out_as_it_came_in(
    server: ProviderServer,
    model: OpenAIChatCompletionsModel,
) -> None:
    call = {"id": "", "type": "function", "function": {"name": "add", "arguments": '{"a": 1}'}}
    message = {
        "role": "assistant",
        "content": None,
        "reasoning_content": "hm",
        "tool_calls": [call],
    }
    server.put(json_answer({**WHOLE, "choices": [{"index": 0, "message": message}]}))
    response = await model.respond(ASK)
    call_id = str(response.wire_items[-1]["call_id"])
    output = {"type": "function_call_output", "call_id": call_id, "output": "2"}
    history = [{"role": "user", "content": "hi"}, *response.to_input_items(), output]
    await model.respond(ModelRequest("Be brief.", history))
    assert objects_in(server.asked[1].json(), "messages")[2:] == [
        {
            "role": "assistant",
            "content": None,
            "reasoning_content": "hm",
            "tool_calls": [{**call, "id": call_id}],
        },
        {"role": "tool", "tool_call_id": call_id, "content": "2"},
    ]


async def test_another_provider_never_sees_what_was_meant_for_the_first(
    server: ProviderServer,
    model: OpenAIChatCompletionsModel,
) -> None:
    message = {**MESSAGE, "reasoning_content": "secret", "reasoning_details": [{"signature": "s"}]}
    server.put(json_answer({**WHOLE, "choices": [{"index": 0, "message": message}]}))
    history = (await model.respond(ASK)).to_input_items()
    async with provider_server(json_answer(WHOLE)) as elsewhere:
        other = OpenAIChatCompletionsModel("m", base_url=elsewhere.url, api_key="x")
        await other.respond(ModelRequest(None, history))
        await other.close()
        assert b"secret" not in elsewhere.asked[0].body
        assert b"signature" not in elsewhere.asked[0].body
        assert b"provider_data" not in elsewhere.asked[0].body


async def test_local_servers_get_a_limit_and_openai_s_words_stay_away(
    server: ProviderServer,
    model: OpenAIChatCompletionsModel,
) -> None:
    await model.respond(ASK)
    told = server.asked[0].json()
    assert told["max_tokens"] == 4096
    assert told["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "hi"},
    ]


@pytest.mark.parametrize(
    "canned",
    [
        Canned(200, {"content-type": "text/html"}, [b"<h1>Welcome</h1>"]),
        Canned(200, {"content-type": "application/json"}, [b""]),
        json_answer({**WHOLE, "choices": []}),
        event_stream(chunk({"content": "Hel"}), done=False),
        event_stream(chunk({"content": "Hel"}), done=False, cut=True),
    ],
)
async def test_what_is_no_whole_answer_is_refused(
    canned: Canned,
    server: ProviderServer,
    model: OpenAIChatCompletionsModel,
) -> None:
    server.put(canned)
    with pytest.raises(ProviderProtocolError) as caught:
        await model.respond(ASK, lambda _: None)
    assert caught.value.status == 200


async def test_a_client_of_the_openai_package_is_taken_as_it_is(server: ProviderServer) -> None:
    async with AsyncOpenAI(base_url=server.url, api_key="mine", max_retries=0) as client:
        model = OpenAIChatCompletionsModel("m", client, dialect=ChatDialect())
        await model.respond(ASK)
        await model.close()
    assert server.asked[0].headers["authorization"] == "Bearer mine"
    assert json.loads(server.asked[0].body)["model"] == "m"
    assert object_in(server.asked[0].json(), "max_tokens") == {}


def test_a_model_without_a_name_is_refused() -> None:
    with pytest.raises(UserError, match="name"):
        OpenAIChatCompletionsModel("")


def test_only_openais_own_models_take_a_cache_key() -> None:
    assert OpenAIChatCompletionsModel("m").takes_prompt_cache_key()
    assert not OpenAIChatCompletionsModel("m", base_url="http://x/v1").takes_prompt_cache_key()


def test_a_model_says_what_and_where_it_is() -> None:
    model = OpenAIChatCompletionsModel("m", base_url="http://localhost:8000/v1", api_key="secret")
    assert repr(model) == (
        "OpenAIChatCompletionsModel('m', base_url='http://localhost:8000/v1')"
    )  # fmt: skip
