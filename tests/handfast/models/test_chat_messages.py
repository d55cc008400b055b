"""From items of a conversation to messages of the chat protocol."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast.agents.raw import raw_view
from handfast.errors import UserError
from handfast.models.chat_dialect import OPENAI, ChatDialect
from handfast.models.chat_messages import EMPTY_OUTPUT, chat_messages
from handfast.models.origin import MARK, Origin

HERE = Origin("api.deepseek.com", "deepseek-chat")
COMMON = ChatDialect()

Item = dict[str, object]


def call(call_id: str, name: str = "add", arguments: str = "{}", **more: object) -> Item:
    item = {"type": "function_call", "call_id": call_id, "name": name, "arguments": arguments}
    return {**item, **more}


def result(call_id: str, output: object = "3") -> Item:
    return {"type": "function_call_output", "call_id": call_id, "output": output}


def said(text: str, **more: object) -> Item:
    content = [{"type": "output_text", "text": text}]
    return {"type": "message", "role": "assistant", "content": content, **more}


def asked(text: str = "hi") -> Item:
    return {"role": "user", "content": text}


def messages(*items: Item, origin: Origin = HERE, dialect: ChatDialect = COMMON) -> list[Item]:
    return chat_messages(items, origin, dialect)


def called(message: Item) -> list[Item]:
    return cast("list[Item]", message["tool_calls"])


def test_text_is_a_message_of_the_user() -> None:
    assert chat_messages("hi", HERE, COMMON) == [{"role": "user", "content": "hi"}]


def test_words_and_calls_of_a_turn_are_one_message_and_the_answers_follow_in_call_order() -> None:
    told = messages(asked(), said("ok"), call("a"), call("b"), result("b", "2"), result("a", "1"))
    assert [message["role"] for message in told] == ["user", "assistant", "tool", "tool"]
    assert told[1]["content"] == "ok"
    assert called(told[1])[0] == {
        "id": "a",
        "type": "function",
        "function": {"name": "add", "arguments": "{}"},
    }
    assert [(m["tool_call_id"], m["content"]) for m in told[2:]] == [("a", "1"), ("b", "2")]


def test_an_answer_is_found_wherever_it_stands() -> None:
    told = messages(call("a"), asked("and?"), call("b"), result("b"), result("a"))
    assert [message["role"] for message in told] == [
        "assistant",
        "tool",
        "user",
        "assistant",
        "tool",
    ]


def test_words_after_the_calls_of_a_turn_do_not_part_them_from_their_answers() -> None:
    told = messages(said("one"), call("a"), said("two"), call("b"), result("a"), result("b"))
    assert [message["role"] for message in told] == ["assistant", "tool", "tool"]
    assert told[0]["content"] == "one\ntwo"


def test_two_messages_of_one_answer_stay_two() -> None:
    told = messages(said("one"), said("two"))
    assert [message["content"] for message in told] == ["one", "two"]


def test_an_assistant_s_words_may_be_plain_text_or_odd_parts() -> None:
    plain: Item = {"role": "assistant", "content": "ok"}
    odd: Item = {"role": "assistant", "content": [{"type": "output_text"}, "x", {"type": "new"}]}
    assert [message["content"] for message in messages(plain, odd)] == ["ok", ""]


def test_an_id_that_is_used_again_in_a_later_turn_pairs_in_order() -> None:
    told = messages(call("call_0"), result("call_0", "1"), call("call_0"), result("call_0", "2"))
    assert [message.get("content") for message in told] == [None, "1", None, "2"]


def test_equal_ids_in_one_turn_go_out_different() -> None:
    told = messages(call("x"), call("x"), result("x", "1"), result("x", "2"))
    ids = [entry["id"] for entry in called(told[0])]
    assert ids == ["x", "x_2"]
    assert [(m["tool_call_id"], m["content"]) for m in told[1:]] == [("x", "1"), ("x_2", "2")]


def test_a_call_without_an_answer_is_refused_with_its_id() -> None:
    with pytest.raises(UserError, match=r"'add' with id 'a' but no output"):
        messages(call("a"))


def test_an_answer_without_a_call_is_refused_with_its_id() -> None:
    with pytest.raises(UserError, match="output for 'a' but no such call"):
        messages(result("a"))


@pytest.mark.parametrize("output", ["", [], None])
def test_an_empty_answer_is_a_text_that_strict_servers_take(output: object) -> None:
    assert messages(call("a"), result("a", output))[1]["content"] == EMPTY_OUTPUT


def test_bad_arguments_go_back_as_json() -> None:
    told = messages(call("a", arguments="{oops"), result("a"))
    function = cast("Mapping[str, str]", called(told[0])[0]["function"])
    assert json.loads(function["arguments"]) == {"invalid_arguments": "{oops"}


def test_custom_tools_are_called_with_text() -> None:
    item: Item = {"type": "custom_tool_call", "call_id": "a", "name": "calc", "input": "4 + 4"}
    answer: Item = {"type": "custom_tool_call_output", "call_id": "a", "output": "8"}
    told = messages(item, answer)
    assert called(told[0])[0]["custom"] == {"name": "calc", "input": "4 + 4"}
    assert told[1]["content"] == "8"


def thought(origin: Origin, **facts: object) -> Item:
    summary = [{"type": "summary_text", "text": "hm"}]
    return {"type": "reasoning", "summary": summary, MARK: origin.mark(**facts)}


def test_reasoning_goes_back_to_the_provider_that_sent_it_for_every_call_so_far() -> None:
    reasoning = thought(HERE, text_key="reasoning_content")
    turns = [reasoning, call("a"), result("a"), reasoning, call("b"), result("b")]
    told = messages(asked(), *turns)
    assert [m.get("reasoning_content") for m in told] == [None, "hm", None, "hm", None]
    elsewhere = messages(asked(), *turns, origin=Origin("api.mistral.ai", "mistral-large"))
    assert not any("reasoning_content" in message for message in elsewhere)


def test_reasoning_is_given_back_with_calls_only() -> None:
    told = messages(thought(HERE, text_key="reasoning_content"), said("4"))
    assert told == [{"role": "assistant", "content": "4"}]


def test_what_only_the_maker_understands_goes_back_verbatim() -> None:
    details = [{"type": "reasoning.text", "signature": "s"}]
    told = messages(thought(HERE, message={"reasoning_details": details}), said("4"))
    assert told[0]["reasoning_details"] == details


def test_what_a_call_carries_goes_back_to_its_maker_alone() -> None:
    extra = {"call": {"extra_content": {"google": {"thought_signature": "s"}}}}
    item = {**call("a"), MARK: HERE.mark(**extra)}
    told = messages(item, result("a"))
    assert called(told[0])[0]["extra_content"] == {"google": {"thought_signature": "s"}}
    elsewhere = messages(item, result("a"), origin=Origin("other", "m"))
    assert "extra_content" not in called(elsewhere[0])[0]


def test_reasoning_that_nothing_follows_says_nothing() -> None:
    assert messages(thought(HERE, text_key="reasoning_content")) == []


def test_a_refusal_goes_back_as_the_server_has_it() -> None:
    refused: Item = {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "refusal", "refusal": "no"}],
    }
    assert messages(refused) == [{"role": "assistant", "content": "no"}]
    assert messages(refused, dialect=OPENAI) == [
        {"role": "assistant", "content": None, "refusal": "no"},
    ]


def test_developers_become_the_system_where_the_server_knows_none() -> None:
    item: Item = {"role": "developer", "content": "be brief"}
    assert messages(item)[0]["role"] == "system"
    assert messages(item, dialect=OPENAI)[0]["role"] == "developer"


def test_ids_take_the_shape_that_a_server_wants() -> None:
    dialect = ChatDialect(call_id_length=9)
    long, short = "call_0123456789abcdef", "ot1MIoEMA"
    told = messages(call(long), call(short), result(long), result(short), dialect=dialect)
    ids = [str(entry["id"]) for entry in called(told[0])]
    assert ids[1] == short
    assert len(ids[0]) == 9
    assert ids[0].isalnum()
    assert [message["tool_call_id"] for message in told[1:]] == ids


def test_objects_of_the_openai_package_are_items_too() -> None:
    view = raw_view(call("a"))
    told = chat_messages(cast("Sequence[Item]", [view, result("a")]), HERE, COMMON)
    assert called(told[0])[0]["id"] == "a"


@pytest.mark.parametrize(
    ("item", "named"),
    [
        ({"type": "web_search_call", "id": "w"}, "web_search_call"),
        ({"type": "item_reference", "id": "w"}, "item_reference"),
        ({"role": "tool", "content": "x"}, "'tool'"),
        ({"content": "x"}, "None"),
    ],
)
def test_what_this_protocol_cannot_say_is_refused_by_name(item: Item, named: str) -> None:
    with pytest.raises(UserError, match=named):
        messages(item)


TURNS = st.lists(
    st.one_of(
        st.just(("said",)),
        st.just(("asked",)),
        st.lists(st.sampled_from("abc"), min_size=1, max_size=3).map(tuple),
    ),
    max_size=6,
)


@given(TURNS)
def test_every_message_with_calls_is_followed_by_their_answers(
    turns: list[tuple[str, ...]],
) -> None:
    items: list[Item] = []
    for at, turn in enumerate(turns):
        if turn in {("said",), ("asked",)}:
            items.append(said("x") if turn == ("said",) else asked())
            continue
        items.extend(call(f"{name}{at}") for name in turn)
        items.extend(result(f"{name}{at}") for name in reversed(turn))
    told = messages(*items)
    for at, message in enumerate(told):
        if "tool_calls" in message:
            ids = [entry["id"] for entry in called(message)]
            assert len(set(ids)) == len(ids)
            answers = told[at + 1 : at + 1 + len(ids)]
            assert [answer.get("tool_call_id") for answer in answers] == ids
