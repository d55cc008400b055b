from __future__ import annotations

from handfast.agents.agent import Agent
from handfast.agents.item_text import ItemHelpers
from handfast.agents.items import MessageOutputItem, RunItem, ToolCallItem

GUIDE = Agent(name="Guide")


def message(*parts: dict[str, object]) -> dict[str, object]:
    return {"type": "message", "id": "m", "role": "assistant", "content": list(parts)}


def text(words: str) -> dict[str, object]:
    return {"type": "output_text", "text": words, "annotations": []}


REFUSAL: dict[str, object] = {"type": "refusal", "refusal": "No."}


def test_the_last_part_counts() -> None:
    assert ItemHelpers.extract_last_content(message(text("a"), text("b"))) == "b"
    assert ItemHelpers.extract_last_content(message(text("a"), REFUSAL)) == "No."
    assert ItemHelpers.extract_last_text(message(text("a"), text("b"))) == "b"
    assert ItemHelpers.extract_last_text(message(text("a"), REFUSAL)) is None


def test_all_text_is_read_in_order() -> None:
    assert ItemHelpers.extract_text(message(text("你"), text("好"))) == "你好"
    assert ItemHelpers.extract_text(message(REFUSAL)) is None
    assert ItemHelpers.extract_refusal(message(text("a"), REFUSAL)) == "No."
    assert ItemHelpers.extract_refusal(message(text("a"))) is None


def test_what_is_no_message_of_an_assistant_says_nothing() -> None:
    call = {"type": "function_call", "call_id": "c", "name": "n", "arguments": "{}"}
    question = {"role": "user", "content": "hello"}
    assert ItemHelpers.extract_last_content(call) == ""
    assert ItemHelpers.extract_text(question) is None
    assert ItemHelpers.extract_last_text(message()) is None


def test_the_messages_of_a_run_are_joined_and_nothing_else() -> None:
    call = {"type": "function_call", "call_id": "c", "name": "n", "arguments": "{}"}
    items: list[RunItem] = [
        MessageOutputItem(GUIDE, message(text("a"))),
        ToolCallItem(GUIDE, call),
        MessageOutputItem(GUIDE, message(text("b"))),
    ]
    assert ItemHelpers.text_message_outputs(items) == "ab"


def test_a_new_input_shares_nothing_with_the_old_one() -> None:
    old: list[dict[str, object]] = [{"role": "user", "content": "hello"}]
    new = ItemHelpers.input_to_new_input_list(old)
    assert new == old
    assert new[0] is not old[0]
    assert ItemHelpers.input_to_new_input_list("hello") == old


def test_an_answer_names_its_call_and_is_text_or_parts() -> None:
    call = {"type": "function_call", "call_id": "c", "name": "n", "arguments": "{}"}
    parts = [{"type": "input_text", "text": "x"}]
    assert ItemHelpers.tool_call_output_item(call, 7) == {
        "type": "function_call_output",
        "call_id": "c",
        "output": "7",
    }
    assert ItemHelpers.tool_call_output_item(call, parts)["output"] == parts


def test_a_new_input_list_shares_nothing_with_the_input() -> None:
    given = [message(text("a"))]
    copied = ItemHelpers.input_to_new_input_list(given)
    assert copied == given
    content = copied[0]["content"]
    assert isinstance(content, list)
    content.clear()
    assert given == [message(text("a"))]
