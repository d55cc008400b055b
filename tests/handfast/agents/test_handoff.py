"""Handoffs: construction, names, invocation."""

from __future__ import annotations

import re
from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from conversations import answered, called, returned, said
from handfast.agents.agent import Agent
from handfast.agents.context import RunContextWrapper
from handfast.agents.handoff import (
    Handoff,
    HandoffInputData,
    ambiguous_handoffs,
    handoff,
    is_handoff_enabled,
    resolve_handoff_names,
)
from handfast.agents.items import HandoffCallItem, HandoffOutputItem, MessageOutputItem
from handfast.errors import ModelBehaviorError, UserError

BILLING = Agent(name="Billing agent", handoff_description="Knows invoices.")
CONTEXT: RunContextWrapper[None] = RunContextWrapper(None)


class Escalation(BaseModel):
    reason: str
    level: int = 1


# ---- construction


def test_a_handoff_describes_itself_to_the_model() -> None:
    made = handoff(BILLING)
    assert made.tool_name == "transfer_to_billing_agent"
    assert (
        made.tool_description
        == "Handoff to the Billing agent agent to handle the request. Knows invoices."
    )
    assert made.agent_name == "Billing agent"
    assert made.agent is BILLING
    assert made.input_json_schema == {
        "type": "object",
        "properties": {},
        "required": [],
        "additionalProperties": False,
    }
    assert made.strict_json_schema is True
    assert made.is_enabled is True
    assert (made.input_filter, made.nest_handoff_history) == (None, None)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Refund/agent", True),
        ("Refund agent", False),
        ("refund-agent", False),
        ("退款/代理", False),
    ],
)
def test_characters_that_a_function_name_loses_are_logged(
    name: str,
    said: bool,  # noqa: FBT001
    caplog: pytest.LogCaptureFixture,
) -> None:
    tool_name = Handoff.default_tool_name(Agent(name=name))
    assert [name in record.getMessage() for record in caplog.records] == [True] * said
    assert all(tool_name in record.getMessage() for record in caplog.records)


def test_without_a_description_of_the_agent_the_default_ends_where_it_ends() -> None:
    assert (
        handoff(Agent(name="B")).tool_description == "Handoff to the B agent to handle the request."
    )


def test_name_and_description_can_be_chosen() -> None:
    made = handoff(BILLING, "custom_tool", "Custom description")
    assert (made.tool_name, made.tool_description) == ("custom_tool", "Custom description")
    named = handoff(agent=BILLING, tool_name_override="x", tool_description_override="y")
    assert (named.tool_name, named.tool_description) == ("x", "y")


def test_filter_nesting_and_condition_are_kept() -> None:
    def keep(data: HandoffInputData) -> HandoffInputData:
        return data

    made = handoff(BILLING, input_filter=keep, nest_handoff_history=True, is_enabled=False)
    assert (made.input_filter, made.nest_handoff_history, made.is_enabled) == (keep, True, False)


def test_input_type_needs_somebody_to_tell() -> None:
    with pytest.raises(UserError, match="must provide on_handoff when input_type is provided"):
        handoff(BILLING, input_type=Escalation)  # type: ignore[call-overload]  # that is the test


def takes_none() -> None:
    """A callback of no arguments."""


def takes_one(_context: object) -> None:
    """A callback of one argument."""


def takes_two(_context: object, _data: object) -> None:
    """A callback of two arguments."""


def takes_three(_context: object, _data: object, _more: object) -> None:
    """A callback of three arguments."""


@pytest.mark.parametrize(
    ("on_handoff", "input_type", "said_so"),
    [
        (takes_none, None, "must take one argument: context"),
        (takes_two, None, "must take one argument: context"),
        (takes_none, Escalation, "must take two arguments: context and input"),
        (takes_one, Escalation, "must take two arguments: context and input"),
        (takes_three, Escalation, "must take two arguments: context and input"),
        ("nothing", Escalation, "must be callable"),
        (5, None, "must be callable"),
    ],
)
def test_a_callback_that_cannot_be_called_is_refused_at_once(
    on_handoff: Any,
    input_type: Any,
    said_so: str,
) -> None:
    with pytest.raises(UserError, match=said_so):
        handoff(BILLING, on_handoff=on_handoff, input_type=input_type)


@pytest.mark.parametrize("wrong", [None, "Billing", 5, object()])
def test_what_is_no_agent_is_refused(wrong: Any) -> None:
    with pytest.raises(UserError, match="needs an Agent"):
        handoff(wrong)


