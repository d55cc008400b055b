from __future__ import annotations

import gc
from typing import Any

import pytest

from handfast import (
    Agent,
    AgentsException,
    AgentToolInvocation,
    MessageOutputItem,
    ModelResponse,
    RunContextWrapper,
    RunItem,
    ToolApprovalItem,
    ToolContext,
    Usage,
    UserError,
)
from handfast.runner.given_view import GivenView
from handfast.testing.messages import assistant_message, function_call

AGENT: Agent[Any] = Agent(name="a")


def view(agent: Agent[Any] = AGENT, context: RunContextWrapper[Any] | None = None) -> GivenView:
    items: list[RunItem] = [
        MessageOutputItem(AGENT, assistant_message("hi")),
        ToolApprovalItem(AGENT, function_call("pay")),
    ]
    responses = [ModelResponse([], Usage(), "r1"), ModelResponse([], Usage(), "r2")]
    context = context or RunContextWrapper(None)
    return GivenView("go", items, responses, "hi", [], [], [], [], context, agent)


def test_it_is_read_as_a_run_is() -> None:
    given = view()
    assert given.last_agent is AGENT
    assert given.last_response_id == "r2"
    assert given.to_input_list() == [{"role": "user", "content": "go"}, assistant_message("hi")]
    with pytest.raises(UserError, match="no run behind it"):
        given.to_state()


def test_the_context_of_a_call_tells_which_call_it_answers() -> None:
    assert view().agent_tool_invocation is None
    context: ToolContext[Any] = ToolContext(None, Usage(), "ask", "c1", "{}")
    assert view(context=context).agent_tool_invocation == AgentToolInvocation("ask", "c1", "{}")


def test_a_released_agent_is_there_as_long_as_the_program_holds_it() -> None:
    held = view()
    held.release()
    held.release()
    assert held.last_agent is AGENT
    dropped = view(Agent(name="dropped"))
    dropped.release()
    gc.collect()
    with pytest.raises(AgentsException, match="no longer available"):
        _ = dropped.last_agent
