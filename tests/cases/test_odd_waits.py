"""A provider that asks to wait is waited for: a sane time, and then asked the same again."""

from __future__ import annotations

import email.utils
import time
from typing import Any

import pytest

from cases.case_model import agent, chat_answer, chat_stream, play, steps_of
from handfast import ModelSettings, RateLimitError
from handfast.models.openai_chat import OpenAIChatCompletionsModel
from handfast.retry import ModelRetryBackoffSettings, ModelRetrySettings, retry_policies
from provider_server import Canned, ProviderServer, json_answer, provider_server

PAST = email.utils.formatdate(1_000_000_000, usegmt=True)
WAITS = ["-5", "soon", PAST, "", "NaN", "-inf", "1e999"]
LONG = ["86400", email.utils.formatdate(4_000_000_000, usegmt=True)]

FIRST, LAST = steps_of("retry-1")


def busy(wait: str) -> Canned:
    return json_answer({"error": {"message": "busy"}}, FIRST["error"]["status"], retry_after=wait)


async def ask(wait: str, *, streamed: bool, client: int = 0, **options: Any) -> ProviderServer:
    answer = chat_stream(LAST) if streamed else chat_answer(LAST)
    async with provider_server(busy(wait), answer) as server:
        model = OpenAIChatCompletionsModel(
            "m", base_url=server.url, api_key="k", max_retries=client
        )
        try:
            result = await play(agent("A", model, **options), streamed=streamed)
        finally:
            await model.close()
    assert result.final_output == "ok"
    return server


@pytest.mark.parametrize("wait", [*WAITS, *LONG])
@pytest.mark.parametrize("policy", ["http_status", "provider_suggested"])
async def test_a_wait_is_never_negative_and_never_beyond_the_maximum(
    *,
    wait: str,
    policy: str,
    streamed: bool,
) -> None:
    policies = {
        "http_status": retry_policies.http_status([429]),
        "provider_suggested": retry_policies.any(
            retry_policies.provider_suggested(),
            retry_policies.retry_after(),
            retry_policies.http_status([429]),
        ),
    }
    backoff = ModelRetryBackoffSettings(initial_delay=0.01, max_delay=0.05)
    settings = ModelRetrySettings(max_retries=2, backoff=backoff, policy=policies[policy])
    begun = time.monotonic()
    server = await ask(wait, streamed=streamed, model_settings=ModelSettings(retry=settings))
    assert time.monotonic() - begun < 10
    assert len(server.asked) == 2
    assert server.asked[0].body == server.asked[1].body


@pytest.mark.parametrize("wait", ["-5", "soon"])
async def test_the_clients_own_retries_are_as_sane(*, wait: str, streamed: bool) -> None:
    server = await ask(wait, streamed=streamed, client=1)
    assert server.asked[0].body == server.asked[1].body


@pytest.mark.parametrize("wait", [*WAITS, *LONG, "5"])
async def test_an_error_tells_only_of_a_wait_that_makes_sense(*, wait: str, streamed: bool) -> None:
    with pytest.raises(RateLimitError, match="busy") as caught:
        await ask(wait, streamed=streamed)
    told = caught.value.retry_after
    if wait in {"5", "86400"}:
        assert told == float(wait)
    elif wait in LONG:
        assert told is not None
    else:
        assert told in {None, 0.0}
