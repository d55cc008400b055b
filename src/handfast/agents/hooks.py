"""Hooks: what a user wants to be told while a run goes on.

Subclass and override what you need; every method is an async no-op here. A hook that raises ends
the run with its exception.
"""

from __future__ import annotations

from typing import Any, Generic

from typing_extensions import TypeVar

from handfast.agents.context import RunContextWrapper, TContext
from handfast.agents.raw import InputItem, ModelResponse

TAgent = TypeVar("TAgent", default=Any)


class RunHooksBase(Generic[TContext, TAgent]):
    """Told of everything in a run, whichever agent it happens to."""

    async def on_llm_start(
        self,
        context: RunContextWrapper[TContext],
        agent: TAgent,
        system_prompt: str | None,
        input_items: list[InputItem],
    ) -> None:
        """A model is about to be called with this prompt and input."""

    async def on_llm_end(
        self,
        context: RunContextWrapper[TContext],
        agent: TAgent,
        response: ModelResponse,
    ) -> None:
        """A model has answered."""

    async def on_agent_start(self, context: RunContextWrapper[TContext], agent: TAgent) -> None:
        """An agent takes over: the first one, or after a handoff."""

    async def on_agent_end(
        self,
        context: RunContextWrapper[TContext],
        agent: TAgent,
        output: Any,  # noqa: ANN401 - an agent's output_type can be any type
    ) -> None:
        """An agent has given the final output."""

    async def on_handoff(
        self,
        context: RunContextWrapper[TContext],
        from_agent: TAgent,
        to_agent: TAgent,
    ) -> None:
        """One agent hands over to another. Called with keywords."""

    async def on_tool_start(
        self,
        context: RunContextWrapper[TContext],
        agent: TAgent,
        tool: Any,  # noqa: ANN401 - tools of all kinds; users name the one they mean
    ) -> None:
        """A tool is about to run; `context` is its `ToolContext`."""

    async def on_tool_end(
        self,
        context: RunContextWrapper[TContext],
        agent: TAgent,
        tool: Any,  # noqa: ANN401 - tools of all kinds; users name the one they mean
        result: Any,  # noqa: ANN401 - a tool may return anything
    ) -> None:
        """A tool has answered."""


class AgentHooksBase(Generic[TContext, TAgent]):
    """Told of what happens to one agent: set as `Agent.hooks`."""

    async def on_start(self, context: RunContextWrapper[TContext], agent: TAgent) -> None:
        """This agent takes over."""

    async def on_end(
        self,
        context: RunContextWrapper[TContext],
        agent: TAgent,
        output: Any,  # noqa: ANN401 - an agent's output_type can be any type
    ) -> None:
        """This agent has given the final output."""

    async def on_handoff(
        self,
        context: RunContextWrapper[TContext],
        agent: TAgent,
        source: TAgent,
    ) -> None:
        """This agent hands over: it is `source`, `agent` takes over. Called with keywords."""

    async def on_tool_start(
        self,
        context: RunContextWrapper[TContext],
        agent: TAgent,
        tool: Any,  # noqa: ANN401 - tools of all kinds; users name the one they mean
    ) -> None:
        """A tool of this agent is about to run; `context` is its `ToolContext`."""

    async def on_tool_end(
        self,
        context: RunContextWrapper[TContext],
        agent: TAgent,
        tool: Any,  # noqa: ANN401 - tools of all kinds; users name the one they mean
        result: Any,  # noqa: ANN401 - a tool may return anything
    ) -> None:
        """A tool of this agent has answered."""

    async def on_llm_start(
        self,
        context: RunContextWrapper[TContext],
        agent: TAgent,
        system_prompt: str | None,
        input_items: list[InputItem],
    ) -> None:
        """This agent's model is about to be called with this prompt and input."""

    async def on_llm_end(
        self,
        context: RunContextWrapper[TContext],
        agent: TAgent,
        response: ModelResponse,
    ) -> None:
        """This agent's model has answered."""


RunHooks = RunHooksBase
"""Hooks for a whole run: `Runner.run(..., hooks=...)`."""

AgentHooks = AgentHooksBase
"""Hooks for one agent: `Agent(hooks=...)`."""
