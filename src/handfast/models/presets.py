"""Known providers: where they are, which variable holds the key, which dialect they speak.

Addresses and variable names are those of the providers' own documentation. A new provider is one
line here.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from handfast.models.chat_dialect import LOCAL, OPENAI, ChatDialect
from handfast.models.origin import provider_of


@dataclass(frozen=True, slots=True)
class Preset:
    """A known provider."""

    name: str
    """The prefix of a model name: `deepseek` in `deepseek:deepseek-chat`."""
    base_url: str
    """Where it is reached."""
    key_variable: str
    """The environment variable that holds the key."""
    key_needed: bool = True
    """False when the server asks for no key."""
    dialect: ChatDialect = field(default=ChatDialect())
    """How it speaks the chat protocol."""
    aliases: tuple[str, ...] = ()
    """Other prefixes that mean the same."""
    hosts: tuple[str, ...] = ()
    """Other hosts of the same provider."""

    @property
    def url_variable(self) -> str:
        """The environment variable that overrides the address."""
        return f"{self.name.upper()}_BASE_URL"


_JSON_OBJECT = ChatDialect(structured_output="json_object")

PRESETS: tuple[Preset, ...] = (
    Preset(
        "openai",
        "https://api.openai.com/v1",
        "OPENAI_API_KEY",
        dialect=OPENAI,
    ),
    Preset(
        "deepseek",
        "https://api.deepseek.com",
        "DEEPSEEK_API_KEY",
        dialect=ChatDialect(structured_output="json_object", strict_tools=False),
    ),
    Preset(
        "dashscope",
        "https://dashscope.aliyuncs.com/compatible-mode/v1",
        "DASHSCOPE_API_KEY",
        dialect=_JSON_OBJECT,
        aliases=("qwen",),
        hosts=("dashscope-intl.aliyuncs.com", "dashscope-us.aliyuncs.com"),
    ),
    Preset(
        "zhipu",
        "https://open.bigmodel.cn/api/paas/v4",
        "ZHIPUAI_API_KEY",
        dialect=_JSON_OBJECT,
        aliases=("glm", "zai"),
        hosts=("api.z.ai",),
    ),
    Preset(
        "moonshot",
        "https://api.moonshot.cn/v1",
        "MOONSHOT_API_KEY",
        dialect=_JSON_OBJECT,
        aliases=("kimi",),
        hosts=("api.moonshot.ai",),
    ),
    Preset(
        "mistral",
        "https://api.mistral.ai/v1",
        "MISTRAL_API_KEY",
        dialect=ChatDialect(call_id_length=9, usage_in_stream=False),
    ),
    Preset("groq", "https://api.groq.com/openai/v1", "GROQ_API_KEY"),
    Preset(
        "openrouter",
        "https://openrouter.ai/api/v1",
        "OPENROUTER_API_KEY",
        dialect=ChatDialect(reasoning_object=True),
    ),
    Preset("xai", "https://api.x.ai/v1", "XAI_API_KEY", aliases=("grok",)),
    Preset("together", "https://api.together.xyz/v1", "TOGETHER_API_KEY"),
    Preset(
        "ollama",
        "http://localhost:11434/v1",
        "OLLAMA_API_KEY",
        key_needed=False,
        dialect=LOCAL,
    ),
    Preset(
        "vllm",
        "http://localhost:8000/v1",
        "VLLM_API_KEY",
        key_needed=False,
        dialect=LOCAL,
    ),
    Preset(
        "llamacpp",
        "http://localhost:8080/v1",
        "LLAMACPP_API_KEY",
        key_needed=False,
        dialect=LOCAL,
        aliases=("llama.cpp",),
    ),
)

BY_PREFIX = {name: preset for preset in PRESETS for name in (preset.name, *preset.aliases)}
"""Each prefix, aliases included."""

_BY_HOST = {
    host: preset for preset in PRESETS for host in (provider_of(preset.base_url), *preset.hosts)
}


def is_openai(base_url: str) -> bool:
    """True for OpenAI's own servers, Azure's included."""
    return dialect_of(base_url) is OPENAI


def dialect_of(base_url: str) -> ChatDialect:
    """The dialect of the server at an address; the common one for an unknown server."""
    host = provider_of(base_url)
    known = _BY_HOST.get(host)
    if known is not None:
        return known.dialect
    name = host.partition(":")[0]
    if name.endswith(".openai.azure.com"):
        return OPENAI
    return LOCAL if name in {"localhost", "127.0.0.1", "[::1]"} else ChatDialect()
