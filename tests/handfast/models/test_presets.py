"""Known providers."""

from __future__ import annotations

import pytest

from handfast.models.chat_dialect import LOCAL, OPENAI, ChatDialect
from handfast.models.presets import BY_PREFIX, PRESETS, dialect_of, is_openai


@pytest.mark.parametrize(
    "prefix",
    [
        "openai", "deepseek", "dashscope", "qwen", "zhipu", "glm", "moonshot", "kimi", "mistral",
        "groq", "openrouter", "xai", "together", "ollama", "vllm", "llamacpp",
    ],
)  # fmt: skip
def test_each_known_prefix_leads_to_a_provider(prefix: str) -> None:
    preset = BY_PREFIX[prefix]
    assert preset.base_url.startswith("http")
    assert preset.key_variable.endswith("_API_KEY")


def test_only_servers_on_this_machine_need_no_key_and_no_encryption() -> None:
    for preset in PRESETS:
        assert preset.key_needed == preset.base_url.startswith("https://")
        assert (preset.dialect == LOCAL) != preset.key_needed


def test_no_two_providers_share_a_prefix_or_a_variable() -> None:
    prefixes = [name for preset in PRESETS for name in (preset.name, *preset.aliases)]
    assert len(prefixes) == len(set(prefixes)) == len(BY_PREFIX)
    assert len({preset.key_variable for preset in PRESETS}) == len(PRESETS)
    assert len({preset.url_variable for preset in PRESETS}) == len(PRESETS)


@pytest.mark.parametrize(
    ("url", "dialect"),
    [
        ("https://api.openai.com/v1", OPENAI),
        ("https://my.openai.azure.com/openai", OPENAI),
        ("https://api.mistral.ai/v1", BY_PREFIX["mistral"].dialect),
        ("https://dashscope-intl.aliyuncs.com/compatible-mode/v1", BY_PREFIX["qwen"].dialect),
        ("http://localhost:9999/v1", LOCAL),
        ("http://127.0.0.1:9999/v1", LOCAL),
        ("https://llm.example.com/v1", ChatDialect()),
    ],
)
def test_an_address_tells_the_dialect(url: str, dialect: ChatDialect) -> None:
    assert dialect_of(url) == dialect
    assert is_openai(url) == (dialect is OPENAI)


def test_the_address_can_be_overridden_by_a_variable() -> None:
    assert BY_PREFIX["qwen"].url_variable == "DASHSCOPE_BASE_URL"
