"""A handoff that comes back: the receiver runs, and its output is the answer to the call."""

from __future__ import annotations

from typing import Any

from handfast.agents.agent import AnyAgent, is_agent
from handfast.agents.context import RunContextWrapper
from handfast.agents.tool import run_tool_error_function
from handfast.agents.tool_invocation import answer_failure
from handfast.core.effects import FilterHandoff, RunAgent
from handfast.core.items import Call, HandoffResult, Item
from handfast.core.loop import Step, open_effects
from handfast.core.outcomes import AgentPaused, ToolReturned
from handfast.core.state import RunState, waits_for_person
from handfast.core.usage import NOTHING_SPENT, Spend
from handfast.errors import ModelBehaviorError, UserError
from handfast.runner.begin import first_step
from handfast.runner.call_settings import inner_cache_key
from handfast.runner.handoff_call import edited_view, filter_of, tell_handoff
from handfast.runner.handoff_delivery import handed_over, told_to_model
from handfast.runner.once import answered, recalled
from handfast.runner.result import RunResult, raise_stopped
from handfast.runner.run import Run
from handfast.runner.tool_answer import refusal_of, result_of
from handfast.runner.tool_call import tool_context
from handfast.runner.toolbox import AnyHandoff

MAX_OUTPUT_CHARS = 100_000
"""Characters of a receiver's output that the agent which handed over sees."""


async def run_returning_handoff(
    run: Run,
    effect: RunAgent,
    offered: AnyHandoff,
) -> ToolReturned | AgentPaused:
    """Run the receiver of a handoff that comes back, or go on with it after a pause.

    Raises:
        UserError: The handoff's code names no agent.
        Exception: Whatever `on_handoff`, a filter or a hook raised.
    """
    ended = recalled(run, effect, idempotent=False)
    if ended is not None:
        return ended
    run.ledger.start(effect.id)
    source, known = run.catalog[effect.agent], run.ledger.inside_of(effect.id)
    stored = effect.child if known is None else known.core
    try:
        target = await _target(run, source, offered, effect, stored)
    except ModelBehaviorError as error:
        return answered(run, effect, refusal_of(effect.call, str(error)))
    own: RunContextWrapper[Any] = RunContextWrapper(
        run.context.context,
        run.context.usage,
        approvals=run.context.approvals.inside(effect.call.call_id),
        handed_over=handed_over(offered, effect.agent, effect.call.arguments),
    )
    child = Run(target, own, run.config, run.driver, hooks=run.hooks)
    child.cache_key = inner_cache_key(run, child, effect.call.call_id)
    if known is not None:
        child.take_up(known)
    step = await _step(run, child, effect, offered, stored)
    child.begin(step)
    run.ledger.enter(effect.id, child.checkpoint)
    spent: list[Spend] = []
    value = await answer_failure(
        _output(run, child, step, spent),
        offered.tool_name,
        run_tool_error_function,
        tool_context(run, source, effect.call),
    )
    if isinstance(value, RunState):
        run.ledger.pause(effect.id)
        return AgentPaused(effect.id, value)
    result = result_of(effect.call, value, MAX_OUTPUT_CHARS)
    return answered(run, effect, result, spent[0] if spent else NOTHING_SPENT)


async def _target(
    run: Run,
    source: AnyAgent,
    offered: AnyHandoff,
    effect: RunAgent,
    stored: RunState | None,
) -> AnyAgent:
    if stored is not None and offered.agent is not None:
        return offered.agent
    target: object = await offered.on_invoke_handoff(run.context, effect.call.arguments)
    if not is_agent(target):
        raise UserError(
            f"Handoff {offered.tool_name} must return an Agent from on_invoke_handoff, "
            f"not {type(target).__name__}.",
        )
    if stored is None:
        await tell_handoff(run, source, target)
    return target


async def _step(
    run: Run,
    child: Run,
    effect: RunAgent,
    offered: AnyHandoff,
    stored: RunState | None,
) -> Step:
    if stored is not None:
        return stored, open_effects(stored)
    return first_step(
        child,
        await _conversation(run, child.first, effect, offered),
        run.state.limits.max_turns,
    )


async def _conversation(
    run: Run,
    target: AnyAgent,
    effect: RunAgent,
    offered: AnyHandoff,
) -> tuple[Item, ...]:
    """What the receiver sees: the conversation, with this handoff and no other open call."""
    state = run.state
    raw = {
        "type": "function_call_output",
        "call_id": effect.call.call_id,
        "output": offered.get_transfer_message(target),
    }
    answer = HandoffResult(effect.call.call_id, raw, effect.agent, target.name)
    said = [i for i in state.seen[state.seen_mark :] if not isinstance(i, Call)]
    earlier = state.seen[: state.seen_mark]
    fresh = (*said, effect.call, answer)
    edit = filter_of(run, offered)
    if edit is None:
        return (*state.input, *earlier, *fresh)
    asked = FilterHandoff(effect.id, effect.call, answer, state.input, earlier, fresh)
    edited = told_to_model(asked, offered, await edited_view(run, asked, edit))
    visible = edited.fresh if edited.visible is None else edited.visible
    return (*edited.input, *edited.earlier, *visible)


async def _output(run: Run, child: Run, step: Step, spent: list[Spend]) -> object:
    """The receiver's output; its state instead, where it waits for a person."""
    try:
        state = await run.driver(child, step)
    finally:
        spent.append(child.state.spend)
    if waits_for_person(state):
        return state
    raise_stopped(child)
    return RunResult.of(child).final_output
