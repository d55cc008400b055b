"""Agents."""

from __future__ import annotations

import gc
import timeit
import weakref
from typing import Any

import pytest

from handfast.agents.agent import Agent, AgentBase, is_agent
from handfast.agents.context import RunContextWrapper
from handfast.agents.guardrail import GuardrailFunctionOutput, InputGuardrail
from handfast.agents.handoff import handoff
from handfast.agents.model_settings import ModelSettings
from handfast.agents.prompt import GenerateDynamicPromptData
from handfast.agents.tool import FunctionTool
from handfast.errors import UserError

CONTEXT: RunContextWrapper[str] = RunContextWrapper("ctx")


async def nothing(_context: object, _arguments: str) -> object:
    return None


def tool(name: str, *, is_enabled: Any = True) -> FunctionTool:
    return FunctionTool(name, "", {}, nothing, is_enabled=is_enabled)


def passes(*_given: object) -> GuardrailFunctionOutput:
    return GuardrailFunctionOutput(None, tripwire_triggered=False)


def test_a_name_is_enough() -> None:
    agent = Agent(name="A")
    lists = (agent.tools, agent.handoffs, agent.mcp_servers, agent.input_guardrails)
    assert all(each == [] for each in (*lists, agent.output_guardrails))
    absent = (agent.instructions, agent.prompt, agent.model, agent.output_type, agent.hooks)
    assert all(each is None for each in absent)
    assert agent.model_settings == ModelSettings()
    assert agent.tool_use_behavior == "run_llm_again"
    assert agent.reset_tool_choice is True
    assert Agent(name="B").tools is not agent.tools


@pytest.mark.parametrize(
    ("field", "elements", "said_so"),
    [
        ("handoffs", ["billing"], r"handoffs\[0\] must be an Agent or a Handoff.*got str"),
        ("handoffs", [Agent(name="B"), None], r"handoffs\[1\] .*got NoneType"),
        ("tools", [print], r"tools\[0\] must be a tool; .*function_tool, got builtin"),
        ("tools", [tool("a"), Agent(name="B")], r"tools\[1\] .*got Agent"),
        ("input_guardrails", [passes], r"input_guardrails\[0\] .*@input_guardrail, got function"),
        ("output_guardrails", [InputGuardrail[Any](passes)], r"output_guardrails\[0\] .*got Input"),
    ],
)
def test_an_element_that_cannot_work_is_refused_not_ignored(
    field: str,
    elements: list[object],
    said_so: str,
) -> None:
    fields: dict[str, Any] = {"name": "A", field: elements}
    with pytest.raises(TypeError, match=said_so):
        Agent(**fields)


def test_agents_are_equal_only_to_themselves_and_may_hand_over_in_a_circle() -> None:
    one, two = Agent(name="A"), Agent(name="A")
    one.handoffs.append(two)
    two.handoffs.append(one)
    assert one != two
    assert len({one, two}) == 2
    assert repr(one) == "Agent(name='A', tools=[], handoffs=['A'])"


def test_a_repr_names_tools_and_receivers() -> None:
    agent = Agent(name="T", tools=[tool("x")], handoffs=[handoff(Agent(name="退款"))])
    assert repr(agent) == "Agent(name='T', tools=['x'], handoffs=['退款'])"


def test_a_clone_shares_the_lists_that_are_not_replaced() -> None:
    agent = Agent(name="A", instructions="i", tools=[tool("x")])
    copy = agent.clone(name="B", handoffs=[agent])
    assert (copy.name, copy.instructions) == ("B", "i")
    assert copy.tools is agent.tools
    assert copy.handoffs == [agent]
    assert agent.handoffs == []
    with pytest.raises(TypeError):
        agent.clone(nmae="typo")
    with pytest.raises(TypeError, match="Agent name must be"):
        agent.clone(name=5)


# ---- instructions and prompts


async def test_instructions_are_text_or_a_function_of_context_and_agent() -> None:
    def now(context: RunContextWrapper[str], agent: Agent[str]) -> str:
        return f"{agent.name} {context.context}"

    async def later(context: RunContextWrapper[str], agent: Agent[str]) -> str:
        return now(context, agent)

    assert await Agent[str](name="A", instructions="text").get_system_prompt(CONTEXT) == "text"
    assert await Agent[str](name="A").get_system_prompt(CONTEXT) is None
    assert await Agent[str](name="A", instructions=now).get_system_prompt(CONTEXT) == "A ctx"
    assert await Agent[str](name="A", instructions=later).get_system_prompt(CONTEXT) == "A ctx"


async def test_a_method_can_be_the_instructions() -> None:
    class Writer:
        def write(self, context: RunContextWrapper[str], _agent: object) -> str:
            return context.context

    agent: Agent[str] = Agent(name="A", instructions=Writer().write)
    assert await agent.get_system_prompt(CONTEXT) == "ctx"


def no_arguments() -> str:
    return "x"


def one_argument(_context: object) -> str:
    return "x"


