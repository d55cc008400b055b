from __future__ import annotations

from typing import Any

import pytest

from handfast import Agent, ToolContext, UserError, function_tool
from handfast.testing.messages import assistant_message, function_call
from handfast.testing.scripted_model import ScriptedModel


def context() -> ToolContext[Any]:
    return ToolContext("ctx", tool_name="ask", tool_call_id="c1", tool_arguments="")


async def test_an_agent_tool_invoked_by_hand_runs_its_agent() -> None:
    helper = Agent(name="helper", model=ScriptedModel([[assistant_message("alone")]]))
    ctx = context()
    assert await helper.as_tool("ask", "Ask.").on_invoke_tool(ctx, '{"input": "q"}') == "alone"
    assert ctx.usage.requests == 1


async def test_a_call_that_needs_approval_has_nobody_to_wait_for() -> None:
    @function_tool(needs_approval=True)
    def act() -> str:
        return "acted"

    helper = Agent(name="helper", model=ScriptedModel([[function_call("act")]]), tools=[act])
    with pytest.raises(UserError, match="needs approval"):
        await helper.as_tool("ask", "Ask.").on_invoke_tool(context(), '{"input": "q"}')
