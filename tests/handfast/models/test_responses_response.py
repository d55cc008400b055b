"""From the body of a Responses API answer to a response."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast.errors import (
    ModelBehaviorError,
    ModelError,
    ProviderProtocolError,
    ProviderUnavailable,
    RateLimitError,
)
from handfast.models.answer import Exchange
from handfast.models.origin import MARK, Origin, without_mark
from handfast.models.responses_response import responses_response

ORIGIN = Origin("api.openai.com", "gpt-5")
EXCHANGE = Exchange(ORIGIN, 1, 200, {"x-request-id": "req"})

Body = dict[str, object]


def body(*output: object, status: str = "completed", **more: object) -> Body:
    return {"id": "resp_1", "status": status, "error": None, "output": list(output), **more}


def call(call_id: object = "c", arguments: object = "{}", **more: object) -> Body:
    item = {"type": "function_call", "call_id": call_id, "name": "f", "arguments": arguments}
    return {**item, **more}


MESSAGE: Body = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "status": "completed",
    "content": [{"type": "output_text", "text": "hi", "annotations": []}],
}


def test_items_are_kept_as_they_came_and_marked() -> None:
    odd: Body = {"type": "from_the_future", "deep": {"x": [1]}}
    response = responses_response(body(MESSAGE, odd), EXCHANGE)
    assert [without_mark(item) for item in response.wire_items] == [MESSAGE, odd]
    assert all(item[MARK] == ORIGIN.mark() for item in response.wire_items)
    assert (response.response_id, response.request_id) == ("resp_1", "req")


def test_usage_is_counted_and_kept() -> None:
    usage = {"input_tokens": 3, "output_tokens": 4, "total_tokens": 7, "cost": 0.1}
    response = responses_response(body(MESSAGE, usage=usage), EXCHANGE)
    assert (response.usage.requests, response.usage.total_tokens) == (1, 7)
    assert response.raw_usage == usage


def test_ids_and_arguments_of_calls_are_made_whole() -> None:
    output = [call("", None), call("x", {"a": 1}), call("x"), call(None, '{"a": 1} ok')]
    items = responses_response(body(*output), EXCHANGE).wire_items
    assert len({item["call_id"] for item in items}) == 4
    assert [item["arguments"] for item in items] == ["{}", '{"a":1}', "{}", '{"a": 1}']


def test_an_incomplete_response_says_why_and_its_last_call_is_not_run() -> None:
    response = responses_response(
        body(
            call("a"),
            call("b", ""),
            status="incomplete",
            incomplete_details={"reason": "max_output_tokens"},
        ),
        EXCHANGE,
    )
    assert (response.status, response.incomplete_reason) == ("incomplete", "max_output_tokens")
    assert [item["arguments"] for item in response.wire_items] == ["{}", "{"]
    unknown = responses_response(body(MESSAGE, status="incomplete"), EXCHANGE)
    assert unknown.incomplete_reason == "unknown"


def test_a_response_cut_while_thinking_is_no_empty_success() -> None:
    thinking: Body = {"type": "reasoning", "summary": []}
    with pytest.raises(ModelBehaviorError, match="cut"):
        responses_response(body(thinking, status="incomplete"), EXCHANGE)


@pytest.mark.parametrize("status", ["queued", "in_progress", "cancelled"])
def test_a_response_that_is_not_there_yet_is_refused(status: str) -> None:
    with pytest.raises(ProviderProtocolError, match=status):
        responses_response(body(status=status), EXCHANGE)


@pytest.mark.parametrize("odd", [{}, {"output": None}, {"choices": []}])
def test_what_is_no_response_is_refused_with_advice(odd: Body) -> None:
    with pytest.raises(ProviderProtocolError, match="OpenAIChatCompletionsModel"):
        responses_response(odd, EXCHANGE)


def test_a_failed_response_is_raised_by_its_code() -> None:
    error = {"code": "rate_limit_exceeded", "message": "slow down"}
    with pytest.raises(RateLimitError, match="slow down"):
        responses_response(body(status="failed", error=error), EXCHANGE)
    with pytest.raises(ProviderUnavailable):
        responses_response(body(status="failed"), EXCHANGE)


JSON = st.recursive(
    st.none() | st.integers(-2, 2) | st.sampled_from(["", "completed", "incomplete", "message"]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(["output", "status", "error", "type", "call_id", "arguments", "usage",
                         "content", "incomplete_details", "reason", "id", "name"]),
        inner,
        max_size=4,
    ),
    max_leaves=14,
)  # fmt: skip


@given(st.dictionaries(st.sampled_from(["output", "status", "error", "usage", "id"]), JSON))
def test_no_body_is_too_odd(odd: Body) -> None:
    try:
        responses_response(odd, EXCHANGE)
    except ModelError:
        return


def test_the_same_item_twice_keeps_its_ids_for_the_run_to_judge() -> None:
    output = [call("x", id="fc_1"), call("x", id="fc_1"), call("x", id="fc_2")]
    items = responses_response(body(*output), EXCHANGE).wire_items
    assert [item["call_id"] for item in items][:2] == ["x", "x"]
    assert items[2]["call_id"] != "x"