def three_arguments(_context: object, _agent: object, _more: object) -> str:
    return "x"


@pytest.mark.parametrize("function", [no_arguments, one_argument, three_arguments])
async def test_instructions_with_another_number_of_arguments_are_refused(function: Any) -> None:
    with pytest.raises(TypeError, match="must accept exactly 2 arguments"):
        await Agent[str](name="A", instructions=function).get_system_prompt(CONTEXT)


async def test_instructions_that_are_no_text_are_refused() -> None:
    def wrong(_context: object, _agent: object) -> Any:
        return 5

    with pytest.raises(UserError, match="instructions of 'A' must return a str, not int"):
        await Agent[str](name="A", instructions=wrong).get_system_prompt(CONTEXT)


async def test_a_callable_that_does_not_tell_its_arguments_is_tried() -> None:
    made: Any = dict
    with pytest.raises(TypeError):
        await Agent[str](name="A", instructions=made).get_system_prompt(CONTEXT)


async def test_a_stored_prompt_is_given_or_made() -> None:
    async def later(data: GenerateDynamicPromptData) -> dict[str, object]:
        return {"id": data.agent.name, "version": str(data.context.context)}

    told = {"id": "p", "version": None, "variables": None}
    assert await Agent[str](name="A").get_prompt(CONTEXT) is None
    assert await Agent[str](name="A", prompt={"id": "p"}).get_prompt(CONTEXT) == told
    made = await Agent[str](name="A", prompt=later).get_prompt(CONTEXT)
    assert made == {"id": "A", "version": "ctx", "variables": None}
    with pytest.raises(UserError, match="must be a mapping with an 'id'"):
        await Agent[str](name="A", prompt=lambda _data: {}).get_prompt(CONTEXT)


# ---- tools and handoffs


def is_asked_for(context: RunContextWrapper[str], _agent: object) -> bool:
    return context.context == "ctx"


async def test_only_enabled_tools_are_offered_after_those_of_servers() -> None:
    class Server:
        name = "files"

        async def list_function_tools(
            self,
            context: RunContextWrapper[Any],
            agent: AgentBase[Any],
        ) -> list[FunctionTool]:
            return [tool(f"{agent.name}_{context.context}")]

    agent: Agent[str] = Agent(
        name="A",
        tools=[
            tool("on"),
            tool("off", is_enabled=False),
            tool("asked", is_enabled=is_asked_for),
        ],
        mcp_servers=[Server()],
    )
    assert [each.name for each in await agent.get_all_tools(CONTEXT)] == ["A_ctx", "on", "asked"]
    assert [each.name for each in await agent.get_mcp_tools(CONTEXT)] == ["A_ctx"]


async def test_tools_that_were_asked_are_offered_though_the_list_changes_meanwhile() -> None:
    def swap(_context: object, agent: AgentBase[Any]) -> bool:
        agent.tools = [tool("later")]
        return True

    agent: Agent[str] = Agent(name="A", tools=[tool("asked", is_enabled=swap)])
    assert [each.name for each in await agent.get_all_tools(CONTEXT)] == ["asked"]
    assert [each.name for each in await agent.get_all_tools(CONTEXT)] == ["later"]


def test_handoffs_are_listed_as_handoff_objects() -> None:
    target = Agent(name="B", handoff_description="Does b.")
    made = handoff(target, tool_name_override="to_b")
    listed = Agent(name="A", handoffs=[target, made]).get_handoffs()
    assert [each.tool_name for each in listed] == ["transfer_to_b", "to_b"]
    assert listed[0].tool_description.endswith("Does b.")
    assert listed[1] is made


def test_what_was_put_into_the_list_later_is_checked_when_it_is_used() -> None:
    agent = Agent(name="A")
    wrong: Any = "B"
    agent.handoffs.append(wrong)
    with pytest.raises(UserError, match="Agent 'A' hands off to 'B'; it must be an Agent"):
        agent.get_handoffs()


def test_only_an_agent_is_an_agent() -> None:
    assert is_agent(Agent(name="A"))
    assert not is_agent("A")


# ---- cost


def test_making_an_agent_takes_microseconds() -> None:
    best = min(timeit.repeat(lambda: Agent(name="A"), number=500, repeat=9)) / 500
    assert (
        best < 100e-6
    )  # about 3e-6 on a quiet machine; this is to notice a schema built by mistake


def test_agents_in_a_circle_are_freed() -> None:
    one, two = Agent(name="A", tools=[tool("x")]), Agent(name="B")
    one.handoffs.append(two)
    two.handoffs.append(handoff(one))
    watched = weakref.ref(one)
    del one, two
    gc.collect()
    assert watched() is None


def test_it_is_known_how_often_the_tools_of_an_agent_were_set() -> None:
    agent = Agent(name="a")
    before = agent.tools_set
    agent.name = "b"
    agent.tools.clear()
    assert agent.tools_set == before
    agent.tools = []
    assert agent.tools_set == before + 1
    assert agent.clone().tools_set == before
