"""Where a model is reached: the one file in this package that does input and output.

Requests go through the official `openai` client, which brings authentication, proxies, connection
pools and its documented retries, but past its typed layer: that layer walks the whole history at
each call and builds an object for each delta, at ten times the cost of everything else. The body
goes in as it is, and the answer comes back as bytes.
"""

from __future__ import annotations

import asyncio
import importlib
import sys
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass
from types import ModuleType
from typing import NoReturn, Protocol, cast
from weakref import WeakKeyDictionary

from handfast.agents.model_settings import ModelSettings
from handfast.agents.retry import PROVIDER_RETRIES_OFF
from handfast.errors import (
    ModelTimeoutError,
    ProviderProtocolError,
    ProviderUnavailable,
    UserError,
)
from handfast.models.body_reader import BodyReader
from handfast.models.origin import provider_of
from handfast.models.provider_errors import provider_error, request_id_in
from handfast.models.sse import ServerSentEvent

OPENAI_URL = "https://api.openai.com/v1"
"""Where requests go when nobody says otherwise."""

TOTAL_SECONDS = 600.0
"""How long one call may take when its settings do not say."""

CONNECT_SECONDS = 10.0
"""How long a connection may take to open, in clients made here."""

SILENCE_SECONDS = 300.0
"""How long a stream may say nothing, in clients made here; reasoning models think for minutes."""

MAX_RETRIES = 2
"""How often a client made here tries again, by the `openai` client's documented rules."""

_DRAIN_SECONDS = 0.25
_NO_KEY = "none"
_SHORTEST_KEY = 8


class OpenAIClient(Protocol):
    """An `openai.AsyncOpenAI`, or one of its kin, as far as it must be known here."""

    @property
    def base_url(self) -> object:
        """Its address."""
        ...

    async def close(self) -> None:
        """Close its connections."""
        ...


class _HttpResponse(Protocol):
    status_code: int
    headers: Mapping[str, str]

    def aiter_bytes(self) -> AsyncGenerator[bytes, None]: ...

    async def aclose(self) -> None: ...


class _Stream(Protocol):
    response: _HttpResponse


class _Posts(Protocol):
    async def post(
        self,
        path: str,
        *,
        cast_to: object,
        body: object,
        options: object,
        stream: bool,
        stream_cls: object,
    ) -> _Stream: ...


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """An answer whose head has come."""

    status: int
    """The HTTP status; a status of failure is raised before there is an answer."""
    headers: Mapping[str, str]
    """The headers, names in lower case."""
    response: _HttpResponse
    """The client's own object."""
    silence: float
    """Seconds after which a body that says nothing is given up."""

    async def read(self, on_event: Callable[[ServerSentEvent], bool]) -> bytes | None:
        """Read the body to its end.

        Args:
            on_event: Is told each event of a stream; returns True when it was the last.

        Returns:
            The bytes of a body that is no stream of events; None for a stream.

        Raises:
            ProviderProtocolError: The connection broke, or the bytes cannot be decoded.
            ModelTimeoutError: Nothing came for too long.
        """
        event_stream = "event-stream" in self.headers.get("content-type", "")
        reader = BodyReader(on_event, event_stream=event_stream)
        try:
            async with aclosing(self.response.aiter_bytes()) as chunks:
                await _feed(reader, chunks)
        except _transport_errors() as error:
            if type(error).__name__ == "ReadTimeout":
                raise ModelTimeoutError(self.silence) from error
            raise ProviderProtocolError(
                f"The answer broke off before its end ({type(error).__name__}).",
                status=self.status,
                request_id=request_id_in(self.headers),
            ) from error
        return reader.finish()


async def _feed(reader: BodyReader, chunks: AsyncGenerator[bytes, None]) -> None:
    async for chunk in chunks:
        if reader.feed(chunk):
            await _drain(chunks)
            return


async def _drain(chunks: AsyncGenerator[bytes, None]) -> None:
    """Read what is left, so that the connection can be used again; give up soon."""
    with suppress(TimeoutError):
        async with asyncio.timeout(_DRAIN_SECONDS):
            async for _ in chunks:
                pass


