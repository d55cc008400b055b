"""Whatever an endpoint sends, the caller gets an answer or an error that says what happened."""

from __future__ import annotations

from typing import Any

import pytest

from cases.case_model import Wire, agent, chat_answer, chat_stream, events_of, play, steps_of
from handfast import (
    BadRequestError,
    ModelError,
    ModelRefusalError,
    ProviderError,
    Runner,
)
from handfast.models.openai_chat import OpenAIChatCompletionsModel
from provider_server import Canned, ProviderServer, event_stream, json_answer, provider_server

OK = steps_of("provider-1")[1]
FAILED = steps_of("provider-1")[0]["raw"]


def chat_model(server: ProviderServer, max_retries: int = 0) -> OpenAIChatCompletionsModel:
    return OpenAIChatCompletionsModel(
        "m",
        base_url=server.url,
        api_key="k",
        max_retries=max_retries,
    )


async def ask(*answers: Canned, streamed: bool) -> tuple[Any, ProviderServer]:
    async with provider_server(*answers) as server:
        model = chat_model(server)
        try:
            result = await play(agent("A", model), streamed=streamed)
        finally:
            await model.close()
    return result.final_output, server


def delta(**fields: Any) -> Wire:
    return {"id": "c", "choices": [{"index": 0, "delta": {"content": "hi"}, **fields}]}


BODIES: list[Any] = [
    FAILED,
    {"error": {"message": "upstream failed", "code": 502}},
    {"error": "upstream failed"},
    {"choices": [], "error": {"message": "upstream failed"}},
    {"choices": [{"error": {"message": "upstream failed", "code": 502}, "message": None}]},
]


@pytest.mark.parametrize("body", BODIES)
async def test_an_error_in_a_body_of_success_is_a_model_error_with_its_message(
    *,
    body: Any,
    streamed: bool,
) -> None:
    with pytest.raises(ProviderError, match="upstream failed"):
        await ask(json_answer(body), streamed=streamed)


@pytest.mark.parametrize("body", [{"choices": None}, {"choices": []}, {}, {"choices": [None]}, []])
async def test_a_body_without_an_answer_is_a_model_error(*, body: Any, streamed: bool) -> None:
    with pytest.raises(ModelError):
        await ask(json_answer(body), streamed=streamed)


async def test_the_same_endpoint_may_answer_the_next_time(*, streamed: bool) -> None:
    answer = chat_stream(OK) if streamed else chat_answer(OK)
    async with provider_server(json_answer(FAILED), answer) as server:
        model = chat_model(server)
        with pytest.raises(ProviderError, match="upstream failed"):
            await play(agent("A", model), streamed=streamed)
        result = await play(agent("A", model), streamed=streamed)
        await model.close()
    assert result.final_output == "ok"


@pytest.mark.parametrize("odd", [None, [], [None], "absent"])
async def test_odd_choices_in_a_stream_are_skipped(odd: Any) -> None:
    chunk = {"id": "c"} if odd == "absent" else {"id": "c", "choices": odd}
    stream = event_stream(chunk, delta(), chunk, delta(finish_reason="stop", delta={}), chunk)
    text, _ = await ask(stream, streamed=True)
    assert text == "hi"


@pytest.mark.parametrize("body", BODIES)
async def test_an_error_in_a_stream_is_told_after_the_words_before_it(body: Any) -> None:
    async with provider_server(event_stream(delta(), body)) as server:
        model = chat_model(server)
        result = Runner.run_streamed(agent("A", model), "go")
        with pytest.raises(ProviderError, match="upstream failed"):
            await events_of(result)
        await model.close()


async def test_chunks_without_a_delta_are_skipped() -> None:
    text, _ = await ask(chat_stream(steps_of("provider-3")[0]), streamed=True)
    assert text == "hi"


@pytest.mark.parametrize("odd", [None, {}, {"content": None}, {"role": "assistant"}, "absent"])
@pytest.mark.parametrize("place", [0, 1, 2])
async def test_an_odd_delta_anywhere_loses_no_word(*, odd: Any, place: int) -> None:
    choice: Wire = {"index": 0} if odd == "absent" else {"index": 0, "delta": odd}
    chunks = [delta(), delta(), delta(finish_reason="stop", delta={})]
    chunks.insert(place, {"id": "c", "choices": [choice]})
    text, _ = await ask(event_stream(*chunks), streamed=True)
    assert text == "hihi"


FILTERED: list[Wire] = [
    {"message": {"role": "assistant", "content": None}, "finish_reason": "content_filter"},
    {"message": {"role": "assistant", "content": ""}, "finish_reason": "content_filter"},
    {"finish_reason": "content_filter"},
    {"message": None, "finish_reason": "content_filter"},
    {"message": {"role": "assistant"}, "finish_reason": "content_filter"},
]


@pytest.mark.parametrize("choice", FILTERED)
async def test_an_answer_that_a_filter_took_away_is_an_error_that_says_so(choice: Wire) -> None:
    async with provider_server(json_answer({"choices": [{"index": 0, **choice}]})) as server:
        model = chat_model(server, max_retries=2)
        with pytest.raises((BadRequestError, ModelRefusalError, ModelError), match="filter"):
            await play(agent("A", model), streamed=False)
        assert len(server.asked) == 1
        await model.close()


async def test_a_filter_that_ends_a_stream_is_told_too(*, streamed: bool) -> None:
    script = steps_of("provider-5")[0]
    answer = chat_stream(script) if streamed else chat_answer(script)
    with pytest.raises(ModelError, match="filter"):
        await ask(answer, streamed=streamed)
