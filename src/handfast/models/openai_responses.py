"""`OpenAIResponsesModel`: OpenAI's Responses API, and servers that speak it too."""

from __future__ import annotations

from handfast.agents.model import Model, ModelRequest, Observer
from handfast.agents.raw import ModelResponse
from handfast.errors import UserError
from handfast.models.answer import Exchange, read_body
from handfast.models.endpoint import MAX_RETRIES, Endpoint, OpenAIClient
from handfast.models.origin import Origin, shown_url
from handfast.models.presets import is_openai
from handfast.models.responses_converter import Converter
from handfast.models.responses_request import responses_request
from handfast.models.responses_response import responses_response
from handfast.models.responses_stream import ResponsesStream


class OpenAIResponsesModel(Model):
    """A model behind the Responses API.

    Args:
        model: The model's name, as the server knows it.
        openai_client: An `openai.AsyncOpenAI`; it stays yours to close. None makes one at the
            first call.
        base_url: The server's address, where no client is given; None is OpenAI's.
        api_key: The key, where no client is given.
        max_retries: How often a client made here tries again.
        endpoint: In place of client, address and key: one that other models use too.

    Raises:
        UserError: The arguments do not go together.
    """

    def __init__(
        self,
        model: str,
        openai_client: OpenAIClient | None = None,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        max_retries: int = MAX_RETRIES,
        endpoint: Endpoint | None = None,
    ) -> None:
        if not model:
            raise UserError("A model needs a name, as its server knows it.")
        self.model = model
        self.endpoint = endpoint or Endpoint(
            openai_client,
            base_url=base_url,
            api_key=api_key,
            max_retries=max_retries,
        )

    async def respond(
        self,
        request: ModelRequest,
        observe: Observer | None = None,
    ) -> ModelResponse:
        """Answer one request; see `Model.respond`."""
        origin = Origin(self.endpoint.provider, self.model)
        streamed = observe is not None
        strict_order = not is_openai(self.endpoint.base_url)
        body = responses_request(request, origin, stream=streamed, strict_order=strict_order)
        path, settings = "/responses", request.settings
        async with self.endpoint.post(path, body, settings, stream=streamed) as answer:
            exchange = Exchange(origin, len(request.input), answer.status, answer.headers)
            stream = ResponsesStream(exchange, observe)
            whole = await answer.read(stream.on_event)
        told = stream.body() if whole is None else read_body(whole, exchange)
        response = responses_response(told, exchange)
        if not settings.preserve_raw_usage:
            response.raw_usage = None
        stream.finish(response, told)
        return response

    def takes_prompt_cache_key(self) -> bool:
        """True for OpenAI's own address; other servers may refuse a key that they do not know."""
        return self.endpoint.is_openais_own

    async def close(self) -> None:
        """Close the client that was made here, if one was."""
        await self.endpoint.close()

    def __repr__(self) -> str:
        url = shown_url(self.endpoint.base_url)
        return f"{type(self).__name__}({self.model!r}, base_url={url!r})"


class OpenAIResponsesWSModel(OpenAIResponsesModel):
    """The SDK's Responses model over WebSocket, which is not offered here.

    Raises:
        UserError: Always; the message says what to use.
    """

    def __init__(self, *_given: object, **_more: object) -> None:
        raise UserError(
            "OpenAIResponsesWSModel: there is no WebSocket transport here. OpenAIResponsesModel "
            "gives the same answers over HTTP, streamed or whole.",
        )


__all__ = ["Converter", "OpenAIResponsesModel", "OpenAIResponsesWSModel"]
