"""Run items as users read and build them."""

from __future__ import annotations

import gc
import weakref
from dataclasses import dataclass

import pytest
from hypothesis import given
from openai.types.responses import (
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputRefusal,
    ResponseOutputText,
)

from conversations import ITEM, answered, called, returned, said, thought
from handfast.agents.input_items import item_from_wire
from handfast.agents.item_text import ItemHelpers
from handfast.agents.items import (
    AgentName,
    HandoffCallItem,
    HandoffOutputItem,
    InputItem,
    MessageOutputItem,
    ProviderItem,
    ReasoningItem,
    RunItem,
    ToolApprovalItem,
    ToolCallItem,
    ToolCallOutputItem,
    item_of,
    run_item_of,
)
from handfast.core.items import Call, HandoffResult, Message, Opaque, Reasoning, Result
from handfast.errors import UserError


@dataclass
class Clerk:
    """An agent, as far as items care."""

    name: str = "Clerk"
    handoff_description: str | None = None


CLERK = Clerk()
BOSS = Clerk("Boss")

CALL = Call("c1", "lookup", "{}", called("c1"), "Clerk")
HANDOFF_RAW = called("h1", "transfer_to_boss")
HANDOFF_CALL = Call("h1", "transfer_to_boss", "{}", HANDOFF_RAW, "Clerk", "handoff")
RESULT = Result("c1", returned("c1"), "Clerk", 42)
HANDED_OVER = HandoffResult("h1", returned("h1"), "Clerk", "Boss")


@pytest.mark.parametrize(
    ("core", "made", "kind"),
    [
        (
            Message("assistant", "hi", answered("hi"), "Clerk"),
            MessageOutputItem,
            "message_output_item",
        ),
        (Message("user", "hi", said("user", "hi")), InputItem, "input_item"),
        (Reasoning(thought(), "Clerk"), ReasoningItem, "reasoning_item"),
        (CALL, ToolCallItem, "tool_call_item"),
        (HANDOFF_CALL, HandoffCallItem, "handoff_call_item"),
        (RESULT, ToolCallOutputItem, "tool_call_output_item"),
        (HANDED_OVER, HandoffOutputItem, "handoff_output_item"),
        (Opaque("x_call", "call", {"type": "x_call"}, "Clerk"), ToolCallItem, "tool_call_item"),
        (
            Opaque("x_output", "output", {"type": "x_output", "output": 1}, "Clerk"),
            ToolCallOutputItem,
            "tool_call_output_item",
        ),
        (Opaque("odd", "other", {"type": "odd"}, "Clerk"), ProviderItem, "provider_item"),
    ],
)
def test_each_item_of_the_record_has_its_public_class_and_comes_back_the_same(
    core: Call,
    made: type[RunItem],
    kind: str,
) -> None:
    item = run_item_of(core, CLERK, BOSS)
    assert type(item) is made
    assert item.type == kind
    assert item.agent is CLERK
    assert item_of(item) is core


def test_a_tools_answer_shows_what_the_tool_returned() -> None:
    item = run_item_of(RESULT, CLERK)
    assert isinstance(item, ToolCallOutputItem)
    assert (item.output, item.call_id, item.raw_item) == (42, "c1", returned("c1"))


def test_a_handoff_names_both_agents() -> None:
    item = run_item_of(HANDED_OVER, CLERK, BOSS)
    assert isinstance(item, HandoffOutputItem)
    assert (item.source_agent, item.target_agent, item.call_id) == (CLERK, BOSS, "h1")
    unknown = run_item_of(HANDED_OVER, CLERK)
    assert isinstance(unknown, HandoffOutputItem)
    assert unknown.target_agent == AgentName("Boss")


def test_what_a_model_wrote_is_shown_as_the_sdk_shows_it() -> None:
    call = run_item_of(CALL, CLERK)
    assert isinstance(call.raw_item, ResponseFunctionToolCall)
    assert call.raw_item is call.raw_item
    assert isinstance(
        run_item_of(Message("assistant", "hi", answered("hi")), CLERK).raw_item,
        ResponseOutputMessage,
    )


