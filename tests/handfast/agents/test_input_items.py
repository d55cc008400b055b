"""From the wire to the core and back."""

from __future__ import annotations

import json
from collections import OrderedDict
from types import MappingProxyType

import pytest
from hypothesis import given
from openai.types.responses import ResponseFunctionToolCall, ResponseInputItemParam
from pydantic import TypeAdapter

from conversations import ANYTHING, ITEM, answered, called, returned, said, thought
from handfast.agents.input_items import (
    MOVED,
    RECORDS,
    call_id_of,
    given_items,
    input_to_items,
    is_call,
    is_model_made,
    is_output,
    item_from_wire,
    items_to_wire,
    own_id_of,
    refusal_of,
    text_of,
    user_message,
    wire_from_item,
    wire_role,
)
from handfast.agents.raw import FAKE_RESPONSES_ID, MADE_HERE, RawView
from handfast.core.items import Call, HandoffResult, Message, Opaque, Reasoning, Result
from handfast.errors import UserError


def test_the_usual_items_are_known_by_their_kind() -> None:
    raw = called("c1", "add", '{"a":1}')
    assert item_from_wire(raw, "A") == Call("c1", "add", '{"a":1}', raw, "A")
    custom = {"type": "custom_tool_call", "call_id": "c2", "name": "run_sql", "input": "select 1"}
    assert item_from_wire(custom, "A") == Call("c2", "run_sql", "select 1", custom, "A")
    assert item_from_wire(returned("c1", "3")) == Result("c1", returned("c1", "3"), value="3")
    assert item_from_wire(thought(), "A") == Reasoning(thought(), "A")
    assert item_from_wire(answered("hi")) == Message("assistant", "hi", answered("hi"))
    assert item_from_wire(said("user", "hi")) == Message("user", "hi", said("user", "hi"))


@pytest.mark.parametrize(
    ("wire", "role"),
    [
        ({"type": "code_interpreter_call", "id": "ci1"}, "call"),
        ({"type": "mcp_call", "id": "m1"}, "call"),
        ({"type": "some_future_tool_call", "id": "f1"}, "call"),
        ({"type": "mcp_approval_request", "id": "a1"}, "call"),
        ({"type": "server_tool_use", "id": "s1"}, "call"),
        ({"type": "surprise", "call_id": "c1", "input": "x"}, "call"),
        ({"type": "custom_tool_call_output", "call_id": "c2", "output": "1"}, "output"),
        ({"type": "mcp_approval_response", "approval_request_id": "a1"}, "output"),
        ({"type": "web-search-tool-result", "tool_use_id": "s1"}, "output"),
        ({"type": "mcp_list_tools", "tools": []}, "output"),
        ({"type": "surprise", "call_id": "c1", "output": "x"}, "output"),
        ({"type": "compaction", "id": "cmp_1"}, "other"),
        ({"type": "item_reference", "id": "msg_1"}, "other"),
        ({"type": "message", "role": "critic", "content": "x"}, "other"),
        ({"type": "message", "content": "x"}, "other"),
        ({"role": 7}, "other"),
        ({"type": ["odd"]}, "other"),
        ({}, "other"),
    ],
)
def test_unknown_kinds_are_told_apart_by_their_structure(
    wire: dict[str, object], role: str
) -> None:
    item = item_from_wire(wire, "A")
    assert isinstance(item, Opaque)
    assert (item.role, item.raw, item.agent) == (role, wire, "A")


def test_words_and_reasoning_have_no_part_in_calling() -> None:
    assert wire_role(said("user", "x")) == wire_role(thought()) == "other"
    assert wire_role(called("c")) == "call"
    assert wire_role(returned("c")) == "output"


def test_objects_and_views_are_items_too() -> None:
    typed = ResponseFunctionToolCall(type="function_call", call_id="c1", name="add", arguments="{}")
    for form in (typed, RawView(called("c1", "add")), MappingProxyType(called("c1", "add"))):
        item = item_from_wire(form)
        assert isinstance(item, Call)
        assert (item.call_id, item.name, item.arguments) == ("c1", "add", "{}")


def test_arguments_sent_as_an_object_become_json_text() -> None:
    item = item_from_wire({"type": "function_call", "call_id": "c", "arguments": {"城": "北京"}})
    assert isinstance(item, Call)
    assert item.arguments == '{"城": "北京"}'
    assert item.name == ""


def test_a_call_without_an_id_keeps_an_empty_one() -> None:
    item = item_from_wire({"type": "function_call", "call_id": None, "name": "f"})
    assert isinstance(item, Call)
    assert (item.call_id, item.arguments) == ("", "")


def test_the_text_of_content_is_its_parts_joined() -> None:
    assert text_of("plain") == "plain"
    assert (
        text_of([{"type": "input_text", "text": "a"}, "b", {"type": "output_text", "text": "c"}])
        == "abc"
    )
    assert text_of({"type": "input_text", "text": "alone"}) == "alone"
    assert text_of([{"type": "input_image", "image_url": "x"}, 5, None]) == ""
    assert text_of(None) == text_of(5) == text_of(b"x") == ""


