from __future__ import annotations

from typing import Any

import pytest

from handfast import Agent, FunctionTool, RunContextWrapper, UserError, function_tool, handoff
from handfast.runner.toolbox import Toolboxes

CONTEXT: RunContextWrapper[Any] = RunContextWrapper(None)


@function_tool
def one() -> str:
    """One."""
    return "1"


@function_tool(name_override="one")
def other_one() -> str:
    """Another one."""
    return "one"


async def test_tools_and_handoffs_are_told_apart_by_name() -> None:
    helper = Agent(name="helper")
    agent = Agent(
        name="a",
        tools=[one, helper.as_tool("ask_helper", "Ask.")],
        handoffs=[helper, handoff(Agent(name="other"))],
    )
    box = await Toolboxes("warn").of(agent, CONTEXT)
    assert dict(box.offer.kinds) == {
        "one": "function",
        "ask_helper": "agent",
        "transfer_to_helper": "handoff",
        "transfer_to_other": "handoff",
    }
    assert not box.offer.judges_tools


async def test_what_is_not_enabled_is_not_offered() -> None:
    calls: list[str] = []

    def enabled(context: RunContextWrapper[Any], agent: object) -> bool:
        del context, agent
        calls.append("asked")
        return len(calls) > 1

    @function_tool(is_enabled=enabled)
    def hidden() -> str:
        return ""

    agent = Agent(
        name="a",
        tools=[one, hidden],
        handoffs=[handoff(Agent(name="b"), is_enabled=False)],
    )
    boxes = Toolboxes("warn")
    assert set((await boxes.fresh(agent, CONTEXT)).by_name) == {"one"}
    assert set((await boxes.fresh(agent, CONTEXT)).by_name) == {"one", "hidden"}


async def test_a_toolbox_that_cannot_differ_is_kept_until_a_list_changes() -> None:
    agent = Agent(name="a", tools=[one])
    boxes = Toolboxes("warn")
    first = await boxes.fresh(agent, CONTEXT)
    assert await boxes.fresh(agent, CONTEXT) is first
    agent.tools.append(Agent(name="b").as_tool("ask", "Ask."))
    assert set((await boxes.fresh(agent, CONTEXT)).by_name) == {"one", "ask"}
    agent.tools.clear()
    assert (await boxes.fresh(agent, CONTEXT)).by_name == {}


async def test_a_turn_keeps_the_tools_that_its_model_was_offered() -> None:
    agent = Agent(name="a", tools=[one])
    boxes = Toolboxes("warn")
    offered = await boxes.fresh(agent, CONTEXT)
    agent.tools.clear()
    assert await boxes.of(agent, CONTEXT) is offered
    assert boxes.latest(agent) is offered
    assert boxes.latest(Agent(name="b")) is None


async def test_two_tools_of_one_name_are_refused_or_warned_of(
    caplog: pytest.LogCaptureFixture,
) -> None:
    agent = Agent(name="a", tools=[one, other_one])
    with pytest.raises(UserError, match="the tool name `one` is used by multiple tools"):
        await Toolboxes("error").of(agent, CONTEXT)
    box = await Toolboxes("warn").of(agent, CONTEXT)
    assert box.by_name["one"] is other_one
    assert "is used by" in caplog.text


async def test_agents_whose_names_look_alike_stay_apart() -> None:
    agent = Agent(name="a", handoffs=[Agent(name="退款"), Agent(name="账单"), Agent(name="B b")])
    box = await Toolboxes("error").of(agent, CONTEXT)
    assert len(box.by_name) == 3
    assert [each.agent_name for each in box.handoffs] == ["退款", "账单", "B b"]


@pytest.mark.parametrize(
    ("tools", "handoffs", "owners"),
    [
        ([one, other_one], 0, "the tool name `one` is used by multiple tools"),
        ([], 2, "the handoff tool name `one` is used by multiple handoffs"),
        ([one], 1, "the tool name `one` is used by both a function tool and a handoff"),
    ],
)
async def test_a_refusal_says_what_shares_a_name(
    tools: list[FunctionTool], handoffs: int, owners: str
) -> None:
    targets = [handoff(Agent(name=f"t{n}"), tool_name_override="one") for n in range(handoffs)]
    agent = Agent(name="a", tools=list(tools), handoffs=list(targets))
    with pytest.raises(UserError, match=owners):
        await Toolboxes("error").of(agent, CONTEXT)


async def test_tools_that_change_while_they_are_asked_are_offered_in_the_next_turn() -> None:
    def swap(_context: object, agent: Any) -> bool:
        agent.tools[:] = [one]
        return True

    @function_tool(is_enabled=swap)
    def first() -> str:
        return ""

    agent = Agent(name="a", tools=[first])
    boxes = Toolboxes("warn")
    assert set((await boxes.fresh(agent, CONTEXT)).by_name) == {"first"}
    assert set((await boxes.fresh(agent, CONTEXT)).by_name) == {"one"}