def test_a_call_tells_its_name_and_id() -> None:
    call = ToolCallItem(agent=CLERK, raw_item=called("c1", "lookup"))
    assert (call.tool_name, call.call_id) == ("lookup", "c1")
    search = ToolCallItem(agent=CLERK, raw_item={"type": "web_search_call", "id": "ws_1"})
    assert (search.tool_name, search.call_id) == (None, "ws_1")
    typed = ToolCallItem(CLERK, TYPED_CALL)
    assert (typed.tool_name, typed.call_id) == ("add", "c7")


TYPED_CALL = ResponseFunctionToolCall(
    type="function_call",
    name="add",
    call_id="c7",
    arguments="{}",
)


def test_items_that_a_user_builds_become_items_of_the_record() -> None:
    raw = {"type": "function_call", "name": "add", "call_id": "c7", "arguments": "{}"}
    assert item_of(ToolCallItem(CLERK, TYPED_CALL)) == Call("c7", "add", "{}", raw, "Clerk")
    assert item_of(HandoffCallItem(CLERK, called("h1", "transfer_to_boss"))) == HANDOFF_CALL
    assert item_of(ToolCallOutputItem(CLERK, returned("c1"), 42)) == RESULT
    assert item_of(ToolCallOutputItem(CLERK, returned("c1", "ok"))) == Result(
        "c1",
        returned("c1"),
        "Clerk",
        "ok",
    )
    assert item_of(HandoffOutputItem(CLERK, returned("h1"), CLERK, BOSS)) == HANDED_OVER
    assert item_of(InputItem(CLERK, said("user", "hi"))) == Message(
        "user", "hi", said("user", "hi")
    )
    assert item_of(ReasoningItem(CLERK, thought())) == Reasoning(thought(), "Clerk")


def test_an_item_becomes_input_without_what_providers_refuse() -> None:
    item = MessageOutputItem(CLERK, {**answered("hi"), "status": None})
    assert "status" not in item.to_input_item()
    typed = ResponseOutputMessage(
        id="m",
        type="message",
        role="assistant",
        status="completed",
        content=[ResponseOutputText(type="output_text", text="hi", annotations=[])],
    )
    assert MessageOutputItem(CLERK, typed).to_input_item()["role"] == "assistant"


def test_an_approval_is_a_question_and_no_input() -> None:
    item = ToolApprovalItem(agent=CLERK, raw_item=called("c1", "pay", '{"eur":1}'))
    assert (item.tool_name, item.name, item.arguments, item.call_id) == (
        "pay",
        "pay",
        '{"eur":1}',
        "c1",
    )
    assert ToolApprovalItem(CLERK, called("c1", "pay"), "bank.pay").name == "bank.pay"
    with pytest.raises(UserError, match="question to a person"):
        item.to_input_item()
    with pytest.raises(UserError, match="question to a person"):
        item_of(item)


def test_items_are_equal_when_they_say_the_same() -> None:
    assert ToolCallItem(CLERK, called("c1")) == ToolCallItem(Clerk(), called("c1"))
    assert ToolCallItem(CLERK, called("c1")) != ToolCallItem(BOSS, called("c1"))
    assert ToolCallItem(CLERK, called("c1")) != HandoffCallItem(CLERK, called("c1"))
    assert ToolCallOutputItem(CLERK, returned("c"), 1) != ToolCallOutputItem(
        CLERK, returned("c"), 2
    )
    assert ToolCallItem(CLERK, called("c1")) != called("c1")
    one, other = (HandoffOutputItem(CLERK, returned("h"), CLERK, to) for to in (BOSS, CLERK))
    assert one != other
    assert ToolApprovalItem(CLERK, called("c"), "a") != ToolApprovalItem(CLERK, called("c"), "b")
    assert "Clerk" in repr(one)


def test_an_item_of_the_record_keeps_no_agent_alive_and_still_tells_its_name() -> None:
    agent, target = Clerk("Gone"), Clerk("Gone too")
    item = run_item_of(HANDED_OVER, agent, target)
    watched = weakref.ref(agent)
    del agent, target
    gc.collect()
    assert watched() is None
    assert isinstance(item, HandoffOutputItem)
    assert item.agent == item.source_agent == AgentName("Gone")
    assert item.target_agent == AgentName("Gone too")


def test_an_item_that_a_user_builds_keeps_its_agent_until_told_otherwise() -> None:
    item = ToolCallItem(Clerk("Temp"), called("c1"))
    gc.collect()
    watched = weakref.ref(item.agent)
    assert watched() is not None
    item.release_agent()
    item.release_agent()
    gc.collect()
    assert watched() is None
    gone: object = item.agent
    assert gone is None
    assert item.agent_name == "Temp"
    assert "Temp" in repr(item)
    assert item == ToolCallItem(AgentName("Temp"), called("c1"))
    assert ToolCallItem(AgentName("x"), called("c")).agent == AgentName("x")


