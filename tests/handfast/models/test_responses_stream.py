"""Streamed answers of the Responses API."""

from __future__ import annotations

import json

import pytest
from openai.types.responses import ResponseCompletedEvent

from handfast.agents.raw import RawView, to_wire
from handfast.errors import (
    BadRequestError,
    ProviderProtocolError,
    ProviderUnavailable,
    RateLimitError,
)
from handfast.models.answer import Exchange
from handfast.models.body_reader import BodyReader
from handfast.models.origin import MARK, Origin
from handfast.models.responses_response import responses_response
from handfast.models.responses_stream import ResponsesStream
from handfast.models.sse import GAVE_UP, ServerSentEvent

EXCHANGE = Exchange(Origin("api.openai.com", "gpt-5"), 1, 200)

Event = dict[str, object]

CALL: Event = {
    "id": "fc_1",
    "type": "function_call",
    "call_id": "c",
    "name": "add",
    "arguments": '{"a": 1, "b": 2}',
    "status": "completed",
}
RESPONSE: Event = {"id": "resp_1", "object": "response", "status": "completed", "output": [CALL]}
EVENTS: list[Event] = [
    {"type": "response.created", "response": {**RESPONSE, "status": "in_progress", "output": []}},
    {"type": "response.output_item.added", "output_index": 0, "item": {**CALL, "arguments": ""}},
    {"type": "keepalive"},
    {
        "type": "response.function_call_arguments.delta",
        "output_index": 0,
        "item_id": "another_id_each_time",
        "delta": '{"a": 1, "b": 2}',
    },
    {"type": "response.output_item.done", "output_index": 0, "item": CALL},
    {"type": "response.completed", "response": RESPONSE},
]


def stream_of(*events: Event) -> bytes:
    lines = [f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events]
    return "".join(lines).encode()


def read(data: bytes, seen: list[object] | None = None) -> list[Event]:
    """The items in the bytes of a stream."""
    stream = ResponsesStream(EXCHANGE, None if seen is None else seen.append)
    reader = BodyReader(stream.on_event, event_stream=True)
    reader.feed(data)
    reader.finish()
    body = stream.body()
    response = responses_response(body, EXCHANGE)
    stream.finish(response, body)
    return response.wire_items


def test_the_last_event_holds_the_response() -> None:
    assert read(stream_of(*EVENTS))[0] == {**CALL, MARK: EXCHANGE.origin.mark()}


def test_every_event_reaches_the_observer_with_the_type_that_users_know() -> None:
    seen: list[object] = []
    items = read(stream_of(*EVENTS), seen)
    assert [getattr(event, "type", None) for event in seen] == [event["type"] for event in EVENTS]
    assert isinstance(seen[2], RawView)
    final = seen[-1]
    assert isinstance(final, ResponseCompletedEvent)
    assert [to_wire(item) for item in final.response.output] == items


def test_items_are_gathered_where_the_last_event_leaves_them_out() -> None:
    last: Event = {"type": "response.completed", "response": {**RESPONSE, "output": []}}
    assert read(stream_of(*EVENTS[:-1], last))[0]["call_id"] == "c"


def test_a_response_may_end_incomplete() -> None:
    response = {**RESPONSE, "status": "incomplete"}
    last: Event = {"type": "response.incomplete", "response": response}
    assert len(read(stream_of(*EVENTS[:-1], last))) == 1


def test_a_stream_cut_at_any_byte_yields_the_whole_answer_or_none() -> None:
    data = stream_of(*EVENTS)
    whole = 0
    for end in range(len(data)):
        try:
            items = read(data[:end])
        except ProviderProtocolError:
            continue
        whole += 1
        assert items[0]["arguments"] == CALL["arguments"]
    assert whole < 3


def test_done_alone_is_no_end() -> None:
    with pytest.raises(ProviderProtocolError, match="cut off"):
        read(stream_of(*EVENTS[:-1]) + b"data: [DONE]\n\n")


def failed(code: str) -> Event:
    return {"type": "response.failed", "response": {"error": {"code": code, "message": "m"}}}


@pytest.mark.parametrize(
    ("event", "kind"),
    [
        ({"type": "error", "error": {"code": "rate_limit_error", "message": "m"}}, RateLimitError),
        ({"type": "error", "code": "insufficient_quota", "message": "m"}, RateLimitError),
        ({"type": "error", "code": None, "message": "m"}, ProviderUnavailable),
        (failed("server_error"), ProviderUnavailable),
        (failed("invalid_prompt"), BadRequestError),
    ],
)
def test_a_failure_is_raised_by_its_code(event: Event, kind: type[Exception]) -> None:
    with pytest.raises(kind, match=": m"):
        read(stream_of(EVENTS[0], event))


def test_the_event_s_name_counts_where_the_data_has_none() -> None:
    stream = ResponsesStream(EXCHANGE, None)
    with pytest.raises(ProviderUnavailable, match="m"):
        stream.on_event(ServerSentEvent('{"message": "m"}', "error"))


@pytest.mark.parametrize("data", ["{oops", "data"])
def test_what_is_no_json_is_refused(data: str) -> None:
    with pytest.raises(ProviderProtocolError, match="no JSON"):
        ResponsesStream(EXCHANGE, None).on_event(ServerSentEvent(data))


def test_a_server_that_gives_up_is_a_cut_stream_with_its_words() -> None:
    with pytest.raises(ProviderProtocolError, match="out of memory"):
        ResponsesStream(EXCHANGE, None).on_event(ServerSentEvent("out of memory", GAVE_UP))


def test_json_that_is_no_object_is_passed_over() -> None:
    assert ResponsesStream(EXCHANGE, None).on_event(ServerSentEvent("5")) is False


def test_half_a_letter_is_replaced() -> None:
    data = stream_of(*EVENTS).replace(b'"name": "add"', rb'"name": "add\ud83d"')
    assert read(data)[0]["name"] == "add\ufffd"


def test_an_answer_that_came_whole_is_told_at_the_end() -> None:
    seen: list[object] = []
    stream = ResponsesStream(EXCHANGE, seen.append)
    stream.finish(responses_response(RESPONSE, EXCHANGE), RESPONSE)
    assert isinstance(seen[0], ResponseCompletedEvent)