class Endpoint:
    """An address and how to talk to it; models of one provider share one.

    Args:
        client: A client of the `openai` package, used as it is. None makes one at the first call,
            one for each event loop, since connections belong to their loop.
        base_url: The address, where there is no client; None is OpenAI's.
        api_key: The key, where there is no client. None reads `OPENAI_API_KEY` for OpenAI's own
            address and sends none to any other: a key goes only where it was meant for.
        max_retries: How often a client made here tries again.
        headers: Sent with every request of a client made here.

    Raises:
        UserError: Both a client and an address or key are given.
    """

    def __init__(
        self,
        client: OpenAIClient | None = None,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        max_retries: int = MAX_RETRIES,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        if client is not None and (base_url is not None or api_key is not None):
            raise UserError("Give either openai_client or base_url and api_key, not both.")
        self._given = client
        self._made: WeakKeyDictionary[asyncio.AbstractEventLoop, OpenAIClient] = WeakKeyDictionary()
        self.base_url = str(client.base_url) if client is not None else base_url or OPENAI_URL
        self._api_key = api_key
        self._max_retries = max_retries
        self._headers = dict(headers or {})

    @property
    def provider(self) -> str:
        """Host and port: what the provider goes by in marks and messages."""
        return provider_of(self.base_url)

    @property
    def is_openais_own(self) -> bool:
        """True for OpenAI's own address."""
        return self.provider == provider_of(OPENAI_URL)

    def uses(self, client: OpenAIClient) -> bool:
        """True when it was made for this very client."""
        return self._given is client

    @asynccontextmanager
    async def post(
        self,
        path: str,
        body: Mapping[str, object],
        settings: ModelSettings,
        *,
        stream: bool,
    ) -> AsyncGenerator[HttpAnswer, None]:
        """Send a request; the answer's body can be read inside the block.

        Args:
            path: Below the address.
            body: The JSON object to send.
            settings: Its timeout, further headers and query.
            stream: Whether a stream of events was asked for.

        Raises:
            ProviderError: The provider answered with a failure, or could not be reached.
            ModelTimeoutError: The deadline passed.
            UserError: The `openai` package is not installed, or there is no key.
        """
        seconds = TOTAL_SECONDS if settings.timeout is None else settings.timeout
        deadline = asyncio.timeout(seconds)
        try:
            async with deadline:
                silence = self._silence(seconds, stream=stream)
                response = await self._send(path, body, settings, seconds, silence)
                try:
                    headers = dict(response.headers.items())
                    yield HttpAnswer(response.status_code, headers, response, silence)
                finally:
                    await response.aclose()
        except TimeoutError:
            if deadline.expired():
                raise ModelTimeoutError(seconds) from None
            raise

    async def close(self) -> None:
        """Close the client made for this event loop; one that was given is its owner's to close."""
        client = self._made.pop(asyncio.get_running_loop(), None)
        if client is not None:
            await client.close()

    async def _send(
        self,
        path: str,
        body: Mapping[str, object],
        settings: ModelSettings,
        seconds: float,
        silence: float,
    ) -> _HttpResponse:
        openai = openai_package()
        client = self._client(openai)
        options: dict[str, object] = {}
        if settings.extra_headers:
            options["headers"] = dict(settings.extra_headers)
        if settings.extra_query:
            options["params"] = dict(settings.extra_query)
        if PROVIDER_RETRIES_OFF.get():
            options["max_retries"] = 0
        if self._given is None:
            options["timeout"] = openai.Timeout(seconds, connect=CONNECT_SECONDS, read=silence)
        try:
            sent = await cast("_Posts", client).post(
                path,
                cast_to=object,
                body=body,
                options=options,
                stream=True,  # the body is left unread
                stream_cls=openai.AsyncStream[object],
            )
        except openai.APIStatusError as error:
            self._raise_failure(client, error)
        except openai.APITimeoutError as error:
            self._raise_timeout(error, silence)
        except (openai.APIConnectionError, *_transport_errors()) as error:
            raise ProviderUnavailable(
                f"{self.provider} could not be reached: {_cause(error)}. Check the base_url and "
                "that the server is running.",
            ) from error
        return sent.response

    def _silence(self, seconds: float, *, stream: bool) -> float:
        """How long nothing may come: ours to say, or that of the client that was given."""
        if self._given is None:
            return min(seconds, SILENCE_SECONDS) if stream else seconds
        timeout: object = getattr(self._given, "timeout", None)
        read: object = getattr(timeout, "read", timeout)
        return min(seconds, read) if isinstance(read, int | float) else seconds

    def _client(self, openai: ModuleType) -> OpenAIClient:
        if self._given is not None:
            return self._given
        loop = asyncio.get_running_loop()
        known = self._made.get(loop)
        if known is not None:
            return known
        key = self._api_key
        if key is None and self.base_url != OPENAI_URL:
            key = _NO_KEY
        try:
            made = cast(
                "OpenAIClient",
                openai.AsyncOpenAI(
                    api_key=key,
                    base_url=self.base_url,
                    max_retries=self._max_retries,
                    default_headers=self._headers,
                ),
            )
        except openai.OpenAIError as error:
            raise UserError(
                "There is no API key for OpenAI. Set it with: export OPENAI_API_KEY=...",
            ) from error
        self._made[loop] = made
        return made

    def _raise_failure(self, client: OpenAIClient, error: Exception) -> NoReturn:
        """Raise what a status of failure means; the key, should the body repeat it, is cut out."""
        response: object = getattr(error, "response", None)
        content = cast("bytes", getattr(response, "content", b""))
        headers = cast("Mapping[str, str]", getattr(response, "headers", {}))
        status = cast("int | None", getattr(response, "status_code", None))
        key: object = getattr(client, "api_key", None)
        if isinstance(key, str) and len(key) >= _SHORTEST_KEY:
            content = content.replace(key.encode(), b"[key]")
        known = dict(headers.items())
        raise provider_error(status, known, content, provider=self.provider) from error

    def _raise_timeout(self, error: Exception, silence: float) -> NoReturn:
        cause = type(error.__cause__).__name__
        if cause in {"ConnectTimeout", "PoolTimeout"}:
            raise ProviderUnavailable(
                f"{self.provider} could not be reached in time ({cause}).",
            ) from error
        raise ModelTimeoutError(silence) from error


def openai_package() -> ModuleType:
    """The `openai` package, imported when it is first needed.

    Raises:
        UserError: It is not installed.
    """
    try:
        return importlib.import_module("openai")
    except ModuleNotFoundError as error:
        if error.name != "openai":
            raise
        raise UserError(
            "This model needs the openai package. Install it with: pip install 'handfast[openai]'",
        ) from error


def _transport_errors() -> tuple[type[Exception], ...]:
    """What the HTTP library raises; which of the two it is depends on the client's version."""
    loaded = (sys.modules.get(name) for name in ("httpx2", "httpx"))
    return tuple(
        cast("type[Exception]", kind)
        for module in loaded
        if module is not None
        for kind in (module.HTTPError, module.StreamError)
    )


def _cause(error: Exception) -> str:
    cause = error.__cause__ or error
    return f"{type(cause).__name__}: {cause}" if str(cause) else type(cause).__name__