def test_an_item_that_let_its_agents_go_still_belongs_to_the_conversation() -> None:
    item = HandoffOutputItem(Clerk("A"), returned("h"), Clerk("A"), Clerk("B"))
    item.release_agent()
    gc.collect()
    left: list[object] = [item.agent, item.source_agent, item.target_agent]
    assert left == [None, None, None]
    assert item.parties == ("A", "B")
    core = item_of(item)
    assert isinstance(core, HandoffResult)
    assert (core.source, core.target) == ("A", "B")


def test_the_answer_about_commands_goes_back_without_the_programs_own_notes() -> None:
    chunk = {"stdout": "ok", "outcome": {"type": "exit", "exit_code": 0}, "created_by": "server"}
    notes = {"status": "completed", "shell_output": "ok", "provider_data": "", "created_by": "x"}
    raw = {"type": "shell_call_output", "call_id": "c1", "output": [chunk]}
    item = ToolCallOutputItem(CLERK, {**raw, **notes}, "ok")
    plain = {key: value for key, value in chunk.items() if key != "created_by"}
    assert item.to_input_item() == {**raw, "output": [plain]}
    assert chunk["created_by"] == "server"


@given(ITEM)
def test_no_item_is_lost_on_its_way_to_the_user_and_back(wire: dict[str, object]) -> None:
    core = item_from_wire(wire, "Clerk")
    item = run_item_of(core, CLERK)
    assert item_of(item) is core
    assert item.to_input_item() == wire


# ---- reading messages


def test_texts_are_read_out_of_messages() -> None:
    message = {
        "role": "assistant",
        "content": [
            {"type": "output_text", "text": "one "},
            {"type": "output_text", "text": "two"},
        ],
    }
    assert ItemHelpers.extract_text(message) == "one two"
    assert ItemHelpers.extract_last_text(message) == "two"
    assert ItemHelpers.extract_last_content(message) == "two"
    assert ItemHelpers.extract_last_text({"role": "assistant", "content": "all"}) == "all"


def test_a_refusal_is_content_and_no_text() -> None:
    refused = ResponseOutputMessage(
        id="m",
        type="message",
        role="assistant",
        status="completed",
        content=[ResponseOutputRefusal(type="refusal", refusal="I won't")],
    )
    assert ItemHelpers.extract_last_content(refused) == "I won't"
    assert ItemHelpers.extract_refusal(refused) == "I won't"
    assert ItemHelpers.extract_last_text(refused) is None
    assert ItemHelpers.extract_text(refused) is None


@pytest.mark.parametrize(
    "message",
    [
        called("c1"),
        said("user", "mine"),
        {"role": "assistant", "content": []},
        {"role": "assistant"},
    ],
)
def test_what_is_no_answer_has_no_text(message: dict[str, object]) -> None:
    assert ItemHelpers.extract_last_content(message) == ""
    assert ItemHelpers.extract_last_text(message) is None
    assert ItemHelpers.extract_text(message) is None
    assert ItemHelpers.extract_refusal(message) is None


def test_the_messages_among_items_are_joined() -> None:
    items: list[RunItem] = [
        MessageOutputItem(CLERK, answered("a")),
        ToolCallItem(CLERK, called("c1")),
        MessageOutputItem(CLERK, answered("b")),
    ]
    assert ItemHelpers.text_message_outputs(items) == "ab"


def test_input_becomes_a_new_list() -> None:
    given_items = [said("user", "hi")]
    made = ItemHelpers.input_to_new_input_list(given_items)
    assert made == given_items
    assert made is not given_items
    assert made[0] is not given_items[0]
    assert ItemHelpers.input_to_new_input_list("hi") == [said("user", "hi")]


def test_a_functions_answer_has_its_wire_form() -> None:
    made = ItemHelpers.tool_call_output_item(called("c1"), 42)
    assert made == {"type": "function_call_output", "call_id": "c1", "output": "42"}
    parts = [{"type": "input_text", "text": "x"}]
    assert ItemHelpers.tool_call_output_item(called("c1"), parts)["output"] is parts
