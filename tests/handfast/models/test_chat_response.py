"""From the body of a chat completion to a response."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast.agents.raw import MADE_HERE, ModelResponse
from handfast.errors import (
    BadRequestError,
    ModelBehaviorError,
    ModelError,
    ProviderError,
    ProviderProtocolError,
)
from handfast.models.answer import Exchange
from handfast.models.chat_response import UNNAMED_TOOL, chat_response
from handfast.models.origin import MARK, Origin

ORIGIN = Origin("example.com", "m")
EXCHANGE = Exchange(ORIGIN, 1, 200, {"x-request-id": "req"})


def read(message: object, finish: object = "stop", **choice: object) -> ModelResponse:
    body: dict[str, object] = {
        "id": "chatcmpl-1",
        "choices": [{"index": 0, "message": message, "finish_reason": finish, **choice}],
        "usage": {"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7},
    }
    return chat_response(body, EXCHANGE)


def call(arguments: object = "{}", call_id: object = "c1", name: str = "add") -> dict[str, object]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def kinds(response: ModelResponse) -> list[object]:
    return [item["type"] for item in response.wire_items]


def test_words_are_a_message() -> None:
    response = read({"role": "assistant", "content": "hi"})
    item = response.wire_items[0]
    assert item["content"] == [{"type": "output_text", "text": "hi", "annotations": []}]
    assert (item["role"], item["status"]) == ("assistant", "completed")
    assert item[MARK] == {"provider": "example.com", "model": "m"}
    assert (response.usage.total_tokens, response.request_id) == (7, "req")
    assert response.response_id is None
    assert response.raw_usage == {"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7}


def test_reasoning_words_and_calls_come_in_the_order_of_thought() -> None:
    response = read(
        {"content": "ok", "reasoning_content": "hm", "tool_calls": [call()]},
        "tool_calls",
    )
    assert kinds(response) == ["reasoning", "message", "function_call"]
    assert response.wire_items[0]["summary"] == [{"type": "summary_text", "text": "hm"}]


@pytest.mark.parametrize("finish", ["stop", "tool_calls", None, "", "eos"])
def test_calls_are_calls_whatever_the_finish_reason(finish: object) -> None:
    assert kinds(read({"content": None, "tool_calls": [call()]}, finish)) == ["function_call"]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [(None, "{}"), ("", "{}"), ({"a": 1}, '{"a":1}'), ('{"a":1} ok', '{"a":1}'), ("{a", "{a")],
)
def test_arguments_become_json_text(arguments: object, text: str) -> None:
    assert read({"tool_calls": [call(arguments)]}).wire_items[0]["arguments"] == text


def test_calls_without_ids_get_ids_that_a_replay_gets_too() -> None:
    message = {"tool_calls": [call(call_id=""), call(call_id=None), call(call_id="add")]}
    ids = [item["call_id"] for item in read(message).wire_items]
    assert len(set(ids)) == 3
    assert ids[2] == "add"
    assert ids == [item["call_id"] for item in read(message).wire_items]


def test_equal_ids_become_different_and_no_call_is_lost() -> None:
    message = {"tool_calls": [call(call_id="add"), call(call_id="add"), call(call_id="add")]}
    assert len({item["call_id"] for item in read(message).wire_items}) == 3


def test_a_call_without_a_name_can_still_be_answered() -> None:
    assert read({"tool_calls": [call(name="")]}).wire_items[0]["name"] == UNNAMED_TOOL


def test_the_form_before_tool_calls_is_a_call() -> None:
    item = read({"function_call": {"name": "add", "arguments": '{"a": 1}'}}).wire_items[0]
    assert (item["type"], item["name"]) == ("function_call", "add")
    assert kinds(read({"content": "hi", "function_call": {"name": ""}})) == ["message"]


def test_a_custom_tool_is_called_with_text() -> None:
    message = {
        "tool_calls": [{"id": "c", "type": "custom", "custom": {"name": "calc", "input": "4"}}],
    }
    item = read(message).wire_items[0]
    assert (item["type"], item["input"]) == ("custom_tool_call", "4")


def test_a_refusal_is_neither_text_nor_nothing() -> None:
    response = read({"content": None, "refusal": "no"})
    assert response.wire_items[0]["content"] == [{"type": "refusal", "refusal": "no"}]


def test_think_tags_are_reasoning() -> None:
    response = read({"content": "<think>hm</think>\n4"})
    assert kinds(response) == ["reasoning", "message"]
    both = read({"content": "<think>hm</think>", "reasoning": "separate"})
    assert both.wire_items[1]["content"] == [
        {"type": "output_text", "text": "<think>hm</think>", "annotations": []},
    ]


def test_a_list_of_parts_is_thinking_and_text() -> None:
    parts = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "4"}]
    assert kinds(read({"content": parts})) == ["reasoning", "message"]


def test_what_must_go_back_is_kept() -> None:
    details = [{"type": "reasoning.text", "text": "hm", "signature": "s"}]
    signed = {**call(), "extra_content": {"google": 1}}
    response = read({"reasoning_details": details, "tool_calls": [signed]})
    reasoning, item = response.wire_items
    assert reasoning["summary"] == [{"type": "summary_text", "text": "hm"}]
    assert reasoning[MARK] == ORIGIN.mark(message={"reasoning_details": details})
    assert item[MARK] == ORIGIN.mark(call={"extra_content": {"google": 1}}, item_id=MADE_HERE)


def test_only_the_key_that_a_provider_wants_back_is_remembered() -> None:
    wanted = read({"content": "4", "reasoning_content": "hm"}).wire_items[0]
    other = read({"content": "4", "reasoning": "hm"}).wire_items[0]
    assert wanted[MARK] == ORIGIN.mark(text_key="reasoning_content")
    assert other[MARK] == ORIGIN.mark()


def test_citations_and_probabilities_are_kept() -> None:
    cited = {"type": "url_citation", "url_citation": {"url": "https://x", "start_index": 0}}
    message = {"content": "hi", "annotations": [cited, "odd"]}
    tokens = [{"token": "hi", "logprob": -0.1}]
    part = read(message, logprobs={"content": tokens}).wire_items[0]["content"]
    assert isinstance(part, list)
    assert part[0]["annotations"] == [
        {"type": "url_citation", "url": "https://x", "start_index": 0},
        "odd",
    ]
    assert part[0]["logprobs"] == tokens


def test_an_empty_answer_is_told_from_one_beside_calls() -> None:
    assert kinds(read({"content": ""})) == ["message"]
    assert kinds(read({"content": "", "tool_calls": [call()]})) == ["function_call"]
    assert kinds(read({"content": None})) == []


def test_a_cut_text_is_incomplete() -> None:
    response = read({"content": "Once upon"}, "length")
    assert (response.status, response.incomplete_reason) == ("incomplete", "max_output_tokens")
    assert response.wire_items[0]["status"] == "incomplete"


def test_a_cut_call_is_given_out_broken_and_never_whole() -> None:
    message = {"tool_calls": [call('{"a": 1}'), call('{"a": ')]}
    first, last = read(message, "length").wire_items
    assert (first["arguments"], first["status"]) == ('{"a": 1}', "completed")
    assert (last["arguments"], last["status"]) == ('{"a": ', "incomplete")
    nothing = read({"tool_calls": [call("")]}, "length").wire_items[0]
    assert nothing["arguments"] == "{"


def test_an_answer_cut_before_its_first_word_is_no_empty_success() -> None:
    with pytest.raises(ModelBehaviorError, match="max_tokens"):
        read({"content": ""}, "length")


def test_a_filter_that_left_nothing_is_an_error_that_says_so() -> None:
    body: dict[str, object] = {"choices": [{"finish_reason": "content_filter", "index": 0}]}
    with pytest.raises(BadRequestError) as caught:
        chat_response(body, EXCHANGE)
    assert caught.value.code == "content_filter"
    partly = read({"content": "Once"}, "content_filter")
    assert partly.incomplete_reason == "content_filter"


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"choices": []},
        {"choices": None},
        {"choices": [None]},
        {"choices": [{"index": 0, "finish_reason": "stop"}]},
        {"object": "list", "data": []},
    ],
)
def test_what_is_no_completion_is_refused_with_advice(body: dict[str, object]) -> None:
    with pytest.raises(ProviderProtocolError, match="base_url") as caught:
        chat_response(body, EXCHANGE)
    assert (caught.value.status, caught.value.request_id) == (200, "req")


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"message": "upstream is down", "code": 502}},
        {"choices": [], "error": "upstream is down"},
        {"choices": [{"index": 0, "error": {"message": "upstream is down", "code": 502}}]},
    ],
)
def test_an_error_in_a_success_is_raised_with_its_words(body: dict[str, object]) -> None:
    with pytest.raises(ProviderError, match="upstream is down"):
        chat_response(body, EXCHANGE)


def test_of_several_choices_the_first_is_the_answer() -> None:
    body: dict[str, object] = {
        "choices": [
            {"index": 1, "message": {"content": "second"}},
            {"index": 0, "message": {"content": "first"}},
        ],
    }
    content = chat_response(body, EXCHANGE).wire_items[0]["content"]
    assert isinstance(content, list)
    assert content[0]["text"] == "first"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["", "x", "{}", "length"]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(
            ["choices", "message", "content", "tool_calls", "function", "custom", "name", "id",
             "arguments", "finish_reason", "reasoning_details", "refusal", "index", "logprobs",
             "annotations", "usage", "type", "error", "function_call"],
        ),
        inner,
        max_size=5,
    ),
    max_leaves=20,
)  # fmt: skip


@given(JSON)
def test_no_message_is_too_odd(message: object) -> None:
    try:
        response = read(message)
    except ModelError:
        return
    ids = [item["call_id"] for item in response.wire_items if "call_id" in item]
    assert len(ids) == len(set(ids))
    assert "" not in ids


@given(st.dictionaries(st.sampled_from(["choices", "usage", "id", "error"]), JSON))
def test_no_body_is_too_odd(body: dict[str, object]) -> None:
    try:
        chat_response(body, EXCHANGE)
    except ModelError:
        return
