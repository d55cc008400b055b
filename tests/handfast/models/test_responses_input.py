"""A conversation as input of the Responses API."""

from __future__ import annotations

import json

import pytest

from handfast.agents.raw import FAKE_RESPONSES_ID
from handfast.models.origin import MARK, Origin
from handfast.models.responses_input import responses_input

HERE = Origin("api.openai.com", "gpt-5")
ELSEWHERE = Origin("api.deepseek.com", "deepseek-chat")

Item = dict[str, object]


def sent(*items: Item, keeps: bool = True, strict: bool = False) -> list[Item]:
    told = responses_input(items, HERE, keeps_reasoning=keeps, strict_order=strict)
    return [dict(item) for item in told]


def thought(item_id: str = "rs_1", origin: Origin | None = HERE, **more: object) -> Item:
    mark: Item = {} if origin is None else {MARK: origin.mark()}
    return {"id": item_id, "type": "reasoning", "summary": [], **more, **mark}


def call(call_id: str = "c", origin: Origin = HERE, **more: object) -> Item:
    return {
        "id": f"fc_{call_id}",
        "type": "function_call",
        "call_id": call_id,
        "name": "add",
        "arguments": "{}",
        MARK: origin.mark(),
        **more,
    }


def result(call_id: str = "c") -> Item:
    return {"type": "function_call_output", "call_id": call_id, "output": "3"}


def said(text: str = "ok", **more: object) -> Item:
    content = [{"type": "output_text", "text": text}]
    return {"id": "msg_1", "type": "message", "role": "assistant", "content": content, **more}


def test_text_is_a_message_of_the_user() -> None:
    told = responses_input("hi", HERE, keeps_reasoning=True, strict_order=False)
    assert told == [{"role": "user", "content": "hi"}]


def test_own_reasoning_goes_back_verbatim_before_what_it_belongs_to() -> None:
    encrypted = thought(encrypted_content="x", content=[])
    told = sent(encrypted, call(), result())
    assert told == [
        {"id": "rs_1", "type": "reasoning", "summary": [], "encrypted_content": "x", "content": []},
        {"id": "fc_c", "type": "function_call", "call_id": "c", "name": "add", "arguments": "{}"},
        result(),
    ]


@pytest.mark.parametrize("origin", [ELSEWHERE, Origin("api.openai.com", "gpt-4.1")])
def test_another_model_s_reasoning_is_left_out_and_its_followers_lose_their_ids(
    origin: Origin,
) -> None:
    told = sent(thought(origin=origin), said(), call(origin=origin), result())
    assert [item.get("type") for item in told] == [
        "message",
        "function_call",
        "function_call_output",
    ]
    assert not any("id" in item for item in told)


def test_reasoning_of_unknown_origin_is_the_user_s_own_business() -> None:
    assert sent(thought(origin=None), said())[0]["type"] == "reasoning"


def test_what_lost_its_reasoning_to_an_edit_loses_its_id() -> None:
    assert "id" not in sent(said())[0]
    told = sent(thought(), said(), {"role": "user", "content": "and?"}, said())
    assert ["id" in item for item in told] == [True, True, False, False]


def test_reasoning_that_only_the_server_holds_is_left_out_where_it_stores_nothing() -> None:
    assert [item["type"] for item in sent(thought(), call(), keeps=False)] == ["function_call"]
    assert len(sent(thought(encrypted_content="x"), call(), keeps=False)) == 2
    plain = thought(content=[{"type": "reasoning_text", "text": "hm"}])
    assert len(sent(plain, call(), keeps=False)) == 2


def test_empty_keys_and_marks_are_not_sent() -> None:
    told = sent({"type": "message", "role": "user", "content": "x", "status": None, MARK: {}})
    assert told == [{"type": "message", "role": "user", "content": "x"}]


def test_the_ids_of_other_items_stay() -> None:
    search: Item = {"id": "ws_1", "type": "web_search_call", "status": "completed"}
    assert sent(search) == [search]


def test_bad_arguments_go_back_as_json() -> None:
    arguments = sent(call(arguments="{oops"), result())[0]["arguments"]
    assert json.loads(str(arguments)) == {"invalid_arguments": "{oops"}


def test_strict_servers_get_words_before_the_calls_of_a_turn() -> None:
    items = [call("a"), said("two"), call("b"), result("a"), result("b"), said("done")]
    told = sent(*items, strict=True)
    assert [item["type"] for item in told] == [
        "message",
        "function_call",
        "function_call",
        "function_call_output",
        "function_call_output",
        "message",
    ]
    assert [item["type"] for item in sent(*items)][:2] == ["function_call", "message"]
    assert len(sent(call("a"), strict=True)) == 1


def test_an_id_that_only_stood_in_for_one_is_not_sent() -> None:
    assert "id" not in sent(said(id=FAKE_RESPONSES_ID))[0]
    assert "id" not in sent({**result(), "id": FAKE_RESPONSES_ID})[0]
    assert sent({**result(), "id": "fco_1"})[0]["id"] == "fco_1"
