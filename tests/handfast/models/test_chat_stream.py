"""Streamed chat completions put together."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast.agents.raw import ModelResponse
from handfast.errors import (
    BadRequestError,
    ModelError,
    ProviderProtocolError,
    ProviderUnavailable,
)
from handfast.models.answer import Exchange
from handfast.models.body_reader import BodyReader
from handfast.models.chat_response import chat_response
from handfast.models.chat_stream import ChatStream
from handfast.models.json_text import object_in, objects_in
from handfast.models.origin import Origin
from handfast.models.sse import GAVE_UP, ServerSentEvent

EXCHANGE = Exchange(Origin("example.com", "m"), 1, 200)

Delta = dict[str, object]


def chunk(delta: object = None, finish: object = None, **more: object) -> dict[str, object]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {"id": "chatcmpl-1", "model": "m", "created": 1, "choices": [choice], **more}


def stream_of(*chunks: object, done: bool = True) -> bytes:
    lines = [f"data: {json.dumps(event)}\n\n" for event in chunks]
    return "".join([*lines, "data: [DONE]\n\n" if done else ""]).encode()


def read(data: bytes) -> ModelResponse:
    """The response in the bytes of a stream."""
    stream = ChatStream(EXCHANGE, None)
    reader = BodyReader(stream.on_event, event_stream=True)
    reader.feed(data)
    reader.finish()
    return chat_response(stream.body(), EXCHANGE)


def message_of(*deltas: object, finish: object = "stop") -> dict[str, object]:
    stream = ChatStream(EXCHANGE, None)
    for event in [*map(chunk, deltas), chunk({}, finish)]:
        stream.on_event(ServerSentEvent(json.dumps(event)))
    return dict(object_in(objects_in(stream.body(), "choices")[0], "message"))


def test_pieces_of_text_become_one_message() -> None:
    message = message_of(
        {"role": "assistant", "content": ""}, {"content": "Hel"}, {"content": "lo"}
    )
    assert message == {"role": "assistant", "content": "Hello"}


def test_reasoning_refusal_and_details_are_gathered() -> None:
    detail: Delta = {"type": "reasoning.text", "index": 0, "text": "h", "signature": None}
    message = message_of(
        {"reasoning_content": "h", "reasoning_details": [detail]},
        {
            "reasoning_content": "m",
            "reasoning_details": [{**detail, "text": "m", "signature": "s"}],
        },
        {"reasoning_details": [{"type": "reasoning.encrypted", "index": 0, "data": "x"}]},
        {"refusal": "n"},
        {"refusal": "o", "thought_signature": "t"},
    )
    assert message["reasoning_content"] == "hm"
    assert message["refusal"] == "no"
    assert message["thought_signature"] == "t"
    assert message["reasoning_details"] == [
        {"type": "reasoning.text", "index": 0, "text": "hm", "signature": "s"},
        {"type": "reasoning.encrypted", "index": 0, "data": "x"},
    ]


def test_content_may_switch_between_text_and_parts() -> None:
    parts = [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}]
    assert message_of({"content": parts}, {"content": "4"})["content"] == [
        {"type": "thinking", "thinking": "hm"},
        {"type": "text", "text": "4"},
    ]


def test_citations_and_probabilities_are_gathered() -> None:
    token = {"token": "a", "logprob": -0.1}
    choice = {
        "index": 0,
        "delta": {"content": "a", "annotations": [{"type": "url_citation"}]},
        "logprobs": {"content": [token]},
        "finish_reason": "stop",
    }
    part = objects_in(read(stream_of({"choices": [choice]})).wire_items[0], "content")[0]
    assert part["annotations"] == [{"type": "url_citation"}]
    assert part["logprobs"] == [token]


@pytest.mark.parametrize(
    "delta",
    [
        {"function_call": {"name": "add", "arguments": "{}"}},
        {"tool_calls": {"id": "c", "function": {"name": "add", "arguments": "{}"}}},
    ],
)
def test_calls_in_unusual_places_are_found(delta: Delta) -> None:
    assert read(stream_of(chunk(delta, "stop"))).wire_items[0]["name"] == "add"


@pytest.mark.parametrize(
    "odd",
    [
        {"choices": []},
        {"choices": None},
        {"choices": [{"index": 0}]},
        {"choices": [{"index": 0, "delta": None}]},
        {"choices": [{"index": 0, "delta": {"content": None, "tool_calls": None}}]},
        {"prompt_filter_results": []},
        None,
        5,
        [],
    ],
)
def test_a_chunk_that_says_nothing_is_passed_over(odd: object) -> None:
    response = read(stream_of(odd, chunk({"content": "hi"}), odd, chunk({}, "stop")))
    assert response.output[0] == read(stream_of(chunk({"content": "hi"}, "stop"))).output[0]


def test_a_chunk_may_hold_a_message_in_place_of_a_delta() -> None:
    choice = {"index": 0, "message": {"content": "hi"}, "finish_reason": "stop"}
    assert read(stream_of({"choices": [choice]})).wire_items[0]["type"] == "message"


def test_the_last_usage_counts_and_an_empty_one_erases_nothing() -> None:
    def usage(prompt: int, completion: int) -> dict[str, object]:
        return {"prompt_tokens": prompt, "completion_tokens": completion}

    response = read(
        stream_of(
            chunk({"content": "a"}, usage=usage(10, 0)),
            chunk({"content": "b"}, usage=usage(10, 3)),
            chunk({}, "stop", usage=usage(10, 7)),
            chunk({}, usage=None),
        ),
    )
    assert (response.usage.input_tokens, response.usage.output_tokens) == (10, 7)


def test_usage_in_groq_s_place_is_found() -> None:
    last = chunk({}, "stop", x_groq={"usage": {"prompt_tokens": 5}})
    assert read(stream_of(chunk({"content": "a"}), last)).usage.input_tokens == 5


def test_a_stream_without_usage_counts_as_one_request() -> None:
    assert read(stream_of(chunk({"content": "a"}, "stop"))).usage.requests == 1


def test_of_several_choices_the_first_is_read() -> None:
    second = {"index": 1, "delta": {"content": "no"}, "finish_reason": "stop"}
    chunks = [chunk({"content": "yes"}), {"choices": [second]}, chunk({}, "stop")]
    content = read(stream_of(*chunks)).wire_items[0]["content"]
    assert isinstance(content, list)
    assert content[0]["text"] == "yes"


@pytest.mark.parametrize(("finish", "done"), [("stop", False), (None, True), ("", True)])
def test_either_a_finish_reason_or_done_ends_a_stream(finish: str | None, *, done: bool) -> None:
    chunks = [chunk({"content": "hi"}), chunk({}, finish)]
    assert read(stream_of(*chunks, done=done)).status == "completed"


def test_a_stream_with_neither_was_cut() -> None:
    with pytest.raises(ProviderProtocolError, match="cut off") as caught:
        read(stream_of(chunk({"content": "hi"}), done=False))
    assert caught.value.status == 200


def test_an_empty_stream_is_no_answer() -> None:
    with pytest.raises(ProviderProtocolError):
        read(b"")
    with pytest.raises(ProviderProtocolError, match="no choices"):
        read(stream_of())


def test_an_error_event_is_raised_with_its_status() -> None:
    data = b'event: error\ndata: {"error": {"message": "bad tool", "status_code": 400}}\n\n'
    with pytest.raises(BadRequestError, match="bad tool"):
        read(stream_of(chunk({"reasoning": "hm"}), done=False) + data)


@pytest.mark.parametrize(
    "event",
    [
        ServerSentEvent('{"error": "upstream is down"}'),
        ServerSentEvent('{"message": "upstream is down"}', "error"),
        ServerSentEvent("upstream is down", "error"),
        ServerSentEvent('{"choices": [{"error": {"message": "upstream is down"}}]}'),
    ],
)
def test_an_error_in_any_form_is_raised_with_its_words(event: ServerSentEvent) -> None:
    with pytest.raises(ProviderUnavailable, match="upstream is down"):
        ChatStream(EXCHANGE, None).on_event(event)


def test_a_server_that_gives_up_is_a_cut_stream_with_its_words() -> None:
    with pytest.raises(ProviderProtocolError, match="out of memory"):
        ChatStream(EXCHANGE, None).on_event(ServerSentEvent('{"error": "out of memory"}', GAVE_UP))


def test_a_piece_that_is_no_json_is_refused() -> None:
    with pytest.raises(ProviderProtocolError, match="no JSON"):
        ChatStream(EXCHANGE, None).on_event(ServerSentEvent("{oops"))


def test_a_letter_split_over_two_pieces_is_whole() -> None:
    data = (
        rb'data: {"choices":[{"index":0,"delta":{"content":"\ud83d"}}]}' + b"\n\n"
        rb'data: {"choices":[{"index":0,"delta":{"content":"\ude00"}}]}' + b"\n\ndata: [DONE]\n\n"
    )
    content = read(data).wire_items[0]["content"]
    assert isinstance(content, list)
    assert content[0]["text"] == "😀"


def tool(index: int, **function: object) -> dict[str, object]:
    return {"tool_calls": [{"index": index, "id": f"c{index}", "function": function}]}


CALLING: list[object] = [
    chunk({"role": "assistant", "content": "I add. 日本"}),
    chunk(tool(0, name="add", arguments="")),
    chunk(tool(0, arguments='{"a": 1, ')),
    chunk(tool(0, arguments='"b": 2}')),
    chunk(tool(1, name="add", arguments='{"a": 3, "b": 4}')),
    chunk({}, "tool_calls"),
    {"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 9}},
]


@pytest.mark.parametrize("with_finish", [True, False])
def test_a_stream_cut_at_any_byte_yields_the_whole_answer_or_none(*, with_finish: bool) -> None:
    chunks = [*CALLING] if with_finish else [*CALLING[:5], CALLING[6]]
    data = stream_of(*chunks)
    calls = [("add", '{"a": 1, "b": 2}'), ("add", '{"a": 3, "b": 4}')]
    whole = 0
    for end in range(len(data)):
        try:
            response = read(data[:end])
        except ProviderProtocolError:
            continue
        whole += 1
        items = response.wire_items
        assert [(i["name"], i["arguments"]) for i in items if "arguments" in i] == calls
    assert 0 < whole < len(data) / 2


def test_a_call_cut_by_the_length_limit_stays_broken() -> None:
    chunks = [chunk(tool(0, name="add", arguments='{"a": ')), chunk({}, "length")]
    response = read(stream_of(*chunks))
    assert response.status == "incomplete"
    assert response.wire_items[0]["arguments"] == '{"a": '


def test_an_end_told_before_a_call_is_whole_is_no_end() -> None:
    chunks = [chunk(tool(0, name="add", arguments='{"a": ')), chunk({}, "tool_calls")]
    with pytest.raises(ProviderProtocolError, match="call was cut off"):
        read(stream_of(*chunks, done=False))


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from(["", "x", "{}", "stop"]),
    lambda inner: st.lists(inner, max_size=2)
    | st.dictionaries(
        st.sampled_from(
            ["choices", "delta", "message", "content", "tool_calls", "function", "name", "id",
             "arguments", "finish_reason", "reasoning_details", "refusal", "index", "usage",
             "type", "error", "function_call", "reasoning", "logprobs", "custom", "text"],
        ),
        inner,
        max_size=4,
    ),
    max_leaves=14,
)  # fmt: skip


@given(
    chunks=st.lists(VALUES, max_size=4),
    deltas=st.lists(VALUES, max_size=2),
    done=st.booleans(),
)
def test_no_stream_is_too_odd(chunks: list[object], deltas: list[object], *, done: bool) -> None:
    seen: list[object] = []
    stream = ChatStream(EXCHANGE, seen.append)
    try:
        for event in [*chunks, *map(chunk, deltas)]:
            stream.on_event(ServerSentEvent(json.dumps(event)))
        if done:
            stream.on_event(ServerSentEvent("[DONE]"))
        body = stream.body()
        stream.finish(chat_response(body, EXCHANGE), body)
    except ModelError:
        return
