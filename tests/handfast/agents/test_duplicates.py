from __future__ import annotations

from handfast.agents.duplicates import latest_of_each


def call(arguments: str = "{}") -> dict[str, object]:
    return {"type": "function_call", "call_id": "c", "name": "f", "arguments": arguments}


def answer(output: str) -> dict[str, object]:
    return {"type": "function_call_output", "call_id": "c", "output": output}


def reasoning(text: str) -> dict[str, object]:
    return {"type": "reasoning", "id": "r", "summary": [{"type": "summary_text", "text": text}]}


def test_a_call_said_again_stands_where_it_was_first() -> None:
    assert latest_of_each([call("1"), answer("a"), call("2")]) == [call("2"), answer("a")]


def test_an_answer_given_again_stands_after_its_call() -> None:
    assert latest_of_each([answer("old"), call(), answer("new")]) == [call(), answer("new")]


def test_reasoning_stays_before_what_it_led_to() -> None:
    shown = latest_of_each([reasoning("old"), call(), reasoning("new")])
    assert shown == [reasoning("new"), call()]


def test_what_has_no_id_and_what_people_say_is_never_a_duplicate() -> None:
    said: dict[str, object] = {"type": "message", "role": "user", "content": "hi", "id": "m"}
    odd: dict[str, object] = {"type": "web_search_call", "id": ""}
    items = [said, said, odd, odd, call(), answer("a")]
    assert latest_of_each(items) == items


def test_different_kinds_may_share_an_id() -> None:
    items = [{"type": "web_search_call", "id": "x"}, {"type": "file_search_call", "id": "x"}]
    assert latest_of_each(items) == items
