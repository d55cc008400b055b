"""What OpenAI's models use when nothing else is said."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from openai import AsyncOpenAI

from handfast.agents.model import ModelRequest
from handfast.errors import UserError
from handfast.models.defaults import (
    DEFAULTS,
    set_default_openai_api,
    set_default_openai_client,
    set_default_openai_key,
    set_default_openai_responses_transport,
)
from handfast.models.openai_chat import OpenAIChatCompletionsModel
from handfast.models.openai_responses import OpenAIResponsesModel
from handfast.models.provider import MultiProvider, OpenAIProvider
from provider_server import json_answer, provider_server

BODY = {"choices": [{"index": 0, "message": {"content": "hi"}}]}


@pytest.fixture(autouse=True)
def _nothing_is_left() -> Iterator[None]:
    yield
    DEFAULTS.key = DEFAULTS.client = DEFAULTS.use_responses = None


async def test_a_default_key_stands_in_for_the_variable() -> None:
    set_default_openai_key("sk-default")
    assert OpenAIProvider(environment={}).get_model("m") is not None
    async with provider_server(json_answer(BODY)) as server:
        provider = OpenAIProvider(environment={"OPENAI_BASE_URL": server.url})
        await provider.get_model("m").respond(ModelRequest(None, "hi"))
        await provider.aclose()
    assert server.asked[0].headers["authorization"] == "Bearer sk-default"


async def test_a_default_client_and_api_are_used_by_models_without_their_own() -> None:
    async with provider_server(json_answer(BODY)) as server:
        client = AsyncOpenAI(base_url=server.url, api_key="mine", max_retries=0)
        set_default_openai_client(client)
        set_default_openai_api("chat_completions")
        provider = MultiProvider(environment={})
        model = provider.get_model("qwen2.5:1.5b")
        assert isinstance(model, OpenAIChatCompletionsModel)
        await model.respond(ModelRequest(None, "hi"))
        await client.close()
    assert server.asked[0].headers["authorization"] == "Bearer mine"


def test_a_default_set_later_counts_and_what_is_given_counts_more() -> None:
    provider = OpenAIProvider(environment={"OPENAI_API_KEY": "k"})
    own = OpenAIProvider(api_key="own", environment={})
    assert isinstance(provider.get_model("m"), OpenAIResponsesModel)
    client = AsyncOpenAI(base_url="http://127.0.0.1:1/v1", api_key="x")
    set_default_openai_client(client)
    later = provider.get_model("m")
    assert isinstance(later, OpenAIResponsesModel)
    assert later.endpoint.uses(client)
    given = own.get_model("m")
    assert isinstance(given, OpenAIResponsesModel)
    assert not given.endpoint.uses(client)


def test_nonsense_is_refused() -> None:
    with pytest.raises(UserError, match="empty"):
        set_default_openai_key("")
    with pytest.raises(UserError, match="chat_completions"):
        set_default_openai_api("completions")  # type: ignore[arg-type]  # what a user might write


def test_the_responses_api_is_reached_over_http() -> None:
    set_default_openai_responses_transport("http")
    with pytest.raises(UserError, match="no WebSocket transport"):
        set_default_openai_responses_transport("websocket")
    with pytest.raises(UserError, match="Expected one of: 'http', 'websocket'"):
        set_default_openai_responses_transport("carrier pigeon")  # type: ignore[arg-type]  # the same