def test_a_filter_or_condition_that_cannot_be_called_is_refused() -> None:
    wrong: Any = "no filter"
    with pytest.raises(UserError, match="Invalid input filter"):
        handoff(BILLING, input_filter=wrong)
    with pytest.raises(UserError, match="is_enabled must be callable"):
        handoff(BILLING, is_enabled=wrong)
    with pytest.raises(UserError, match="on_invoke_handoff must be callable"):
        replace(handoff(BILLING), on_invoke_handoff=wrong)
    with pytest.raises(UserError, match="tool_name must be a non-empty str"):
        replace(handoff(BILLING), tool_name="")


# ---- invocation


async def test_a_plain_handoff_gives_its_agent_whatever_the_model_sends() -> None:
    for arguments in ("", "{}", "junk", '{"extra": 1}'):
        assert await handoff(BILLING).on_invoke_handoff(CONTEXT, arguments) is BILLING


async def test_the_callback_is_told_the_context() -> None:
    told: list[object] = []
    made = handoff(BILLING, on_handoff=told.append)
    assert await made.on_invoke_handoff(CONTEXT, "") is BILLING
    assert told == [CONTEXT]


async def test_the_callback_is_told_the_validated_input() -> None:
    told: list[object] = []

    async def escalate(context: RunContextWrapper[None], data: Escalation) -> str:
        told.extend((context, data))
        return "ignored"

    made = handoff(BILLING, on_handoff=escalate, input_type=Escalation)
    assert await made.on_invoke_handoff(CONTEXT, '{"reason": "退款", "level": 2}') is BILLING
    assert told == [CONTEXT, Escalation(reason="退款", level=2)]


async def test_a_callable_object_and_a_method_will_do() -> None:
    class Log:
        def __init__(self) -> None:
            self.lines: list[str] = []

        async def __call__(self, _context: RunContextWrapper[None], data: Escalation) -> None:
            self.lines.append(data.reason)

        def plain(self, _context: RunContextWrapper[None], *, _more: int = 0) -> None:
            self.lines.append("plain")

    log = Log()
    typed = handoff(BILLING, on_handoff=log, input_type=Escalation)
    await typed.on_invoke_handoff(CONTEXT, '{"reason": "r", "level": 1}')
    await handoff(BILLING, on_handoff=log.plain).on_invoke_handoff(CONTEXT, "")
    assert log.lines == ["r", "plain"]


async def test_an_exception_of_the_callback_comes_out_as_it_is() -> None:
    def refuse(_context: RunContextWrapper[None]) -> None:
        raise PermissionError("not allowed")

    with pytest.raises(PermissionError, match="not allowed"):
        await handoff(BILLING, on_handoff=refuse).on_invoke_handoff(CONTEXT, "{}")


async def test_wrong_arguments_are_the_models_fault_and_nobody_is_told() -> None:
    told: list[object] = []
    made = handoff(BILLING, on_handoff=lambda _c, data: told.append(data), input_type=Escalation)
    with pytest.raises(ModelBehaviorError, match="Invalid JSON when parsing the arguments"):
        await made.on_invoke_handoff(CONTEXT, '{"reason": 5}')
    assert told == []


async def test_a_handoff_built_by_hand_chooses_its_agent() -> None:
    async def choose(_context: RunContextWrapper[Any], arguments: str) -> Agent[Any]:
        return Agent(name=arguments)

    made: Handoff[Any, Agent[Any]] = Handoff(
        tool_name="escalate",
        tool_description="To whoever is on duty.",
        input_json_schema={},
        on_invoke_handoff=choose,
        agent_name="on duty",
    )
    assert made.agent is None
    assert (await made.on_invoke_handoff(CONTEXT, "Ann")).name == "Ann"


def test_the_answer_names_the_agent_as_it_is_written() -> None:
    made = handoff(BILLING)
    assert made.get_transfer_message(Agent(name="退款")) == '{"assistant": "退款"}'
    assert made.get_transfer_message(BILLING) == '{"assistant": "Billing agent"}'
    assert made.get_transfer_message(Agent(name="\ud800")) == '{"assistant": "\\ud800"}'


# ---- conditions


def at_once(_context: object, agent: Agent) -> bool:
    return agent is BILLING


async def later(_context: object, agent: Agent) -> bool:
    return agent is BILLING


async def test_a_condition_is_a_bool_or_a_function_of_context_and_agent() -> None:
    other = Agent(name="Other")
    for condition in (at_once, later):
        made = handoff(BILLING, is_enabled=condition)
        assert await is_handoff_enabled(made, CONTEXT, BILLING) is True
        assert await is_handoff_enabled(made, CONTEXT, other) is False
        asked: Any = made.is_enabled
        assert await asked(CONTEXT, BILLING) is True
    assert await is_handoff_enabled(handoff(BILLING, is_enabled=True), CONTEXT, other) is True
    assert await is_handoff_enabled(handoff(BILLING, is_enabled=False), CONTEXT, BILLING) is False


