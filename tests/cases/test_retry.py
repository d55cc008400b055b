"""What a provider asks to wait for is followed within reason; the same request goes out again."""

from __future__ import annotations

import pytest

from cases.case_model import chat_answer, steps_of
from handfast import (
    Agent,
    ModelRetryBackoffSettings,
    ModelRetrySettings,
    ModelSettings,
    RunConfig,
    Runner,
    retry_policies,
)
from handfast.models.openai_chat import OpenAIChatCompletionsModel
from provider_server import json_answer, provider_server

REFUSED, ANSWERED = steps_of("retry-1")


@pytest.mark.parametrize(
    "asked",
    [
        REFUSED["error"]["headers"]["retry-after"],
        "soon",
        "Wed, 21 Oct 2015 07:28:00 GMT",
        "86400",
        "",
        "nan",
    ],
)
async def test_an_odd_wait_is_a_sane_one(asked: str) -> None:
    status = REFUSED["error"]["status"]
    busy = json_answer({"error": {"message": "slow down"}}, status, retry_after=asked)
    backoff = ModelRetryBackoffSettings(initial_delay=0, max_delay=0.01)
    retry = ModelRetrySettings(1, backoff, retry_policies.http_status([429]))
    async with provider_server(busy, chat_answer(ANSWERED)) as server:
        model = OpenAIChatCompletionsModel("m", base_url=server.url, max_retries=0)
        config = RunConfig(model_settings=ModelSettings(retry=retry))
        result = await Runner.run(Agent(name="A", model=model), "hi", run_config=config)
        await model.close()
    assert result.final_output == "ok"
    first, second = server.asked
    assert first.body == second.body
    assert result.context_wrapper.usage.requests == 2
