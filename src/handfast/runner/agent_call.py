"""An agent used as a tool: its run is a child of the caller's, and pauses with it."""

from __future__ import annotations

import inspect
from typing import Any, cast

from handfast.agents.agent import is_agent
from handfast.agents.agent_tool import AgentCall, AgentToolInvocation, AgentToolSpec
from handfast.agents.approval import Approvals
from handfast.agents.context import RunContextWrapper, ToolContext
from handfast.agents.handoff import Handoff
from handfast.agents.input_items import input_to_items
from handfast.agents.session import Session
from handfast.agents.tool import FunctionTool
from handfast.agents.tool_invocation import answer_failure, foreign_errors
from handfast.core.effects import RunAgent
from handfast.core.loop import Step, open_effects
from handfast.core.outcomes import AgentPaused, ToolReturned
from handfast.core.state import RunState, waits_for_person
from handfast.core.usage import NOTHING_SPENT, Spend
from handfast.errors import UserError
from handfast.runner.begin import first_step
from handfast.runner.call_settings import inner_cache_key
from handfast.runner.config import DEFAULT_MAX_TURNS, RunConfig
from handfast.runner.keeping import Keeper
from handfast.runner.once import answered, recalled
from handfast.runner.result import RunResult, raise_stopped
from handfast.runner.returning_handoff import run_returning_handoff
from handfast.runner.run import Run
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
    if effect.child is None:
        refused = await check_tool_input(run, agent, tool, context)
        if refused is not None:
            return ToolReturned(effect.id, result_of(effect.call, refused, tool.max_output_chars))
    run.ledger.start(effect.id)
    if effect.child is None:
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
    await tell_tool_end(run, agent, tool, context, value)
    return outcome


async def _child_value(
    run: Run,
    effect: RunAgent,
    spec: AgentToolSpec,
    context: ToolContext[Any],
    spent: list[Spend],
) -> object:
    """The tool's output; the child's state instead, where that waits for a person.

    What the child spent is noted even when it fails.
    """
    call = await spec.read(effect.call.arguments)
    child = child_run(run, spec, context, call)
    child.cache_key = inner_cache_key(run, child, effect.call.call_id)
    step = await child_step(child, spec, call, effect.child)
    try:
        state = await run.driver(child, step)
    finally:
        spent.append(child.state.spend)
    if waits_for_person(state):
        return state
    raise_stopped(child)
    return await output_of(spec, RunResult.of(child))


def child_run(
    run: Run,
    spec: AgentToolSpec,
    context: RunContextWrapper[Any],
    call: AgentCall,
) -> Run:
    """The run behind a call: it shares the caller's context object, usage and decisions."""
    if not is_agent(agent := spec.agent):
        raise UserError(f"{spec.agent.name!r} is no Agent and cannot be run.")
    config = run.config if spec.run_config is None else _config(spec.run_config)
    own: RunContextWrapper[Any] = RunContextWrapper(
        context.context,
        context.usage,
        tool_input=call.tool_input,
        approvals=_decided_inside(context),
    )
    child = Run(agent, own, config, run.driver, hooks=spec.hooks)
    if isinstance(context, ToolContext):
        child.invocation = AgentToolInvocation(
            context.tool_name, context.tool_call_id, context.tool_arguments
        )
    if spec.session is not None:
        child.keeper = Keeper(_session(spec.session), own, config.session_settings)
    return child


def _decided_inside(context: RunContextWrapper[Any]) -> Approvals:
    if isinstance(context, ToolContext):
        return context.approvals.inside(context.tool_call_id)
    return context.approvals


def _session(given: object) -> Session:
    if isinstance(given, Session):
        return given
    raise UserError(f"as_tool(session=...) takes a Session, not {type(given).__name__}.")


async def output_of(spec: AgentToolSpec, result: RunResult) -> object:
    """What the caller's model is told."""
    if spec.custom_output_extractor is None:
        return result.final_output
    extracted: Any = spec.custom_output_extractor(result)
    return await extracted if inspect.isawaitable(extracted) else extracted


def _config(given: object) -> RunConfig:
    if given is None or isinstance(given, RunConfig):
        return RunConfig.of(given)
    if isinstance(given, dict):
        return RunConfig.of(cast("dict[str, Any]", given))
    raise UserError(f"as_tool(run_config=...) takes a RunConfig, not {type(given).__name__}.")


async def child_step(
    child: Run,
    spec: AgentToolSpec,
    call: AgentCall,
    stored: RunState | None,
) -> Step:
    """Where the run behind a call begins, or goes on."""
    if stored is not None:
        return stored, open_effects(stored)
    max_turns = DEFAULT_MAX_TURNS if spec.max_turns is None else spec.max_turns
    if child.keeper is None:
        return first_step(child, input_to_items(call.input), max_turns)
    return first_step(child, await child.keeper.begin(call.input), max_turns)
