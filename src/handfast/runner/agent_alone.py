"""An agent whose tool a program invokes by hand: a run of its own, begun at the public door.

Inside a run an agent tool is an effect of that run. Invoked by hand it has no run around it: it is
`Runner.run`, or `Runner.run_streamed` where somebody listens, with what `as_tool` was given. The
door comes from above: the module that has `Runner` passes it to this one, and registers what comes
of that with the agents, which know nothing of runners.
"""

from __future__ import annotations

from typing import Any, Protocol

from handfast.agents.agent_tool import AgentCall, AgentToolSpec
from handfast.agents.context import RunContextWrapper, ToolContext
from handfast.errors import AgentToolPausedError
from handfast.runner.agent_stream import tell_events
from handfast.runner.nested_run import (
    agent_behind,
    nested_config,
    nested_context,
    nested_options,
    output_of,
)
from handfast.runner.paused_tools import PAUSED_TOOLS
from handfast.runner.preparation import RunOptions


class Door(Protocol):
    """What begins runs: `Runner`."""

    def run(self, *args: Any, **options: Any) -> Any:  # noqa: ANN401 - a runner's own
        """`(agent, input, **options)`, awaited: a result."""
        ...

    def run_streamed(self, *args: Any, **options: Any) -> Any:  # noqa: ANN401 - a runner's own
        """`(agent, input, **options)`: a streamed result."""
        ...


class AgentAlone:
    """Runs the agents of tools that are invoked by hand.

    Args:
        door: What begins their runs.
    """

    def __init__(self, door: Door) -> None:
        self._door = door

    async def __call__(
        self,
        spec: AgentToolSpec,
        context: RunContextWrapper,
        call: AgentCall,
    ) -> object:
        """The tool's output.

        A run that waits for a person is kept by its call, and goes on when the tool is invoked for
        the same call again.

        Raises:
            AgentToolPausedError: A call inside waits for a person.
            HandfastError: The agent's run failed.
        """
        given = context.run_config if isinstance(context, ToolContext) else None
        config = nested_config(spec, given)
        own = nested_context(context, call, config)
        scope, tool_call = PAUSED_TOOLS.scope_of(context), _call_of(context)
        if scope is not None:
            PAUSED_TOOLS.set_scope(own, scope)
        options = nested_options(spec, own, config)
        stored = None if tool_call is None else PAUSED_TOOLS.peek(tool_call, scope)
        if stored is not None:
            stored = _state_of(stored, context)
            # Kept while it goes on: where that fails, it can be tried again from there.
            PAUSED_TOOLS.keep(tool_call, stored, scope)
            options |= {"previous_response_id": None, "conversation_id": None}
        result = await self._run(spec, call.input if stored is None else stored, options, tool_call)
        if tool_call is not None:
            PAUSED_TOOLS.take(tool_call, scope)
        if waiting := getattr(result, "interruptions", ()):
            if tool_call is not None:
                PAUSED_TOOLS.keep(tool_call, result, scope)
            raise AgentToolPausedError(_advice(spec, kept=tool_call is not None), waiting)
        return await output_of(spec, result)

    async def _run(
        self,
        spec: AgentToolSpec,
        given: object,
        options: RunOptions,
        tool_call: object,
    ) -> Any:  # noqa: ANN401 - the door's own kind of result
        agent = agent_behind(spec)
        if spec.on_stream is None:
            return await self._door.run(agent, given, **options)
        streamed = self._door.run_streamed(agent, given, **options)
        await tell_events(streamed, spec.on_stream, spec.on_stream_max_pending_events, tool_call)
        return streamed


def _call_of(context: RunContextWrapper) -> object:
    return context.tool_call if isinstance(context, ToolContext) else None


def _state_of(kept: Any, context: RunContextWrapper) -> Any:  # noqa: ANN401 - a result, or a state
    """The state to go on with: it counts on in the caller's usage, and knows what was decided."""
    state = kept.to_state() if hasattr(kept, "to_state") else kept
    own = getattr(state, "context_wrapper", None)
    if own is not None:
        own.usage = context.usage
        known = own.approvals.decisions
        for decision in [each for each in context.approvals.decisions if each not in known]:
            own.approvals.record(decision)
    return state


def _advice(spec: AgentToolSpec, *, kept: bool) -> str:
    how = (
        "Decide with approve_tool or reject_tool of the context, and invoke the tool again."
        if kept
        else "Let Runner.run call the tool: its run waits."
    )
    return f"A call inside the agent tool {spec.agent.name!r} needs approval. {how}"
