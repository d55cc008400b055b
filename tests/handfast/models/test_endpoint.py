"""Where a model is reached: connections, deadlines, keys."""

from __future__ import annotations

import asyncio
import gzip
import socket
import subprocess
import sys

import pytest
from openai import AsyncOpenAI

from handfast.agents.model_settings import ModelSettings
from handfast.agents.retry import PROVIDER_RETRIES_OFF
from handfast.errors import (
    AuthenticationError,
    ModelTimeoutError,
    ProviderError,
    ProviderProtocolError,
    ProviderUnavailable,
    RateLimitError,
    UserError,
)
from handfast.models.endpoint import OPENAI_URL, Endpoint
from handfast.models.sse import ServerSentEvent
from provider_server import Canned, ProviderServer, event_stream, json_answer, provider_server

PLAIN = ModelSettings()


async def post(
    endpoint: Endpoint,
    settings: ModelSettings = PLAIN,
    *,
    stream: bool = False,
) -> tuple[list[str], bytes | None]:
    """The events of an answer, or its body."""
    seen: list[str] = []

    def on_event(event: ServerSentEvent) -> bool:
        seen.append(event.data)
        return event.data == "[DONE]"

    async with endpoint.post("/x", {"a": "é"}, settings, stream=stream) as answer:
        return seen, await answer.read(on_event)


def at(server: ProviderServer, **more: object) -> Endpoint:
    options = {"api_key": "sk-secret-key", "max_retries": 0, **more}
    return Endpoint(base_url=server.url, **options)  # type: ignore[arg-type]  # a test's options


async def test_a_body_goes_out_as_it_is_and_comes_back_as_bytes() -> None:
    async with provider_server(json_answer({"b": 1})) as server:
        endpoint = at(server)
        assert await post(endpoint) == ([], b'{"b": 1}')
        await endpoint.close()
    assert server.asked[0].path == "/v1/x"
    assert server.asked[0].json() == {"a": "é"}
    assert server.asked[0].headers["authorization"] == "Bearer sk-secret-key"


async def test_settings_add_headers_and_query() -> None:
    settings = ModelSettings(extra_headers={"X-Mine": "1"}, extra_query={"q": "2"})
    async with provider_server(json_answer({})) as server:
        endpoint = at(server, headers={"X-Always": "3"})
        await post(endpoint, settings)
        await endpoint.close()
    assert server.asked[0].path == "/v1/x?q=2"
    assert server.asked[0].headers["x-mine"] == "1"
    assert server.asked[0].headers["x-always"] == "3"


async def test_a_key_goes_only_where_it_was_meant_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-openai")
    async with provider_server(json_answer({})) as server:
        endpoint = at(server, api_key=None)
        await post(endpoint)
        await endpoint.close()
    assert "sk-of-openai" not in str(server.asked[0].headers)


async def test_one_connection_serves_many_calls() -> None:
    async with provider_server(event_stream({"a": 1})) as server:
        endpoint = at(server)
        for _ in range(5):
            assert (await post(endpoint, stream=True))[0] == ['{"a": 1}', "[DONE]"]
        await endpoint.close()
        assert server.connections == 1


async def test_a_client_that_was_given_is_used_and_left_open() -> None:
    async with provider_server(json_answer({})) as server:
        client = AsyncOpenAI(base_url=server.url, api_key="given", max_retries=0)
        endpoint = Endpoint(client)
        assert endpoint.provider == server.url.split("/")[2]
        await post(endpoint)
        await endpoint.close()
        await post(endpoint)
        await client.close()
    assert server.asked[1].headers["authorization"] == "Bearer given"


def test_a_client_and_an_address_exclude_each_other() -> None:
    client = AsyncOpenAI(base_url="http://127.0.0.1:1/v1", api_key="x")
    with pytest.raises(UserError, match="not both"):
        Endpoint(client, base_url="http://127.0.0.1:2/v1")


def test_an_endpoint_outlives_an_event_loop() -> None:
    async def twice() -> None:
        async with provider_server(json_answer({})) as server:
            endpoint.base_url = server.url
            await post(endpoint)
            await endpoint.close()

    endpoint = Endpoint(base_url="http://127.0.0.1:1/v1", api_key="x", max_retries=0)
    asyncio.run(twice())
    asyncio.run(twice())


async def test_without_a_key_for_openai_the_variable_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    endpoint = Endpoint()
    assert endpoint.base_url == OPENAI_URL
    with pytest.raises(UserError, match="export OPENAI_API_KEY"):
        await post(endpoint)


@pytest.mark.parametrize(
    ("canned", "kind"),
    [
        (json_answer({"error": {"message": "bad key sk-secret-key"}}, 401), AuthenticationError),
        (json_answer({"error": {"message": "slow down"}}, 429, retry_after="7"), RateLimitError),
        (Canned(429, {}, []), RateLimitError),
        (Canned(502, {"content-type": "text/html"}, [b"<h1>Bad</h1>"]), ProviderUnavailable),
        (Canned(500, {"content-type": "application/json"}, [b"{oops"]), ProviderUnavailable),
        (json_answer({"detail": "overloaded"}, 503), ProviderUnavailable),
    ],
)  # fmt: skip
async def test_a_status_of_failure_is_raised(canned: Canned, kind: type[ProviderError]) -> None:
    async with provider_server(canned) as server:
        endpoint = at(server)
        with pytest.raises(kind) as caught:
            await post(endpoint, stream=True)
        await endpoint.close()
    assert caught.value.status == canned.status
    assert caught.value.retry_after == (7.0 if "retry-after" in canned.headers else None)
    assert "sk-secret-key" not in str(caught.value)


