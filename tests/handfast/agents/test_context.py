from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest

from handfast.agents.context import AgentHookContext, RunContextWrapper, ToolContext
from handfast.agents.usage import Usage
from handfast.errors import UserError


@dataclass
class Pending:
    """The part of a ToolApprovalItem that decisions are made from."""

    tool_name: str | None = "pay"
    call_id: str | None = "c1"
    raw_item: object = field(default_factory=lambda: {"arguments": '{"to": "Ada"}'})
    agent: object = field(default_factory=lambda: SimpleNamespace(name="A"))


def test_a_context_holds_the_users_object_and_starts_with_nothing_used() -> None:
    context = RunContextWrapper("mine")
    assert context.context == "mine"
    assert context.usage == Usage()
    assert context.turn_input == []
    assert context.tool_input is None


def test_approving_is_for_the_call() -> None:
    context = RunContextWrapper(None)
    assert context.is_tool_approved("pay", "c1") is None
    context.approve_tool(Pending())
    assert context.is_tool_approved("pay", "c1") is True
    assert context.is_tool_approved("pay", "c2") is None
    assert context.get_rejection_message("pay", "c1") is None
    assert context.get_approval_status("pay", "c1", arguments='{"to": "Eve"}') is None
    assert context.get_approval_status("pay", "c1", agent="B") is None


def test_approving_always_is_for_the_agents_calls_of_the_tool() -> None:
    context = RunContextWrapper(None)
    context.approve_tool(Pending(), always_approve=True)
    assert context.is_tool_approved("pay", "c2") is True
    assert context.get_approval_status("pay", "c2", agent="A") is True
    assert context.get_approval_status("pay", "c2", agent="B") is None
    assert context.is_tool_approved("mail", "c2") is None


def test_rejecting_can_say_why() -> None:
    context = RunContextWrapper(None)
    context.reject_tool(Pending(), rejection_message="too much")
    assert context.is_tool_approved("pay", "c1") is False
    assert context.get_rejection_message("pay", "c1") == "too much"
    assert context.get_rejection_message("pay", "c2") is None
    context.reject_tool(Pending(), always_reject=True)
    assert context.is_tool_approved("pay", "c2") is False
    assert context.get_rejection_message("pay", "c1") is None


def test_names_are_read_from_the_providers_form_where_the_item_has_none() -> None:
    context = RunContextWrapper(None)
    context.approve_tool(Pending(None, None, {"name": "pay", "call_id": "c1"}))
    assert context.is_tool_approved("pay", "c1") is True
    context.approve_tool(SimpleNamespace(raw_item=SimpleNamespace(name="pay", call_id="c2")))
    assert context.is_tool_approved("pay", "c2") is True


def test_the_waiting_items_own_name_is_tried_too() -> None:
    context = RunContextWrapper(None)
    context.approve_tool(Pending("pay_v2"))
    assert context.get_approval_status("pay", "c1") is None
    assert context.get_approval_status("pay", "c1", existing_pending=Pending("pay_v2")) is True
    assert context.get_approval_status("pay", "c1", existing_pending=Pending("pay")) is None


@pytest.mark.parametrize("item", [None, "c1", Pending("", "c1", None), Pending("pay", None, {})])
def test_what_is_no_waiting_call_cannot_be_decided(item: object) -> None:
    context = RunContextWrapper(None)
    with pytest.raises(UserError, match="interruptions"):
        context.approve_tool(item)
    with pytest.raises(UserError, match="interruptions"):
        context.reject_tool(item)


def test_a_call_shares_what_belongs_to_the_run() -> None:
    run = RunContextWrapper("mine", tool_input={"a": 1})
    call = ToolContext.from_agent_context(
        run,
        "c1",
        agent="A",
        tool_name="pay",
        tool_arguments="{}",
        run_config="config",
    )
    assert (call.tool_name, call.tool_call_id, call.tool_arguments) == ("pay", "c1", "{}")
    assert (call.agent, call.run_config, call.tool_input) == ("A", "config", {"a": 1})
    assert call.context is run.context
    assert call.usage is run.usage
    assert call.turn_input is run.turn_input
    call.approve_tool(Pending())
    assert run.is_tool_approved("pay", "c1") is True


@pytest.mark.parametrize(
    "tool_call",
    [
        {"name": "pay", "arguments": '{"a": 1}'},
        SimpleNamespace(name="pay", arguments='{"a": 1}'),
    ],
)
def test_a_call_reads_name_and_arguments_from_the_providers_form(tool_call: object) -> None:
    call = ToolContext.from_agent_context(RunContextWrapper(None), "c1", tool_call)
    assert (call.tool_name, call.tool_arguments) == ("pay", '{"a": 1}')
    assert call.tool_call is tool_call


def test_a_call_without_a_name_is_refused() -> None:
    with pytest.raises(ValueError, match="tool_name"):
        ToolContext.from_agent_context(RunContextWrapper(None), "c1")


def test_a_name_may_stand_in_a_namespace() -> None:
    call = ToolContext(None, tool_name="pay", tool_call_id="c1", tool_arguments="")
    assert call.qualified_tool_name == "pay"
    call.tool_namespace = "bank"
    assert call.qualified_tool_name == "bank.pay"


def test_hooks_get_a_context_like_any_other() -> None:
    assert AgentHookContext("mine").context == "mine"
