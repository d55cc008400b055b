from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import pytest

from handfast.agents.model import Model, ModelProvider, ModelRequest, ModelTracing, Observer
from handfast.agents.model_settings import ModelSettings
from handfast.agents.raw import ModelResponse
from handfast.agents.retry import ModelRetryAdviceRequest
from handfast.agents.usage import Usage
from handfast.errors import ProviderProtocolError, UserError

HELLO = ModelRequest("Be brief.", "Hello")
ANSWER: dict[str, object] = {
    "type": "message",
    "id": "m",
    "role": "assistant",
    "status": "completed",
    "content": [{"type": "output_text", "text": "Hi.", "annotations": []}],
}


class Ours(Model):
    """Written against `respond`."""

    def __init__(self) -> None:
        self.requests: list[ModelRequest] = []

    async def respond(
        self, request: ModelRequest, observe: Observer | None = None
    ) -> ModelResponse:
        self.requests.append(request)
        if observe is not None:
            observe(SimpleNamespace(type="response.output_text.delta", delta="Hi."))
        return ModelResponse(output=[ANSWER], usage=Usage(requests=1))


class Theirs(Model):
    """Written against the SDK's two methods."""

    def __init__(self, *events: object) -> None:
        self.events = events

    async def get_response(self, *_args: Any, **_kwargs: Any) -> ModelResponse:
        return ModelResponse(output=[ANSWER], usage=Usage(requests=1))

    async def stream_response(self, *_args: Any, **_kwargs: Any) -> AsyncIterator[object]:
        for event in self.events:
            yield event


async def streamed(model: Model) -> list[Any]:
    stream = model.stream_response(
        "Be brief.", "Hello", ModelSettings(), [], None, [], ModelTracing.DISABLED
    )
    return [event async for event in stream]


async def test_a_model_that_responds_has_both_methods_of_the_sdk() -> None:
    model = Ours()
    response = await model.get_response(
        "Be brief.", "Hello", ModelSettings(), [], None, [], ModelTracing.DISABLED
    )
    assert response.wire_items == [ANSWER]
    assert [event.delta for event in await streamed(model)] == ["Hi."]
    assert [request.instructions for request in model.requests] == ["Be brief."] * 2


async def test_a_model_with_the_methods_of_the_sdk_responds() -> None:
    assert (await Theirs().respond(HELLO)).wire_items == [ANSWER]


async def test_an_observed_answer_is_the_one_in_the_last_event() -> None:
    final = SimpleNamespace(
        type="response.completed",
        response={"id": "r", "output": [ANSWER], "usage": None},
    )
    seen: list[object] = []
    response = await Theirs("delta", final).respond(HELLO, seen.append)
    assert seen == ["delta", final]
    assert (response.response_id, len(response.wire_items)) == ("r", 1)


async def test_a_stream_without_an_end_is_no_answer() -> None:
    with pytest.raises(ProviderProtocolError, match="without a complete response"):
        await Theirs("delta").respond(HELLO, print)


async def test_a_failure_reaches_whoever_reads_the_stream() -> None:
    class Broken(Model):
        async def respond(
            self, request: ModelRequest, observe: Observer | None = None
        ) -> ModelResponse:
            raise ProviderProtocolError(f"{request.input} {observe is not None}")

    with pytest.raises(ProviderProtocolError, match="Hello True"):
        await streamed(Broken())


async def test_whoever_stops_reading_ends_the_call() -> None:
    ended = asyncio.Event()

    class Slow(Model):
        async def respond(
            self, request: ModelRequest, observe: Observer | None = None
        ) -> ModelResponse:
            assert observe is not None
            observe(request.input)
            try:
                await asyncio.Event().wait()
            finally:
                ended.set()
            raise AssertionError

    stream: Any = Slow().stream_response(
        None, "Hello", ModelSettings(), [], None, [], ModelTracing.DISABLED
    )
    assert await anext(stream) == "Hello"
    await stream.aclose()
    assert ended.is_set()


@pytest.mark.parametrize("observe", [None, print])
async def test_a_model_that_implements_neither_side_says_so(observe: Observer | None) -> None:
    with pytest.raises(UserError, match="implements neither"):
        await Model().respond(HELLO, observe)


async def test_a_model_has_no_advice_and_nothing_to_close_by_default() -> None:
    model = Ours()
    assert model.get_retry_advice(ModelRetryAdviceRequest(OSError(), 1, stream=False)) is None
    assert not model.takes_prompt_cache_key()
    await model.close()


def test_tracing_says_what_a_trace_may_hold() -> None:
    assert ModelTracing.DISABLED.is_disabled()
    assert ModelTracing.ENABLED.include_data()
    assert not ModelTracing.ENABLED_WITHOUT_DATA.include_data()
    assert not ModelTracing.ENABLED_WITHOUT_DATA.is_disabled()


async def test_a_provider_that_implements_nothing_says_so() -> None:
    with pytest.raises(UserError, match="does not implement get_model"):
        ModelProvider().get_model("x")
    await ModelProvider().aclose()
