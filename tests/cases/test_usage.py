"""What a run cost is what the provider said last, once for each request."""

from __future__ import annotations

from typing import Any

import pytest

from cases.case_model import Wire, agent, called, chat_answer, chat_stream, play, step, steps_of
from handfast import Usage, function_tool
from handfast.models.openai_chat import OpenAIChatCompletionsModel
from provider_server import event_stream, json_answer, provider_server


def chunk(text: str = "", *, finish: str | None = None, **fields: Any) -> Wire:
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": finish}
    return {"id": "c", "object": "chat.completion.chunk", "choices": [choice], **fields}


def tokens(given: int, made: int, **more: Any) -> Wire:
    return {"prompt_tokens": given, "completion_tokens": made, "total_tokens": given + made, **more}


SILENT: Wire = {"id": "c", "object": "chat.completion.chunk", "choices": []}

STREAMS: dict[str, list[Wire]] = {
    "middle": [chunk("a"), chunk("b", usage=tokens(10, 7)), chunk(finish="stop", usage=None)],
    "totals": [
        chunk("a", usage=tokens(10, 0)),
        chunk("b", usage=tokens(10, 3)),
        chunk("c", finish="stop", usage=tokens(10, 7)),
    ],
    "first": [chunk("a", usage=tokens(10, 7)), chunk("b"), chunk(finish="stop")],
    "after the end": [chunk("a"), chunk(finish="stop"), {**SILENT, "usage": tokens(10, 7)}],
    "after the end, null before": [
        chunk("a", usage=None),
        chunk(finish="stop", usage=None),
        {**SILENT, "usage": tokens(10, 7)},
    ],
    "twice at the end": [
        chunk("a"),
        chunk(finish="stop", usage=tokens(10, 7)),
        {**SILENT, "usage": tokens(10, 7)},
    ],
    "empty objects after": [
        chunk("a", usage=tokens(10, 7)),
        chunk(finish="stop", usage={}),
        {**SILENT, "usage": None},
    ],
    "elsewhere": [chunk("a"), chunk(finish="stop", x_groq={"usage": tokens(10, 7)})],
}


async def cost(*answers: Any, streamed: bool = True, **options: Any) -> Usage:
    async with provider_server(*answers) as server:
        model = OpenAIChatCompletionsModel("m", base_url=server.url, api_key="k")
        result = await play(agent("A", model, **options), streamed=streamed)
        await model.close()
    return result.context_wrapper.usage


@pytest.mark.parametrize(("case", "made"), [("usage-1", 2), ("usage-3", 7)])
async def test_the_last_count_that_says_something_counts(case: str, made: int) -> None:
    usage = await cost(chat_stream(steps_of(case)[0]))
    assert (usage.requests, usage.input_tokens, usage.output_tokens) == (1, 10, made)
    assert usage.total_tokens == 10 + made


@pytest.mark.parametrize("place", STREAMS)
async def test_wherever_the_count_stands_in_a_stream_it_is_found(place: str) -> None:
    usage = await cost(event_stream(*STREAMS[place]))
    assert (usage.requests, usage.input_tokens, usage.output_tokens) == (1, 10, 7)


@function_tool
def look() -> str:
    """Look."""
    return "seen"


async def test_turns_add_up(*, streamed: bool) -> None:
    answer = chat_stream if streamed else chat_answer
    steps = [
        step("A", called("c1", "look"), usage={"in": 10, "out": 2}),
        step("A", called("c2", "look"), usage={"in": 20, "out": 3}),
        step("A", text="done", usage={"in": 30, "out": 4}),
    ]
    usage = await cost(*map(answer, steps), streamed=streamed, tools=[look])
    assert (usage.requests, usage.input_tokens, usage.output_tokens) == (3, 60, 9)
    each = [(one.input_tokens, one.output_tokens) for one in usage.request_usage_entries]
    assert each == [(10, 2), (20, 3), (30, 4)]


@pytest.mark.parametrize("said", [None, {}, {"total_tokens": 5}, {"prompt_tokens": None}])
async def test_a_provider_that_does_not_count_is_counted_as_a_request(said: Any) -> None:
    body = {
        "id": "c",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": "hi"}}],
        "usage": said,
    }
    usage = await cost(json_answer(body), streamed=False)
    assert usage.requests == 1
    assert usage.output_tokens == 0