def test_a_refusal_is_no_text() -> None:
    content = [{"type": "refusal", "refusal": "no"}, {"type": "output_text", "text": "t"}]
    item = item_from_wire({"role": "assistant", "content": content})
    assert isinstance(item, Message)
    assert (item.text, item.refusal) == ("t", "no")
    assert refusal_of("no") == ""


def test_what_a_provider_would_refuse_in_input_is_left_out() -> None:
    wire = {**answered("hi"), "status": None}
    back = wire_from_item(item_from_wire(wire))
    assert "status" not in back
    assert back["id"] == "msg_1"
    assert wire["status"] is None


def test_a_wire_form_with_nothing_to_leave_out_is_not_copied() -> None:
    wire = answered("hi")
    assert wire_from_item(item_from_wire(wire)) is wire


def test_text_is_one_user_message() -> None:
    assert input_to_items("hello") == (user_message("hello"),)
    assert items_to_wire(input_to_items("hello")) == [{"role": "user", "content": "hello"}]


def test_a_list_is_read_item_by_item() -> None:
    assert [type(item) for item in input_to_items([said("user", "a"), thought(), called("c")])] == [
        Message,
        Reasoning,
        Call,
    ]
    assert input_to_items([]) == ()
    assert input_to_items((OrderedDict(said("user", "a")),)) == (
        Message("user", "a", said("user", "a")),
    )


@pytest.mark.parametrize("wrong", [None, 5, b"hello", {"role": "user"}, {1, 2}, iter("ab")])
def test_input_that_cannot_be_is_refused_with_what_would_do(wrong: object) -> None:
    with pytest.raises(UserError, match="must be a str or a list of input items"):
        input_to_items(wrong)


@pytest.mark.parametrize("wrong", ["text", None, 5, [said("user", "nested")]])
def test_an_element_that_is_no_item_is_named_by_its_index(wrong: object) -> None:
    with pytest.raises(UserError, match=r"input\[1\] must be a mapping"):
        input_to_items([said("user", "a"), wrong])


def test_roles_are_seen_in_the_core_items() -> None:
    raw: dict[str, object] = {}
    call, result = Call("c", "n", "", raw), Result("c", raw)
    handed = HandoffResult("h", raw, "A", "B")
    search = Opaque("web_search_call", "call", {"id": "ws"})
    custom = Opaque("custom_tool_call_output", "output", {"call_id": "c2"})
    other = Opaque("compaction", "other", {"call_id": "x"})
    assert [is_call(i) for i in (call, result, search, custom, other)] == [
        True,
        False,
        True,
        False,
        False,
    ]
    assert [is_output(i) for i in (call, result, handed, custom, other)] == [
        False,
        True,
        True,
        True,
        False,
    ]
    assert [call_id_of(i) for i in (call, result, handed, search, custom, other)] == [
        "c",
        "c",
        "h",
        "",
        "c2",
        "",
    ]
    assert [is_model_made(i) for i in (call, result, handed, search)] == [True, False, False, True]
    assert not is_model_made(custom)
    assert is_model_made(Opaque("mcp_list_tools", "output", {"id": "l1"}))
    assert not is_model_made(user_message("x"))
    assert is_model_made(Message("assistant", "x", raw))
    assert is_model_made(Reasoning(raw))


@given(ANYTHING)
def test_no_object_is_refused_for_what_is_in_it(wire: dict[str, object]) -> None:
    item = item_from_wire(wire, "A")
    assert item.raw is wire
    assert item.agent == "A"


@given(ITEM)
def test_an_item_survives_the_way_there_and_back(wire: dict[str, object]) -> None:
    item = item_from_wire(wire)
    assert wire_from_item(item) == wire
    assert item_from_wire(json.loads(json.dumps(wire_from_item(item)))) == item


def test_input_that_pydantic_has_validated_is_read_whole() -> None:
    given = {"role": "user", "content": [{"type": "input_text", "text": "hi"}]}
    adapter = TypeAdapter(list[ResponseInputItemParam])
    items = input_to_items(adapter.validate_python([given]))
    assert items_to_wire(items) == [given]
    assert isinstance(items[0], Message)
    assert items[0].text == "hi"
    assert json.loads(json.dumps(items_to_wire(items))) == [given]


@pytest.mark.parametrize(
    ("raw", "own"),
    [
        ({"id": "fc_9"}, "fc_9"),
        ({"id": "c1"}, None),
        ({"id": "fc_c1"}, None),
        ({"id": "item-1"}, None),
        ({"id": "item-11"}, "item-11"),
        ({"id": FAKE_RESPONSES_ID}, None),
        ({"id": "fc_9", "provider_data": {"item_id": MADE_HERE}}, None),
        ({"id": "fc_9", "provider_data": {"model": "m"}}, "fc_9"),
        ({"id": ""}, None),
        ({}, None),
        (None, None),
    ],
)
def test_an_item_has_an_id_of_its_own_where_that_is_not_made_of_the_calls(
    raw: object,
    own: str | None,
) -> None:
    assert own_id_of(raw, "c1") == own
    assert own_id_of(raw, "") is None


def test_what_comes_from_outside_has_no_keys_of_ours() -> None:
    told = {"role": "user", "content": "hi"}
    (item,) = given_items([{**told, RECORDS: [told], MOVED: True}])
    assert item.raw == told
    assert given_items("hi") == input_to_items("hi")