async def test_what_can_be_tried_again_is_tried_again() -> None:
    busy = json_answer({"error": {"message": "busy"}}, 503, retry_after_ms="1")
    async with provider_server(busy, busy, json_answer({"b": 1})) as server:
        endpoint = at(server, max_retries=2)
        assert (await post(endpoint))[1] == b'{"b": 1}'
        await endpoint.close()
    assert [asked.body for asked in server.asked] == [server.asked[0].body] * 3


async def test_nothing_is_tried_again_here_while_a_run_counts_its_own_retries() -> None:
    busy = json_answer({"error": {"message": "busy"}}, 503, retry_after_ms="1")
    async with provider_server(busy, json_answer({"b": 1})) as server:
        endpoint = at(server, max_retries=2)
        token = PROVIDER_RETRIES_OFF.set(True)
        try:
            with pytest.raises(ProviderUnavailable):
                await post(endpoint)
        finally:
            PROVIDER_RETRIES_OFF.reset(token)
        await endpoint.close()
    assert len(server.asked) == 1


def test_openais_own_address_is_known_however_it_is_spelt() -> None:
    client = AsyncOpenAI(api_key="x")
    assert Endpoint(client).is_openais_own
    assert Endpoint().is_openais_own
    assert not Endpoint(base_url="http://127.0.0.1:1/v1").is_openais_own


async def test_a_compressed_body_is_unpacked() -> None:
    packed = Canned(200, {"content-encoding": "gzip"}, [gzip.compress(b'{"b": 1}')])
    async with provider_server(packed) as server:
        endpoint = at(server)
        assert (await post(endpoint))[1] == b'{"b": 1}'
        await endpoint.close()


@pytest.mark.parametrize(
    "canned",
    [
        Canned(200, {"content-encoding": "gzip"}, [b"this is no gzip"]),
        Canned(200, {"content-type": "text/event-stream"}, [b"data: 1\n\n"], cut=True),
        Canned(200, {"content-type": "application/json"}, [b'{"a": '], cut=True),
    ],
)
async def test_an_answer_that_breaks_off_is_told_from_a_server_that_is_away(
    canned: Canned,
) -> None:
    async with provider_server(canned) as server:
        endpoint = at(server)
        with pytest.raises(ProviderProtocolError, match="broke off") as caught:
            await post(endpoint, stream=True)
        await endpoint.close()
    assert caught.value.status == 200


async def test_a_server_that_is_away_is_unavailable() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        endpoint = Endpoint(base_url=url, api_key="x", max_retries=0)
        with pytest.raises(ProviderUnavailable, match="base_url"):
            await post(endpoint)
        await endpoint.close()


async def test_a_server_that_says_nothing_runs_into_the_deadline() -> None:
    async with provider_server(Canned(silent=True)) as server:
        endpoint = at(server)
        with pytest.raises(ModelTimeoutError) as caught:
            await post(endpoint, ModelSettings(timeout=0.2))
        await endpoint.close()
    assert caught.value.timeout_seconds == 0.2


async def test_a_stream_that_stops_runs_into_the_deadline() -> None:
    stopped = Canned(200, {"content-type": "text/event-stream"}, [b"data: 1\n\n"], stalls=True)
    async with provider_server(stopped) as server:
        endpoint = at(server)
        with pytest.raises(ModelTimeoutError):
            await post(endpoint, ModelSettings(timeout=0.3), stream=True)
        await endpoint.close()


@pytest.mark.parametrize("pieces", [[], [b"data: 1\n\n"]])
async def test_the_patience_of_a_given_client_counts(pieces: list[bytes]) -> None:
    canned = Canned(200, {}, pieces, stalls=bool(pieces), silent=not pieces)
    async with provider_server(canned) as server:
        client = AsyncOpenAI(base_url=server.url, api_key="x", max_retries=0, timeout=0.2)
        with pytest.raises(ModelTimeoutError) as caught:
            await post(Endpoint(client), stream=True)
        await client.close()
    assert caught.value.timeout_seconds == 0.2


async def test_a_server_that_keeps_the_stream_open_after_its_end_is_not_waited_for() -> None:
    stays = Canned(200, {}, [b"data: 1\n\ndata: [DONE]\n\n"], stalls=True)
    async with provider_server(stays) as server:
        endpoint = at(server)
        assert (await post(endpoint, stream=True))[0] == ["1", "[DONE]"]
        await endpoint.close()


def test_without_the_openai_package_the_command_to_install_it_is_named() -> None:
    code = (
        "import sys, asyncio; sys.modules['openai'] = None\n"
        "from handfast.models.openai_chat import OpenAIChatCompletionsModel as M\n"
        "from handfast.agents.model import ModelRequest\n"
        "from handfast.errors import UserError\n"
        "try: asyncio.run(M('m', base_url='http://127.0.0.1:1').respond(ModelRequest(None, 'x')))\n"
        "except UserError as error: assert \"pip install 'handfast[openai]'\" in str(error)\n"
        "else: raise SystemExit('no error')\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)  # noqa: S603 - our own code
