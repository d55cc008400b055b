"""From a name to a model: `openai:gpt-x`, `deepseek:deepseek-chat`, `ollama:qwen2.5:1.5b`.

A name without a prefix is OpenAI's. Keys and addresses come from a mapping that is handed in, the
process's environment unless said otherwise; nothing else in the library reads it for models.
"""

from __future__ import annotations

import difflib
import functools
import os
from collections.abc import Mapping

from handfast.agents.model import Model, ModelProvider
from handfast.errors import UserError
from handfast.models.defaults import DEFAULTS
from handfast.models.endpoint import OPENAI_URL, Endpoint, OpenAIClient
from handfast.models.openai_chat import OpenAIChatCompletionsModel
from handfast.models.openai_responses import OpenAIResponsesModel
from handfast.models.presets import BY_PREFIX, Preset

DEFAULT_MODEL = "gpt-5.6-luna"
"""OpenAI's model when nobody names one; `OPENAI_DEFAULT_MODEL` overrides it."""

_KEY_VARIABLE = "OPENAI_API_KEY"
_FINE_TUNED = "ft"


class OpenAIProvider(ModelProvider):
    """Models of OpenAI, or of one compatible server.

    Args:
        api_key: The key; None reads `OPENAI_API_KEY`.
        base_url: The address; None reads `OPENAI_BASE_URL`, else it is OpenAI's.
        openai_client: A client of the `openai` package in place of both; it stays yours to close.
        organization: Sent as `OpenAI-Organization`.
        project: Sent as `OpenAI-Project`.
        use_responses: True for the Responses API, False for chat completions; None takes the
            Responses API for OpenAI's own address and chat completions for any other.
        environment: Where variables are read; None is the process's environment.
    """

    def __init__(
        self,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        openai_client: OpenAIClient | None = None,
        organization: str | None = None,
        project: str | None = None,
        use_responses: bool | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        if openai_client is not None and (api_key is not None or base_url is not None):
            raise UserError("Give either openai_client or api_key and base_url, not both.")
        self._client = openai_client
        self._api_key = api_key
        self._base_url = base_url
        self._organization = organization
        self._project = project
        self._use_responses = use_responses
        self._environment = environment
        self._endpoint: Endpoint | None = None

    def get_model(self, model_name: str | None) -> Model:
        """The model of that name; None is the default model.

        Raises:
            UserError: There is no key; the message says which variable to set.
        """
        endpoint = self._reach()
        name = model_name or self._variables.get("OPENAI_DEFAULT_MODEL") or DEFAULT_MODEL
        responses = self._use_responses
        if responses is None:
            responses = DEFAULTS.use_responses
        if responses is None:
            responses = self._given_client is not None or endpoint.base_url == OPENAI_URL
        if responses:
            return OpenAIResponsesModel(name, endpoint=endpoint)
        return OpenAIChatCompletionsModel(name, endpoint=endpoint)

    @property
    def is_elsewhere(self) -> bool:
        """True when another server than OpenAI's was chosen, whose model names can be anything."""
        return self._given_client is not None or self._url != OPENAI_URL

    async def aclose(self) -> None:
        """Close the connections of this event loop."""
        if self._endpoint is not None:
            await self._endpoint.close()

    @property
    def _variables(self) -> Mapping[str, str]:
        return os.environ if self._environment is None else self._environment

    @property
    def _url(self) -> str:
        return self._base_url or self._variables.get("OPENAI_BASE_URL") or OPENAI_URL

    @property
    def _given_client(self) -> OpenAIClient | None:
        """The client to use; the default one only where neither key nor address was given."""
        if self._client is not None or self._api_key is not None or self._base_url is not None:
            return self._client
        return DEFAULTS.client

    def _reach(self) -> Endpoint:
        client = self._given_client
        if self._endpoint is None or (client is not None and not self._endpoint.uses(client)):
            self._endpoint = self._find() if client is None else Endpoint(client)
        return self._endpoint

    def _find(self) -> Endpoint:
        url, key = self._url, self._api_key
        # A key found lying about goes to OpenAI, or to the address found beside it, only.
        if key is None and (self._base_url is None or url == OPENAI_URL):
            key = DEFAULTS.key or self._variables.get(_KEY_VARIABLE)
        if not key and url == OPENAI_URL:
            raise _no_key("OpenAI", _KEY_VARIABLE)
        headers = {"OpenAI-Organization": self._organization, "OpenAI-Project": self._project}
        sent = tuple((name, value) for name, value in headers.items() if value)
        return _shared_endpoint(url, key, sent)


class PresetProvider(ModelProvider):
    """Models of one known provider.

    Args:
        preset: The provider.
        environment: Where its variables are read; None is the process's environment.
    """

    def __init__(self, preset: Preset, environment: Mapping[str, str] | None = None) -> None:
        self._preset = preset
        self._environment = environment
        self._endpoint: Endpoint | None = None

    def get_model(self, model_name: str | None) -> Model:
        """The model of that name.

        Raises:
            UserError: There is no name, or no key; the message says which variable to set.
        """
        preset = self._preset
        if not model_name:
            raise UserError(f"Name a model of {preset.name}: '{preset.name}:MODEL'.")
        if self._endpoint is None:
            variables = os.environ if self._environment is None else self._environment
            key = variables.get(preset.key_variable) or None
            if key is None and preset.key_needed:
                raise _no_key(preset.name, preset.key_variable)
            url = variables.get(preset.url_variable) or preset.base_url
            self._endpoint = _shared_endpoint(url, key, ())
        dialect = preset.dialect
        return OpenAIChatCompletionsModel(model_name, endpoint=self._endpoint, dialect=dialect)

    async def aclose(self) -> None:
        """Close the connections of this event loop."""
        if self._endpoint is not None:
            await self._endpoint.close()


class MultiProvider(ModelProvider):
    """Finds any known provider's models by the prefix of a name.

    The prefix ends at a colon, or at a slash as in the OpenAI Agents SDK. A name without one is
    OpenAI's.

    Args:
        provider_map: Further prefixes, or other providers for known ones.
        openai_api_key: The key for OpenAI; None reads `OPENAI_API_KEY`.
        openai_base_url: The address for names without a prefix; None reads `OPENAI_BASE_URL`.
        openai_client: A client in place of both; it stays yours to close.
        openai_use_responses: As `use_responses` of `OpenAIProvider`.
        keeps_connections: True leaves the pools open on `aclose`: every run in the process that
            goes to the same place goes through the same pool.
        environment: Where keys and addresses are read; None is the process's environment.
    """

    def __init__(
        self,
        *,
        provider_map: Mapping[str, ModelProvider] | None = None,
        openai_api_key: str | None = None,
        openai_base_url: str | None = None,
        openai_client: OpenAIClient | None = None,
        openai_use_responses: bool | None = None,
        keeps_connections: bool = False,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._environment = environment
        self._keeps_connections = keeps_connections
        self._openai = OpenAIProvider(
            api_key=openai_api_key,
            base_url=openai_base_url,
            openai_client=openai_client,
            use_responses=openai_use_responses,
            environment=environment,
        )
        self._providers: dict[str, ModelProvider] = {"openai": self._openai, **(provider_map or {})}

    def get_model(self, model_name: str | None) -> Model:
        """The model of that name; None is OpenAI's default model.

        Raises:
            UserError: The prefix is not known, or there is no key for the provider.
        """
        if not model_name:
            return self._openai.get_model(None)
        prefix, name = self._split(model_name)
        return self._provider(prefix).get_model(name)

    async def aclose(self) -> None:
        """Close the connections that the providers hold in this event loop."""
        if self._keeps_connections:
            return
        for provider in self._providers.values():
            await provider.aclose()

    def _split(self, model_name: str) -> tuple[str, str]:
        cuts = [model_name.partition(mark) for mark in ":/" if mark in model_name]
        for prefix, _, name in cuts:
            if prefix in self._providers or prefix in BY_PREFIX:
                return prefix, name
        if not cuts or cuts[0][0] == _FINE_TUNED or self._openai.is_elsewhere:
            return "openai", model_name
        raise self._unknown(cuts[0][0], model_name)

    def _unknown(self, prefix: str, model_name: str) -> UserError:
        known = sorted({*self._providers, *BY_PREFIX})
        near = difflib.get_close_matches(prefix, known, n=1)
        hint = f"Did you mean '{near[0]}'? " if near else ""
        return UserError(
            f"Unknown model provider {prefix!r} in {model_name!r}. {hint}Known are: "
            f"{', '.join(known)}. For another server use OpenAIChatCompletionsModel(model, "
            "base_url=...).",
        )

    def _provider(self, prefix: str) -> ModelProvider:
        known = self._providers.get(prefix)
        if known is None:
            preset = BY_PREFIX[prefix]
            known = self._providers.get(preset.name) or PresetProvider(preset, self._environment)
            self._providers[prefix] = self._providers[preset.name] = known
        return known


@functools.lru_cache(maxsize=64)
def _shared_endpoint(
    url: str,
    key: str | None,
    headers: tuple[tuple[str, str], ...],
) -> Endpoint:
    """One endpoint, and so one pool of connections, for all runs that go to the same place."""
    return Endpoint(base_url=url, api_key=key, headers=dict(headers))


def _no_key(provider: str, variable: str) -> UserError:
    return UserError(
        f"There is no API key for {provider}. Set it with: export {variable}=... "
        "or give the model's client the key itself.",
    )
