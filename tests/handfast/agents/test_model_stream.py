from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from types import SimpleNamespace

import pytest

from handfast.agents.model_stream import FAILED_EVENTS, read_stream
from handfast.errors import ModelBehaviorError, ProviderProtocolError
from handfast.testing.messages import assistant_message, function_call

HI = assistant_message("hi")
DONE: dict[str, object] = {"type": "response.completed", "response": {"id": "r", "output": [HI]}}


def finished(index: int, item: object) -> dict[str, object]:
    return {"type": "response.output_item.done", "output_index": index, "item": item}


async def stream(*events: object) -> AsyncIterator[object]:
    for event in events:
        yield event


async def test_the_answer_is_that_of_the_last_event_and_every_event_is_told() -> None:
    told: list[object] = []
    answer = await read_stream(stream(finished(0, function_call("other")), DONE), told.append)
    assert [item["type"] for item in answer.wire_items] == ["message"]
    assert answer.response_id == "r"
    assert told[-1] is DONE
    assert len(told) == 2


async def test_an_answer_that_names_no_items_has_those_that_came() -> None:
    calls = [function_call("first", call_id="c1"), function_call("second", call_id="c2")]
    empty: dict[str, object] = {**DONE, "response": {"id": "r", "output": list[object]()}}
    events = [SimpleNamespace(**finished(n, call)) for n, call in enumerate(calls)]
    answer = await read_stream(stream(*events, empty), lambda _: None)
    assert [item["name"] for item in answer.wire_items] == ["first", "second"]
    assert answer.response_id == "r"


@pytest.mark.parametrize("kind", sorted(FAILED_EVENTS))
async def test_a_failure_names_its_event_and_closes_the_stream_where_it_was_read(kind: str) -> None:
    closed_by: list[object] = []

    async def failing() -> AsyncIterator[object]:
        try:
            yield SimpleNamespace(type=kind, message="no more today")
            yield DONE
        finally:
            closed_by.append(asyncio.current_task())

    told: list[object] = []
    with pytest.raises(ModelBehaviorError, match=f"'{kind}': no more today"):
        await read_stream(failing(), told.append)
    assert closed_by == [asyncio.current_task()]
    assert len(told) == 1


@pytest.mark.parametrize(
    "response",
    [
        {"error": {"message": "overloaded"}},
        {"error": None, "incomplete_details": {"reason": "overloaded"}},
    ],
)
async def test_a_failure_says_what_the_response_says(response: dict[str, object]) -> None:
    with pytest.raises(ModelBehaviorError, match="overloaded"):
        await read_stream(
            stream({"type": "response.failed", "response": response}),
            lambda _: None,
        )


async def test_a_stream_that_just_ends_is_no_answer() -> None:
    with pytest.raises(ProviderProtocolError, match="without a complete response"):
        await read_stream(stream(finished(0, HI)), lambda _: None)
