from __future__ import annotations

import json

from handfast.agents.input_items import item_from_wire
from handfast.core.items import Call, Message
from handfast.testing.messages import assistant_message, function_call, refusal_message


def test_messages_are_what_a_model_writes() -> None:
    said = item_from_wire(assistant_message("你好"))
    assert isinstance(said, Message)
    assert (said.role, said.text, said.refusal) == ("assistant", "你好", "")
    refused = item_from_wire(refusal_message("no"))
    assert isinstance(refused, Message)
    assert (refused.text, refused.refusal) == ("", "no")


def test_calls_take_arguments_as_data_or_as_text() -> None:
    call = item_from_wire(function_call("t", {"q": "退款"}, call_id="c1"))
    assert isinstance(call, Call)
    assert (call.call_id, json.loads(call.arguments)) == ("c1", {"q": "退款"})
    broken = item_from_wire(function_call("t", "{not json"))
    assert isinstance(broken, Call)
    assert broken.arguments == "{not json"


def test_calls_without_an_id_get_different_ones() -> None:
    assert function_call("t")["call_id"] != function_call("t")["call_id"]
