"""From a name to a model."""

from __future__ import annotations

import pytest
from openai import AsyncOpenAI

from handfast.agents.model import Model, ModelProvider, ModelRequest
from handfast.errors import UserError
from handfast.models.openai_chat import OpenAIChatCompletionsModel
from handfast.models.openai_responses import OpenAIResponsesModel
from handfast.models.presets import BY_PREFIX
from handfast.models.provider import DEFAULT_MODEL, MultiProvider, OpenAIProvider, PresetProvider
from provider_server import json_answer, provider_server

KEYS = {preset.key_variable: "key" for preset in BY_PREFIX.values()}


def found(name: str | None, **variables: str) -> Model:
    return MultiProvider(environment={**KEYS, **variables}).get_model(name)


@pytest.mark.parametrize("prefix", sorted(set(BY_PREFIX) - {"openai"}))
def test_each_prefix_finds_a_chat_model_at_its_provider(prefix: str) -> None:
    model = found(f"{prefix}:some-model")
    assert isinstance(model, OpenAIChatCompletionsModel)
    assert model.model == "some-model"
    assert model.endpoint.base_url == BY_PREFIX[prefix].base_url
    assert model.dialect == BY_PREFIX[prefix].dialect


@pytest.mark.parametrize(
    ("name", "model_name"),
    [
        ("gpt-x", "gpt-x"),
        ("openai:gpt-x", "gpt-x"),
        ("openai/gpt-x", "gpt-x"),
        ("ft:gpt-x:org::id", "ft:gpt-x:org::id"),
        (None, DEFAULT_MODEL),
        ("", DEFAULT_MODEL),
    ],
)
def test_a_name_without_another_s_prefix_is_openai_s(name: str | None, model_name: str) -> None:
    model = found(name)
    assert isinstance(model, OpenAIResponsesModel)
    assert model.model == model_name


def test_only_the_first_colon_ends_a_prefix() -> None:
    model = found("ollama:qwen2.5:1.5b")
    assert isinstance(model, OpenAIChatCompletionsModel)
    assert model.model == "qwen2.5:1.5b"
    model = found("openrouter:anthropic/claude-x:free")
    assert isinstance(model, OpenAIChatCompletionsModel)
    assert model.model == "anthropic/claude-x:free"


def test_an_unknown_prefix_is_refused_with_the_nearest() -> None:
    with pytest.raises(UserError, match=r"'deepsek'.*Did you mean 'deepseek'\?"):
        found("deepsek:chat")
    with pytest.raises(UserError, match=r"'anthropic' in 'anthropic/claude'.*base_url"):
        found("anthropic/claude")


def test_a_missing_key_names_the_variable_and_the_command() -> None:
    provider = MultiProvider(environment={})
    with pytest.raises(UserError, match=r"deepseek.*export DEEPSEEK_API_KEY="):
        provider.get_model("deepseek:deepseek-chat")
    with pytest.raises(UserError, match=r"OpenAI.*export OPENAI_API_KEY="):
        provider.get_model("gpt-x")


def test_local_servers_need_no_key() -> None:
    assert MultiProvider(environment={}).get_model("ollama:m") is not None


def test_a_prefix_needs_a_model() -> None:
    with pytest.raises(UserError, match="deepseek:MODEL"):
        found("deepseek:")


def test_variables_override_addresses_and_the_default_model() -> None:
    model = found("vllm:m", VLLM_BASE_URL="http://10.0.0.1:9/v1")
    assert isinstance(model, OpenAIChatCompletionsModel)
    assert model.endpoint.base_url == "http://10.0.0.1:9/v1"
    default = found(None, OPENAI_DEFAULT_MODEL="mine")
    assert isinstance(default, OpenAIResponsesModel)
    assert default.model == "mine"


def test_another_server_in_openai_s_place_may_name_its_models_as_it_likes() -> None:
    model = found("qwen2.5:1.5b", OPENAI_BASE_URL="http://localhost:9/v1")
    assert isinstance(model, OpenAIChatCompletionsModel)
    assert (model.model, model.endpoint.base_url) == ("qwen2.5:1.5b", "http://localhost:9/v1")


def test_the_api_can_be_chosen() -> None:
    chat = OpenAIProvider(use_responses=False, environment=KEYS).get_model("m")
    assert isinstance(chat, OpenAIChatCompletionsModel)
    responses = OpenAIProvider(base_url="http://localhost:9/v1", use_responses=True).get_model("m")
    assert isinstance(responses, OpenAIResponsesModel)


def test_a_client_and_a_key_exclude_each_other() -> None:
    client = AsyncOpenAI(base_url="http://127.0.0.1:1/v1", api_key="x")
    with pytest.raises(UserError, match="not both"):
        OpenAIProvider(openai_client=client, api_key="y")
    model = OpenAIProvider(openai_client=client).get_model("m")
    assert isinstance(model, OpenAIResponsesModel)


def test_models_of_one_place_share_its_connections() -> None:
    first, second = found("deepseek:a"), found("deepseek:b")
    assert isinstance(first, OpenAIChatCompletionsModel)
    assert isinstance(second, OpenAIChatCompletionsModel)
    assert first.endpoint is second.endpoint


class Canteen(ModelProvider):
    """A provider of one's own."""

    def __init__(self) -> None:
        self.asked: list[str | None] = []
        self.closed = False

    def get_model(self, model_name: str | None) -> Model:
        self.asked.append(model_name)
        return Model()

    async def aclose(self) -> None:
        self.closed = True


async def test_prefixes_of_one_s_own_come_first() -> None:
    canteen = Canteen()
    provider = MultiProvider(provider_map={"canteen": canteen, "groq": canteen}, environment=KEYS)
    provider.get_model("canteen:soup")
    provider.get_model("groq:soup")
    await provider.aclose()
    assert canteen.asked == ["soup", "soup"]
    assert canteen.closed


async def test_a_key_in_the_environment_goes_to_its_provider_alone() -> None:
    body = {"choices": [{"index": 0, "message": {"content": "hi"}}]}
    async with provider_server(json_answer(body)) as server:
        variables = {"OPENAI_API_KEY": "sk-openai", "OPENAI_BASE_URL": server.url}
        beside = OpenAIProvider(environment=variables)
        chosen = OpenAIProvider(base_url=server.url, environment=variables)
        for provider in (beside, chosen):
            await provider.get_model("m").respond(ModelRequest(None, "hi"))
            await provider.aclose()
    sent = [asked.headers["authorization"] for asked in server.asked]
    assert sent == ["Bearer sk-openai", "Bearer none"]


async def test_organization_and_project_are_sent() -> None:
    body = {"choices": [{"index": 0, "message": {"content": "hi"}}]}
    async with provider_server(json_answer(body)) as server:
        provider = OpenAIProvider(
            base_url=server.url,
            api_key="k",
            organization="org",
            project="proj",
        )
        await provider.get_model("m").respond(ModelRequest(None, "hi"))
        await provider.aclose()
    headers = server.asked[0].headers
    assert (headers["openai-organization"], headers["openai-project"]) == ("org", "proj")


async def test_closing_what_was_never_opened_is_no_error() -> None:
    await PresetProvider(BY_PREFIX["groq"], KEYS).aclose()
    await MultiProvider(environment=KEYS).aclose()


def test_the_process_s_environment_is_read_where_nothing_is_handed_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GROQ_API_KEY", "key")
    assert MultiProvider().get_model("groq:m") is not None
