"""Views of provider items and whole responses."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from types import MappingProxyType

import pytest
from openai.types.responses import (
    Response,
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseReasoningItem,
    ResponseTextDeltaEvent,
)
from openai.types.responses.response_usage import (
    InputTokensDetails as OpenAIInputTokensDetails,
)
from openai.types.responses.response_usage import (
    OutputTokensDetails as OpenAIOutputTokensDetails,
)

from handfast.agents.raw import ModelResponse, RawView, raw_view, response_of, to_wire, usage_of
from handfast.agents.usage import InputTokensDetails, OutputTokensDetails, RequestUsage, Usage
from handfast.errors import UserError

CALL: dict[str, object] = {
    "type": "function_call",
    "call_id": "c1",
    "name": "add",
    "arguments": '{"a":1}',
}
MESSAGE: dict[str, object] = {
    "id": "m1",
    "type": "message",
    "role": "assistant",
    "status": "completed",
    "content": [{"type": "output_text", "text": "hello", "annotations": []}],
}


def test_a_call_is_shown_as_the_openai_type() -> None:
    view = raw_view(CALL)
    assert isinstance(view, ResponseFunctionToolCall)
    assert (view.call_id, view.name, view.arguments) == ("c1", "add", '{"a":1}')


def test_nested_parts_of_a_message_are_typed_too() -> None:
    view = raw_view(MESSAGE)
    assert isinstance(view, ResponseOutputMessage)
    assert view.content[0].type == "output_text"
    assert view.content[0].text == "hello"


def test_fields_that_openai_requires_may_be_missing() -> None:
    view = raw_view({"type": "reasoning"})
    assert isinstance(view, ResponseReasoningItem)


@pytest.mark.parametrize(
    "item",
    [
        {"role": "user", "content": "hi"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "x"}]},
        {"type": "message", "role": "assistant", "content": "hi"},
        {"type": "function_call_output", "call_id": "c1", "output": "3"},
    ],
)
def test_what_a_client_writes_stays_a_dict(item: dict[str, object]) -> None:
    assert raw_view(item) is item


def test_an_unknown_kind_is_shown_as_a_plain_view() -> None:
    view = raw_view({"type": "from_the_future", "part": {"n": [1, {"m": 2}]}})
    assert isinstance(view, RawView)
    part = view.part
    assert isinstance(part, RawView)
    assert part.n == [1, {"m": 2}]
    assert part == {"n": [1, {"m": 2}]}


DELTA: dict[str, object] = {
    "type": "response.output_text.delta",
    "item_id": "m1",
    "output_index": 0,
    "content_index": 0,
    "delta": "hi",
    "logprobs": [],
    "sequence_number": 3,
}


def test_a_stream_event_is_shown_as_the_openai_type() -> None:
    view = raw_view(DELTA)
    assert isinstance(view, ResponseTextDeltaEvent)
    assert view == ResponseTextDeltaEvent.model_validate(DELTA)


def test_what_openai_does_not_know_of_an_event_is_kept() -> None:
    view = raw_view({**DELTA, "obfuscation": "x"})
    assert isinstance(view, ResponseTextDeltaEvent)
    assert to_wire(view) == {**DELTA, "obfuscation": "x"}


def test_an_event_that_lacks_a_field_is_shown_all_the_same() -> None:
    view = raw_view({"type": "response.output_text.delta", "delta": "hi"})
    assert isinstance(view, ResponseTextDeltaEvent)
    assert view.delta == "hi"


def test_an_incomplete_response_says_why() -> None:
    body: dict[str, object] = {
        "output": [],
        "status": "incomplete",
        "incomplete_details": {"reason": "max_output_tokens"},
    }
    response = response_of(body)
    assert (response.status, response.incomplete_reason) == ("incomplete", "max_output_tokens")
    assert response != ModelResponse([], Usage(requests=1))


def test_objects_pass_through_unchanged() -> None:
    view = raw_view(CALL)
    assert raw_view(view) is view


@pytest.mark.parametrize("item", [CALL, MESSAGE, {"type": "reasoning", "summary": [], "x": 1}])
def test_a_view_goes_back_to_the_wire_as_it_came(item: dict[str, object]) -> None:
    assert to_wire(raw_view(item)) == item


def test_a_dict_goes_to_the_wire_as_the_same_dict() -> None:
    assert to_wire(CALL) is CALL


def test_any_mapping_goes_to_the_wire_as_a_dict() -> None:
    assert to_wire(MappingProxyType(CALL)) == CALL


def test_foreign_entries_of_usage_become_ours() -> None:
    entry = {"input_tokens": 2, "output_tokens": 3, "input_tokens_details": {"cached_tokens": 1}}
    own = RequestUsage(1, 1, 2, InputTokensDetails(), OutputTokensDetails())
    usage = usage_of({"requests": 2, "request_usage_entries": [entry, own]})
    assert usage.request_usage_entries == [
        RequestUsage(2, 3, 5, InputTokensDetails(1), OutputTokensDetails()),
        own,
    ]


def test_a_plain_view_goes_to_the_wire_as_its_mapping() -> None:
    assert to_wire(RawView({"type": "x"})) == {"type": "x"}


def test_what_is_no_item_is_refused_with_its_type() -> None:
    with pytest.raises(UserError, match="not int"):
        to_wire(3)


def test_a_plain_view_cannot_be_changed() -> None:
    view = RawView({"a": 1})
    with pytest.raises(AttributeError):
        setattr(view, "a", 2)  # noqa: B010 - the type checkers refuse the plain form, rightly


def test_a_missing_attribute_names_those_there_are() -> None:
    with pytest.raises(AttributeError, match=r"'b'.*\['a'\]"):
        _ = RawView({"a": 1}).b


def test_a_plain_view_survives_copy_and_pickle() -> None:
    view = RawView({"a": {"b": 1}})
    assert copy.deepcopy(view) == view
    assert pickle.loads(pickle.dumps(view)) == view  # noqa: S301 - our own bytes


def test_a_plain_view_dumps_like_a_pydantic_object() -> None:
    view = RawView({"a": 1, "b": None})
    assert view.model_dump(exclude_unset=True) == {"a": 1, "b": None}
    assert view.model_dump(exclude_none=True) == {"a": 1}
    assert view.model_dump_json() == '{"a": 1, "b": null}'
    assert "RawView" in repr(view)
    assert view != 3


def test_a_response_keeps_what_it_was_given() -> None:
    typed = raw_view(MESSAGE)
    response = ModelResponse([CALL, typed], Usage(requests=1), "r1")
    assert response.wire_items[0] is CALL
    assert response.wire_items[1] == MESSAGE
    assert response.output[1] is typed
    assert isinstance(response.output[0], ResponseFunctionToolCall)
    assert response.output is response.output
    assert response.to_input_items() == [CALL, MESSAGE]


def test_responses_of_equal_content_are_equal() -> None:
    one = ModelResponse([CALL], Usage(requests=1), "r1", "q1")
    assert one == ModelResponse([raw_view(CALL)], Usage(requests=1), "r1", "q1")
    assert one != ModelResponse([CALL], Usage(requests=1), "r2", "q1")
    assert one != CALL
    assert "r1" in repr(one)


def test_usage_details_of_the_openai_package_become_ours() -> None:
    foreign = Usage(
        requests=1,
        input_tokens=5,
        output_tokens=7,
        total_tokens=12,
        input_tokens_details=OpenAIInputTokensDetails.construct(cached_tokens=3),  # type: ignore[arg-type]  # as code ported from the SDK does
        output_tokens_details=OpenAIOutputTokensDetails(reasoning_tokens=4),  # type: ignore[arg-type]  # the same
    )
    usage = ModelResponse([], foreign).usage
    assert usage.input_tokens_details == InputTokensDetails(3)
    assert usage.output_tokens_details == OutputTokensDetails(4)
    assert (usage.requests, usage.total_tokens) == (1, 12)


def test_own_usage_is_kept_as_the_same_object() -> None:
    usage = Usage(requests=2)
    assert ModelResponse([], usage).usage is usage


@pytest.mark.parametrize(
    ("given", "total"),
    [
        (None, 0),
        ({"input_tokens": 3, "output_tokens": 4}, 7),
        ({"input_tokens": 3, "output_tokens": None, "total_tokens": 9}, 9),
        ({"input_tokens": True, "output_tokens": -1, "total_tokens": 2.0}, 2),
        ({"input_tokens": "many"}, 0),
    ],
)
def test_odd_usage_is_counted_as_far_as_it_goes(given: object, total: int) -> None:
    usage = usage_of(given)
    assert (usage.requests, usage.total_tokens) == (1, total)


BODY: dict[str, object] = {
    "id": "resp_1",
    "object": "response",
    "output": [MESSAGE, CALL],
    "usage": {
        "input_tokens": 10,
        "output_tokens": 5,
        "total_tokens": 15,
        "input_tokens_details": {"cached_tokens": 2},
        "output_tokens_details": {"reasoning_tokens": 1},
    },
}


@pytest.mark.parametrize("form", [BODY, RawView(BODY), Response.model_construct(None, **BODY)])
def test_a_complete_response_is_read_in_any_form(form: object) -> None:
    response = response_of(form)
    assert response.response_id == "resp_1"
    assert response.wire_items == [MESSAGE, CALL]
    assert response.usage == Usage(
        1,
        10,
        InputTokensDetails(2),
        5,
        OutputTokensDetails(1),
        15,
    )
    assert response_of(response) is response


def test_a_response_without_output_is_refused() -> None:
    with pytest.raises(UserError, match="list 'output'"):
        response_of({"id": "x"})


def test_reading_the_wire_form_imports_no_provider_package() -> None:
    code = (
        "import sys; from handfast.agents.raw import ModelResponse;"
        "ModelResponse([{'type': 'reasoning'}]).wire_items;"
        "assert not {'openai', 'httpx', 'mcp'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=30)  # noqa: S603 - our own code


def test_without_the_openai_package_views_are_plain() -> None:
    code = (
        "import sys, importlib.util as u; find = u.find_spec;"
        "u.find_spec = lambda n, p=None: None if n == 'openai' else find(n, p);"
        "from handfast.agents.raw import raw_view, RawView;"
        "assert isinstance(raw_view({'type': 'reasoning'}), RawView)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=30)  # noqa: S603 - our own code
