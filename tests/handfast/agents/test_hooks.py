"""Hooks."""

from __future__ import annotations

import inspect

import pytest

from handfast.agents.agent import Agent
from handfast.agents.context import RunContextWrapper
from handfast.agents.hooks import AgentHooks, AgentHooksBase, RunHooks, RunHooksBase
from handfast.agents.raw import ModelResponse

CONTEXT: RunContextWrapper[None] = RunContextWrapper(None)
A, B = Agent(name="A"), Agent(name="B")

RUN_HOOKS = {
    "on_llm_start": ["context", "agent", "system_prompt", "input_items"],
    "on_llm_end": ["context", "agent", "response"],
    "on_agent_start": ["context", "agent"],
    "on_agent_end": ["context", "agent", "output"],
    "on_handoff": ["context", "from_agent", "to_agent"],
    "on_tool_start": ["context", "agent", "tool"],
    "on_tool_end": ["context", "agent", "tool", "result"],
}
AGENT_HOOKS = {
    "on_start": ["context", "agent"],
    "on_end": ["context", "agent", "output"],
    "on_handoff": ["context", "agent", "source"],
    "on_tool_start": ["context", "agent", "tool"],
    "on_tool_end": ["context", "agent", "tool", "result"],
    "on_llm_start": ["context", "agent", "system_prompt", "input_items"],
    "on_llm_end": ["context", "agent", "response"],
}


@pytest.mark.parametrize(
    ("hooks", "expected"),
    [(RunHooksBase, RUN_HOOKS), (AgentHooksBase, AGENT_HOOKS)],
)
def test_methods_and_parameters_have_the_sdks_names(
    hooks: type,
    expected: dict[str, list[str]],
) -> None:
    methods = {name: method for name, method in vars(hooks).items() if name.startswith("on_")}
    named = {name: list(inspect.signature(m).parameters)[1:] for name, m in methods.items()}
    assert named == expected


async def test_every_method_does_nothing_until_it_is_overridden() -> None:
    run, agent = RunHooks[None](), AgentHooks[None]()
    await run.on_llm_start(CONTEXT, A, "prompt", [])
    await run.on_llm_end(CONTEXT, A, ModelResponse([]))
    await run.on_agent_start(CONTEXT, A)
    await run.on_agent_end(CONTEXT, A, "out")
    await run.on_handoff(context=CONTEXT, from_agent=A, to_agent=B)
    await run.on_tool_start(CONTEXT, A, None)
    await run.on_tool_end(CONTEXT, A, None, 1)
    await agent.on_start(CONTEXT, A)
    await agent.on_end(CONTEXT, A, "out")
    await agent.on_handoff(context=CONTEXT, agent=B, source=A)
    await agent.on_tool_start(CONTEXT, A, None)
    await agent.on_tool_end(CONTEXT, A, None, 1)
    await agent.on_llm_start(CONTEXT, A, None, [])
    await agent.on_llm_end(CONTEXT, A, ModelResponse([]))


async def test_a_subclass_overrides_what_it_needs() -> None:
    class Watch(RunHooks[None]):
        def __init__(self) -> None:
            self.seen: list[str] = []

        async def on_handoff(
            self,
            context: RunContextWrapper[None],
            from_agent: Agent,
            to_agent: Agent,
        ) -> None:
            self.seen.append(f"{from_agent.name} to {to_agent.name} in {context.context}")

    watch = Watch()
    await watch.on_handoff(context=CONTEXT, from_agent=A, to_agent=B)
    await watch.on_agent_start(CONTEXT, A)
    assert watch.seen == ["A to B in None"]
