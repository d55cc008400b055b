"""Ready filters for handoffs."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Awaitable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conversations import ITEM, answered, called, returned, said, thought
from handfast.agents.agent import Agent
from handfast.agents.handoff import HandoffInputData, HandoffInputFilter
from handfast.agents.input_items import input_to_items, is_call, is_output, item_from_wire
from handfast.agents.items import (
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
    run_item_of,
)
from handfast.agents.pairing import repaired_pairs
from handfast.agents.raw import to_wire
from handfast.core.items import Reasoning
from handfast.errors import UserError
from handfast.extensions.handoff_filters import (
    compose,
    drop_reasoning,
    keep_last_turns,
    remove_all_tools,
)

Wire = dict[str, object]
AGENT = Agent(name="A")

MESSAGE = MessageOutputItem(AGENT, answered("hello"))
CALL = ToolCallItem(AGENT, called("c1"))
OUTPUT = ToolCallOutputItem(AGENT, returned("c1"), "ok")
HANDOFF_CALL = HandoffCallItem(AGENT, called("h1", "transfer_to_b"))
HANDOFF_OUTPUT = HandoffOutputItem(AGENT, returned("h1"), AGENT, AGENT)
REASONING = ReasoningItem(AGENT, thought())
APPROVAL = ToolApprovalItem(AGENT, called("c2", "pay"))


def data(
    history: str | tuple[Wire, ...] = (),
    earlier: tuple[RunItem, ...] = (),
    new: tuple[RunItem, ...] = (),
    shown: tuple[RunItem, ...] | None = None,
) -> HandoffInputData:
    return HandoffInputData(history, earlier, new, None, shown)


# ---- remove_all_tools


def test_without_tools_nothing_changes() -> None:
    plain = data((said("user", "q"), answered("a")), (MESSAGE,), (MESSAGE,))
    assert remove_all_tools(plain) == plain
    assert remove_all_tools(data()) == data()


def test_a_history_that_is_text_passes_unchanged() -> None:
    assert remove_all_tools(data("function_call", (CALL,))).input_history == "function_call"


def test_calls_outputs_handoffs_and_approvals_go_from_every_part() -> None:
    parts: tuple[RunItem, ...] = (CALL, MESSAGE, OUTPUT, HANDOFF_CALL, HANDOFF_OUTPUT, APPROVAL)
    history = (said("user", "q"), called("c1"), returned("c1"), said("user", "w"))
    filtered = remove_all_tools(data(history, parts, parts, parts))
    assert filtered == data((history[0], history[3]), (MESSAGE,), (MESSAGE,), (MESSAGE,))


@pytest.mark.parametrize(
    "wire",
    [
        {"type": "computer_call", "call_id": "c", "action": {}},
        {"type": "computer_call_output", "call_id": "c", "output": {}},
        {"type": "file_search_call", "id": "fs"},
        {"type": "web_search_call", "id": "ws"},
        {"type": "code_interpreter_call", "id": "ci1"},
        {"type": "image_generation_call", "id": "ig"},
        {"type": "local_shell_call", "call_id": "c"},
        {"type": "shell_call_output", "call_id": "c", "output": []},
        {"type": "apply_patch_call", "call_id": "c"},
        {"type": "mcp_call", "id": "m1"},
        {"type": "mcp_list_tools", "id": "l1", "tools": []},
        {"type": "mcp_approval_request", "id": "a1"},
        {"type": "mcp_approval_response", "approval_request_id": "a1"},
        {"type": "custom_tool_call", "call_id": "c"},
        {"type": "custom_tool_call_output", "call_id": "c", "output": "1"},
        {"type": "tool_search_call", "id": "t1"},
        {"type": "tool_search_output", "id": "t2"},
        {"type": "some_future_tool_call", "id": "f1"},
        {"type": "surprise", "call_id": "c"},
    ],
)
def test_tools_that_a_provider_runs_and_kinds_not_known_yet_go_too(wire: Wire) -> None:
    core = item_from_wire(wire, "A")
    built: list[RunItem] = [run_item_of(core, AGENT), ProviderItem(AGENT, wire)]
    filtered = remove_all_tools(data((wire, said("user", "q")), tuple(built), (MESSAGE, *built)))
    assert filtered == data((said("user", "q"),), (), (MESSAGE,))


def test_a_call_goes_by_its_class_where_its_form_tells_nothing() -> None:
    odd: Wire = {"type": "odd", "text": "x"}
    assert remove_all_tools(data((), (ToolCallItem(AGENT, odd),))).pre_handoff_items == ()
    kept = data((), (ProviderItem(AGENT, odd),))
    assert remove_all_tools(kept) == kept


def test_reasoning_goes_with_the_call_it_led_to_and_stays_with_its_message() -> None:
    history = (thought("rs_1"), called("c1"), returned("c1"), thought("rs_2"), answered("a"))
    filtered = remove_all_tools(data(history, (REASONING, CALL, OUTPUT), (REASONING, MESSAGE)))
    assert filtered == data(history[3:], (), (REASONING, MESSAGE))


def test_reasoning_in_several_items_goes_or_stays_as_one() -> None:
    to_call = (thought("rs_1"), thought("rs_2"), called("c1"))
    assert remove_all_tools(data(to_call)).input_history == ()
    to_message = (thought("rs_1"), thought("rs_2"), answered("a"))
    assert remove_all_tools(data(to_message)).input_history == to_message


def test_reasoning_before_a_call_does_not_pass_to_the_message_after_it() -> None:
    history = (thought(), called("c1"), answered("a"))
    assert remove_all_tools(data(history)).input_history == (answered("a"),)


def test_reasoning_that_leads_nowhere_goes() -> None:
    history = (thought(), said("user", "q"), thought())
    assert remove_all_tools(data(history)).input_history == (said("user", "q"),)


def test_words_about_tools_are_only_words() -> None:
    history = (said("user", '{"type": "function_call"}'), said("assistant", "tool_call"))
    assert remove_all_tools(data(history)).input_history == history


# ---- keep_last_turns


def test_the_last_turns_are_kept_with_everything_in_them() -> None:
    history = (
        said("user", "one"),
        answered("1"),
        said("user", "two"),
        thought(),
        called("c1"),
        returned("c1"),
        answered("2"),
    )
    given_data = data(history, (MESSAGE,), (HANDOFF_CALL, HANDOFF_OUTPUT))
    assert keep_last_turns(1)(given_data) == data(
        history[2:],
        (MESSAGE,),
        (HANDOFF_CALL, HANDOFF_OUTPUT),
        (HANDOFF_CALL, HANDOFF_OUTPUT),
    )
    assert keep_last_turns(2)(given_data) is given_data
    assert keep_last_turns(9)(given_data) is given_data


def test_what_the_system_and_the_developer_said_stays() -> None:
    history = (
        said("developer", "be brief"),
        said("user", "one"),
        said("system", "s"),
        said("user", "two"),
    )
    filtered = keep_last_turns(1)(data(history))
    assert isinstance(filtered, HandoffInputData)
    assert filtered.input_history == (history[0], history[2], history[3])


def test_a_history_that_is_text_is_one_turn() -> None:
    later = InputItem(AGENT, said("user", "and now?"))
    given_data = data("first question", (MESSAGE, later, MESSAGE), (MESSAGE,))
    filtered = keep_last_turns(1)(given_data)
    assert filtered == data((), (later, MESSAGE), (MESSAGE,), (MESSAGE,))
    assert keep_last_turns(2)(given_data) is given_data


def test_what_an_earlier_filter_showed_is_cut_and_not_what_it_hid() -> None:
    later = InputItem(AGENT, said("user", "now"))
    filtered = keep_last_turns(1)(data((said("user", "q"),), (), (CALL, OUTPUT), (MESSAGE, later)))
    assert filtered == data((), (), (CALL, OUTPUT), (later,))


@pytest.mark.parametrize("wrong", [0, -1, True, "1", 1.5, None])
def test_a_number_of_turns_is_at_least_one(wrong: Any) -> None:
    with pytest.raises(UserError, match="needs an int of at least 1"):
        keep_last_turns(wrong)


# ---- drop_reasoning


def test_reasoning_goes_and_what_it_led_to_loses_the_providers_id() -> None:
    history = (thought(), answered("a"), said("user", "q"), answered("b", "msg_2"))
    filtered = drop_reasoning(
        data(history, (REASONING, CALL, OUTPUT), (REASONING, HANDOFF_CALL, HANDOFF_OUTPUT))
    )
    first = {key: value for key, value in answered("a").items() if key != "id"}
    assert filtered.input_history == (first, said("user", "q"), answered("b", "msg_2"))
    assert [item.to_input_item().get("id") for item in filtered.pre_handoff_items] == [None, None]
    assert filtered.pre_handoff_items[0].to_input_item()["call_id"] == "c1"
    assert filtered.new_items == (REASONING, HANDOFF_CALL, HANDOFF_OUTPUT)
    assert filtered.input_items is not None
    assert [type(item) for item in filtered.input_items] == [HandoffCallItem, HandoffOutputItem]


def test_without_reasoning_the_receiver_sees_the_same() -> None:
    plain = data("text", (MESSAGE, APPROVAL), (HANDOFF_CALL, HANDOFF_OUTPUT))
    assert drop_reasoning(plain).all_items == plain.clone(pre_handoff_items=(MESSAGE,)).all_items


def test_only_what_the_reasoning_led_to_is_changed() -> None:
    marked = {**said("user", "q"), "id": "msg_u"}
    filtered = drop_reasoning(data((thought(), marked), (REASONING, APPROVAL)))
    assert filtered == data((marked,), (APPROVAL,), (), ())


# ---- compose


async def slow(given_data: HandoffInputData) -> HandoffInputData:
    return given_data.clone(pre_handoff_items=())


def test_sync_filters_compose_to_a_sync_one() -> None:
    both = compose(remove_all_tools, keep_last_turns(1))
    history = (said("user", "one"), called("c1"), returned("c1"), said("user", "two"))
    filtered = both(data(history, (MESSAGE,)))
    assert isinstance(filtered, HandoffInputData)
    assert filtered.input_history == (said("user", "two"),)
    assert filtered.pre_handoff_items == (MESSAGE,)


@pytest.mark.parametrize("filters", [(slow, remove_all_tools), (remove_all_tools, slow, slow)])
async def test_async_filters_compose_in_order(filters: tuple[HandoffInputFilter, ...]) -> None:
    filtered = compose(*filters)(data((called("c1"),), (MESSAGE,)))
    assert inspect.isawaitable(filtered)
    assert await filtered == data()


def test_no_filter_changes_nothing() -> None:
    assert compose()(data("x")) == data("x")


async def test_a_filter_that_is_none_or_returns_none_is_refused() -> None:
    wrong: Any = None
    with pytest.raises(UserError, match="Invalid input filter: None is not callable"):
        compose(remove_all_tools, wrong)

    def forgets(_data: object) -> Any:
        return None

    with pytest.raises(UserError, match="Invalid input filter result"):
        compose(forgets)(data())
    later = compose(slow, forgets)(data())
    assert isinstance(later, Awaitable)
    with pytest.raises(UserError, match="Invalid input filter result"):
        await later


# ---- laws

CONVERSATION = st.lists(ITEM, max_size=12)


@given(CONVERSATION, CONVERSATION)
def test_no_filter_changes_what_it_was_given(history: list[Wire], produced: list[Wire]) -> None:
    items = tuple(run_item_of(item_from_wire(wire, "A"), AGENT) for wire in produced)
    given_data = data(tuple(history), items, items)
    before = copy.deepcopy((history, produced))
    for apply in (remove_all_tools, drop_reasoning, keep_last_turns(1)):
        apply(given_data)
        assert (history, produced) == before
        assert given_data.new_items is items


@given(CONVERSATION)
def test_no_tool_is_left_and_no_message_lost(history: list[Wire]) -> None:
    left = remove_all_tools(data(tuple(history))).input_history
    assert not isinstance(left, str)
    cores = [item_from_wire(wire) for wire in left]
    assert not any(is_call(core) or is_output(core) for core in cores)
    assert [wire for wire in left if "role" in wire] == [wire for wire in history if "role" in wire]


@given(CONVERSATION, st.sampled_from([remove_all_tools, drop_reasoning]))
def test_what_was_whole_stays_whole(history: list[Wire], apply: HandoffInputFilter) -> None:
    whole = tuple(to_wire(item.raw) for item in repaired_pairs(input_to_items(history)).items)
    filtered = apply(data(whole))
    assert isinstance(filtered, HandoffInputData)
    assert repaired_pairs(input_to_items(filtered.input_history)).dropped == ()


@given(CONVERSATION)
def test_no_reasoning_is_left(history: list[Wire]) -> None:
    left = drop_reasoning(data(tuple(history))).input_history
    assert not any(isinstance(item, Reasoning) for item in input_to_items(left))
