from __future__ import annotations

from handfast.core.items import Call, Item, Message, Opaque, Reasoning, Result
from handfast.core.log import Log
from handfast.runner.transcript import Transcript


def user(text: str) -> Message:
    return Message("user", text, {"role": "user", "content": text})


def call(call_id: str) -> Call:
    raw = {"type": "function_call", "call_id": call_id, "name": "t", "arguments": "{}"}
    return Call(call_id, "t", "{}", raw)


def result(call_id: str) -> Result:
    raw = {"type": "function_call_output", "call_id": call_id, "output": "ok"}
    return Result(call_id, raw)


def test_what_grows_is_rendered_once_and_in_order() -> None:
    transcript = Transcript()
    conversation: Log[Item] = Log([user("hi")])
    seen: Log[Item] = Log()
    first = transcript.render(conversation, seen)
    seen = seen.extended([call("c1"), result("c1")])
    second = transcript.render(conversation, seen)
    assert [item.get("type", "message") for item in second] == [
        "message",
        "function_call",
        "function_call_output",
    ]
    assert second[0] is first[0]
    assert len(first) == 1


def test_a_list_that_was_handed_out_is_the_receivers_own() -> None:
    transcript = Transcript()
    conversation: Log[Item] = Log([user("hi")])
    transcript.render(conversation, Log()).clear()
    assert len(transcript.render(conversation, Log())) == 1


def test_a_rewritten_conversation_is_rendered_anew_without_what_a_provider_refuses() -> None:
    transcript = Transcript()
    transcript.render(Log([user("hi")]), Log())
    shown = transcript.render(
        Log([user("summary")]),
        Log([result("c1"), call("c2"), user("next")]),
    )
    assert [item.get("content") for item in shown] == ["summary", "next"]


def test_what_a_turn_left_open_is_not_sent_on() -> None:
    transcript = Transcript()
    seen: Log[Item] = Log()
    conversation: Log[Item] = Log([user("hi")])
    transcript.render(conversation, seen)
    begun: dict[str, object] = {"type": "shell_call", "call_id": "s1", "action": {}}
    thought: dict[str, object] = {"type": "reasoning", "id": "rs_1", "summary": []}
    seen = seen.extended([call("c1"), Opaque("shell_call", "call", begun), Reasoning(thought)])
    shown = transcript.render(conversation, seen.extended([result("c1")]))
    assert [item.get("call_id") for item in shown] == [None, "c1", "c1"]
