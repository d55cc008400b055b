"""What OpenAI's models use when nothing else is said: the SDK's `set_default_openai_*` functions.

They set a value for the whole process, once, when a program starts. Where more than one key or
client is in play, hand an `OpenAIProvider` to `RunConfig` instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from handfast.errors import UserError
from handfast.models.endpoint import OpenAIClient

OpenAIResponsesTransport: TypeAlias = Literal["http", "websocket"]
OpenAIAPI: TypeAlias = Literal["chat_completions", "responses"]


@dataclass(slots=True)
class OpenAIDefaults:
    """The values in force."""

    key: str | None = None
    client: OpenAIClient | None = None
    use_responses: bool | None = None


DEFAULTS = OpenAIDefaults()


def set_default_openai_key(key: str, use_for_tracing: bool = True) -> None:  # noqa: ARG001, FBT001, FBT002 - the SDK's signature
    """Use this key for OpenAI's models, in place of `OPENAI_API_KEY`.

    Args:
        key: The key.
        use_for_tracing: Has no effect: no trace is sent anywhere.

    Raises:
        UserError: The key is empty.
    """
    if not key:
        raise UserError("set_default_openai_key needs a key that is not empty.")
    DEFAULTS.key = key


def set_default_openai_client(client: OpenAIClient, use_for_tracing: bool = True) -> None:  # noqa: ARG001, FBT001, FBT002 - the SDK's signature
    """Use this `openai.AsyncOpenAI` for names without a prefix; it stays yours to close.

    Args:
        client: The client.
        use_for_tracing: Has no effect: no trace is sent anywhere.
    """
    DEFAULTS.client = client


def set_default_openai_api(api: OpenAIAPI) -> None:
    """Choose the API of OpenAI's models.

    Raises:
        UserError: It is neither of the two.
    """
    if api not in get_args(OpenAIAPI):
        raise UserError(f"api is 'chat_completions' or 'responses', not {api!r}.")
    DEFAULTS.use_responses = api == "responses"


def set_default_openai_responses_transport(transport: OpenAIResponsesTransport) -> None:
    """Choose how the Responses API is reached: over HTTP, the one way that there is here.

    Args:
        transport: `http`; the SDK's `websocket` is refused.

    Raises:
        UserError: It is `websocket`, or neither of the two.
    """
    if transport == "websocket":
        raise UserError(
            "The Responses API is reached over HTTP here, streamed or whole; there is no WebSocket "
            "transport. Leave the call out.",
        )
    if transport not in get_args(OpenAIResponsesTransport):
        raise UserError(f"Expected one of: 'http', 'websocket'; not {transport!r}.")
