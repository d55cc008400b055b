"""A streamed chat completion told as events of the Responses API."""

from __future__ import annotations

import json
from typing import cast

from openai.types.responses import ResponseCompletedEvent, ResponseTextDeltaEvent

from handfast.agents.raw import to_wire
from handfast.models.answer import Exchange
from handfast.models.chat_response import chat_response
from handfast.models.chat_stream import ChatStream
from handfast.models.origin import Origin
from handfast.models.sse import ServerSentEvent

EXCHANGE = Exchange(Origin("example.com", "m"), 1, 200)

Event = dict[str, object]


def told(*deltas: object, finish: str = "stop") -> list[object]:
    """The events of a stream, as an observer gets them."""
    seen: list[object] = []
    stream = ChatStream(EXCHANGE, seen.append)
    end: object = None
    for delta in [*deltas, end]:
        choice: Event = {"index": 0, "delta": delta, "finish_reason": None if delta else finish}
        event: Event = {"id": "chatcmpl-1", "model": "m", "created": 1, "choices": [choice]}
        stream.on_event(ServerSentEvent(json.dumps(event)))
    body = stream.body()
    stream.finish(chat_response(body, EXCHANGE), body)
    return seen


def wire(events: list[object]) -> list[Event]:
    return [to_wire(event) for event in events]


def kinds(events: list[Event]) -> list[str]:
    return [str(event["type"]).removeprefix("response.") for event in events]


CALL = {"tool_calls": [{"index": 0, "id": "c", "function": {"name": "add", "arguments": ""}}]}
MORE = {"tool_calls": [{"index": 0, "function": {"arguments": '{"a": 1}'}}]}


def test_text_is_told_from_its_first_piece_to_the_whole_response() -> None:
    events = wire(told({"content": "Hel"}, {"content": "lo"}))
    assert kinds(events) == [
        "created",
        "output_item.added",
        "content_part.added",
        "output_text.delta",
        "output_text.delta",
        "output_text.done",
        "content_part.done",
        "output_item.done",
        "completed",
    ]
    assert [event["delta"] for event in events if "delta" in event] == ["Hel", "lo"]
    assert [event["sequence_number"] for event in events] == list(range(len(events)))


def test_events_have_the_types_that_users_know() -> None:
    events = told({"content": "Hello"})
    assert isinstance(events[3], ResponseTextDeltaEvent)
    final = events[-1]
    assert isinstance(final, ResponseCompletedEvent)
    assert final.response.output_text == "Hello"
    assert final.response.status == "completed"


def test_ids_and_positions_of_events_agree_with_the_response() -> None:
    events = wire(told({"reasoning": "hm"}, {"content": "ok"}, CALL, MORE))
    response = cast("Event", events[-1]["response"])
    output = cast("list[Event]", response["output"])
    added = [event for event in events if event["type"] == "response.output_item.added"]
    done = [event for event in events if event["type"] == "response.output_item.done"]
    assert [cast("Event", event["item"])["id"] for event in added] == [x["id"] for x in output]
    assert [event["item"] for event in done] == output
    assert [event["output_index"] for event in done] == [0, 1, 2]


def test_arguments_are_told_as_they_come() -> None:
    events = wire(told(CALL, MORE, finish="tool_calls"))
    assert kinds(events) == [
        "created",
        "output_item.added",
        "function_call_arguments.delta",
        "function_call_arguments.done",
        "output_item.done",
        "completed",
    ]
    assert events[2]["delta"] == events[3]["arguments"] == '{"a": 1}'


def test_a_custom_tool_s_input_is_told() -> None:
    call = {"index": 0, "id": "c", "custom": {"name": "calc", "input": "4 + 4"}}
    events = wire(told({"tool_calls": [call]}))
    assert kinds(events)[1:4] == [
        "output_item.added",
        "custom_tool_call_input.delta",
        "custom_tool_call_input.done",
    ]


def test_think_tags_are_told_as_reasoning_and_not_as_text() -> None:
    events = wire(told({"content": "<thi"}, {"content": "nk>hm</think>\n4"}))
    deltas = {str(event["type"]): event["delta"] for event in events if "delta" in event}
    assert deltas == {
        "response.reasoning_summary_text.delta": "hm",
        "response.output_text.delta": "4",
    }


def test_a_refusal_is_told_as_one() -> None:
    events = wire(told({"refusal": "n"}, {"refusal": "o"}))
    assert kinds(events)[3:6] == ["refusal.delta", "refusal.delta", "refusal.done"]
    assert events[5]["refusal"] == "no"


def test_a_cut_answer_ends_incomplete() -> None:
    final = wire(told({"content": "Once"}, finish="length"))[-1]
    assert final["type"] == "response.incomplete"
    response = cast("Event", final["response"])
    assert response["incomplete_details"] == {"reason": "max_output_tokens"}


def test_reasoning_without_words_is_an_item_without_deltas() -> None:
    detail = {"type": "reasoning.encrypted", "data": "x", "index": 0}
    events = wire(told({"reasoning_details": [detail]}, {"content": "4"}))
    assert "reasoning_summary_text.delta" not in kinds(events)
    assert kinds(events).count("output_item.done") == 2


def test_an_answer_that_came_whole_is_told_too() -> None:
    seen: list[object] = []
    body: Event = {
        "id": "chatcmpl-1",
        "choices": [
            {
                "index": 0,
                "message": {"content": "hi", "reasoning": "hm", "tool_calls": [
                    {"id": "c", "function": {"name": "add", "arguments": "{}"}},
                ]},
            },
        ],
    }  # fmt: skip
    stream = ChatStream(EXCHANGE, seen.append)
    stream.finish(chat_response(body, EXCHANGE), body)
    events = wire(seen)
    assert [event["delta"] for event in events if "delta" in event] == ["hm", "hi"]
    assert kinds(events).count("output_item.added") == 3


def test_half_a_letter_never_reaches_an_observer() -> None:
    for event in wire(told({"content": "\ud83d"}, {"content": "\ude00"})):
        json.dumps(event, ensure_ascii=False).encode()
