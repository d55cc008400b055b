"""An agent used as a tool: its run is a child of the caller's, and pauses with it."""

from __future__ import annotations

from dataclasses import replace

from handfast.agents.agent_tool import AgentCall, AgentToolSpec
from handfast.agents.context import ToolContext
from handfast.agents.handoff import Handoff
from handfast.agents.raw import raw_view
from handfast.agents.tool import FunctionTool
from handfast.agents.tool_invocation import answer_failure, foreign_errors
from handfast.core.effects import RunAgent
from handfast.core.loop import open_effects
from handfast.core.outcomes import AgentPaused, ToolReturned
from handfast.core.state import RunState, waits_for_person
from handfast.core.usage import NOTHING_SPENT, Spend
from handfast.runner.agent_stream import tell_events
from handfast.runner.call_settings import inner_cache_key
from handfast.runner.checkpoint import Checkpoint
from handfast.runner.custom_data import with_custom_data
from handfast.runner.nested_run import (
    agent_behind,
    nested_config,
    nested_context,
    nested_options,
    output_of,
)
from handfast.runner.once import answered, recalled
from handfast.runner.preparation import Prepared, prepare
from handfast.runner.result import ResultBase, RunResult, raise_stopped
from handfast.runner.returning_handoff import run_returning_handoff
from handfast.runner.run import Run
from handfast.runner.run_trace import run_trace
from handfast.runner.stream import RunResultStreaming
from handfast.runner.tool_answer import result_of
from handfast.runner.tool_call import (
    check_tool_input,
    check_tool_output,
    tell_tool_end,
    tell_tool_start,
    tool_context,
    unknown_tool,
)


async def run_agent(run: Run, effect: RunAgent) -> ToolReturned | AgentPaused:
    """Run the agent behind one freed call, or go on with it after a pause.

    Raises:
        HandfastError: The agent's run failed, and the tool's `failure_error_function` is None.
    """
    agent = run.catalog[effect.agent]
    box = await run.toolboxes.of(agent, run.context)
    tool = box.by_name.get(effect.call.name)
    if isinstance(tool, Handoff):
        return await run_returning_handoff(run, effect, tool)
    if not isinstance(tool, FunctionTool) or tool.agent_tool is None:
        return ToolReturned(effect.id, await unknown_tool(run, agent, effect.call, box))
    context = tool_context(run, agent, effect.call)
    known = recalled(run, effect, idempotent=tool.idempotent)
    if known is not None:
        return known
    begun = effect.child is not None or run.ledger.inside_of(effect.id) is not None
    if not begun:
        refused = await check_tool_input(run, agent, tool, context)
        if refused is not None:
            return ToolReturned(effect.id, result_of(effect.call, refused, tool.max_output_chars))
    run.ledger.start(effect.id)
    if not begun:
        await tell_tool_start(run, agent, tool, context)
    spent: list[Spend] = []
    with foreign_errors(tool):
        value = await answer_failure(
            _child_value(run, effect, tool.agent_tool, context, spent),
            tool.name,
            tool.failure_error_function,
            context,
        )
    if isinstance(value, RunState):
        run.ledger.pause(effect.id)
        return AgentPaused(effect.id, value)
    value = await check_tool_output(run, agent, tool, context, value)
    result = result_of(effect.call, value, tool.max_output_chars)
    outcome = answered(run, effect, result, spent[0] if spent else NOTHING_SPENT)
    outcome = await with_custom_data(run, effect, tool, context, outcome)
    await tell_tool_end(run, agent, tool, context, value)
    return outcome


async def _child_value(
    run: Run,
    effect: RunAgent,
    spec: AgentToolSpec,
    context: ToolContext,
    spent: list[Spend],
) -> object:
    """The tool's output; the child's state instead, where that waits for a person.

    What the child spent is noted even when it fails.
    """
    call = await spec.read(effect.call.arguments, context.tool_name)
    prepared = await _prepared(run, effect, spec, context, call)
    child = prepared.run
    try:
        result = await _driven(prepared, spec, effect)
    finally:
        spent.append(child.state.spend)
    if waits_for_person(child.state):
        return child.state
    return await output_of(spec, result)


async def _prepared(
    run: Run,
    effect: RunAgent,
    spec: AgentToolSpec,
    context: ToolContext,
    call: AgentCall,
) -> Prepared:
    """The run behind a call, where it begins or goes on; the caller's ledger knows of it."""
    config = nested_config(spec, run.config) or run.config
    own = nested_context(context, call, config)
    options = nested_options(spec, own, config)
    prepared = prepare(agent_behind(spec), call.input, options, config, run.driver)
    child, known = prepared.run, run.ledger.inside_of(effect.id)
    child.cache_key = inner_cache_key(run, child, context.tool_call_id)
    if known is not None:
        _take_up(child, known)
    stored = effect.child if known is None else known.core
    step = await prepared.begin() if stored is None else (stored, open_effects(stored))
    child.begin(step)
    run.ledger.enter(effect.id, child.checkpoint)
    return replace(prepared, step=step, given=None)


def _take_up(child: Run, known: Checkpoint) -> None:
    """Go on from where the agent's run was when its caller's stopped."""
    child.take_up(known)
    child.server = known.server
    if child.keeper is not None:
        child.keeper.kept = known.kept


async def _driven(prepared: Prepared, spec: AgentToolSpec, effect: RunAgent) -> ResultBase:
    """What the run came to; with a listener, it is a streamed one.

    Raises:
        HandfastError: It failed.
    """
    child = prepared.run
    if spec.on_stream is not None:
        streamed = RunResultStreaming.start(prepared)
        call = raw_view(effect.call.raw)
        await tell_events(streamed, spec.on_stream, spec.on_stream_max_pending_events, call)
        return streamed
    with run_trace(child.config):
        await child.driver(child, prepared.step)
    raise_stopped(child)
    return RunResult.of(child)