async def test_a_condition_sees_the_agent_that_offers_the_handoff() -> None:
    seen: list[object] = []

    def watch(context: RunContextWrapper[Any], agent: object) -> bool:
        seen.extend((context, agent))
        return True

    triage = Agent(name="Triage")
    assert await is_handoff_enabled(handoff(BILLING, is_enabled=watch), CONTEXT, triage)
    assert seen == [CONTEXT, triage]


# ---- names in one agent's list


def names(*agents: str) -> list[str]:
    made = resolve_handoff_names([handoff(Agent(name=name)) for name in agents])
    return [each.tool_name for each in made]


def test_names_that_collapse_are_told_apart_and_the_first_keeps_the_plain_one() -> None:
    first, second, third = names("Refund Agent", "refund-agent", "refund.agent")
    assert first == "transfer_to_refund_agent"
    assert len({first, second, third}) == 3
    assert second.startswith("transfer_to_refund_agent_")
    assert names("refund-agent", "x", "Refund Agent")[0] == "transfer_to_refund_agent"


def test_chinese_names_reach_different_agents() -> None:
    made = names("规划", "执行", "Élodie", "Агент")
    assert len(set(made)) == 4


def test_a_name_that_a_user_chose_is_never_changed() -> None:
    chosen = handoff(Agent(name="X"), tool_name_override="transfer_to_b")
    default = handoff(Agent(name="B"))
    for order in ([chosen, default], [default, chosen]):
        made = {each.agent_name: each.tool_name for each in resolve_handoff_names(order)}
        assert made["X"] == "transfer_to_b"
        assert re.fullmatch(r"transfer_to_b_[0-9a-f]{8}", made["B"])


def test_names_that_differ_are_left_alone() -> None:
    handoffs = [handoff(Agent(name="A")), handoff(Agent(name="B"))]
    assert all(a is b for a, b in zip(resolve_handoff_names(handoffs), handoffs, strict=True))


def test_two_handoffs_under_one_name_are_reported() -> None:
    one, two = handoff(Agent(name="A"), "go"), handoff(Agent(name="B"), "go")
    assert ambiguous_handoffs(resolve_handoff_names([one, two])) == [(one, two)]
    same = [handoff(Agent(name="A")), handoff(Agent(name="A"))]
    assert ambiguous_handoffs(resolve_handoff_names(same)) == [(same[0], same[1])]
    assert ambiguous_handoffs([one]) == []


@given(st.lists(st.text(max_size=80), unique=True, max_size=12))
def test_agents_called_anything_get_different_valid_names(agents: list[str]) -> None:
    made = names(*agents)
    assert len(set(made)) == len(made)
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name) for name in made)


# ---- what a filter is given

CALL_ITEM = HandoffCallItem(BILLING, called("h1", "transfer_to_billing_agent"))
ANSWER_ITEM = HandoffOutputItem(BILLING, returned("h1"), BILLING, BILLING)
MESSAGE_ITEM = MessageOutputItem(BILLING, answered("hello"))


def test_input_data_is_frozen_and_cloned_with_changes() -> None:
    data = HandoffInputData("hi", (MESSAGE_ITEM,), (CALL_ITEM, ANSWER_ITEM), CONTEXT)
    changed = data.clone(new_items=(), input_history=(said("user", "hi"),))
    assert changed.new_items == ()
    assert changed.pre_handoff_items is data.pre_handoff_items
    assert changed.run_context is CONTEXT
    assert data.new_items == (CALL_ITEM, ANSWER_ITEM)
    with pytest.raises(FrozenInstanceError):
        data.input_history = "other"  # type: ignore[misc]  # that is the test
    with pytest.raises(TypeError):
        data.clone(unknown=1)  # type: ignore[call-arg]  # that is the test


def test_all_items_are_what_the_receiver_sees_in_order() -> None:
    data = HandoffInputData("hi", (MESSAGE_ITEM,), (CALL_ITEM, ANSWER_ITEM))
    assert data.all_items == [
        said("user", "hi"),
        answered("hello"),
        CALL_ITEM.raw_item.to_dict(),
        returned("h1"),
    ]
    fewer = data.clone(input_history=(said("user", "a"), said("user", "b")), input_items=())
    assert fewer.all_items == [said("user", "a"), said("user", "b"), answered("hello")]
