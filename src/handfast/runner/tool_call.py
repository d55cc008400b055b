"""One tool call: guardrails, the tool itself, and its answer as an item."""

from __future__ import annotations

import asyncio
import difflib
from functools import partial
from typing import Any

from handfast.agents.agent import AnyAgent
from handfast.agents.context import ToolContext
from handfast.agents.input_items import is_custom_call
from handfast.agents.tool import FunctionTool
from handfast.agents.tool_guardrail import (
    ToolInputGuardrailData,
    ToolInputGuardrailResult,
    ToolOutputGuardrailData,
    ToolOutputGuardrailResult,
)
from handfast.agents.tool_invocation import errors_named, invoke
from handfast.core.effects import CallTool
from handfast.core.items import Call, Result
from handfast.core.outcomes import ToolReturned
from handfast.errors import (
    ModelBehaviorError,
    ToolInputGuardrailTripwireTriggered,
    ToolOutputGuardrailTripwireTriggered,
    ToolTimeoutError,
)
from handfast.runner.custom_data import with_custom_data
from handfast.runner.guardrail_deadline import verdict_in_time
from handfast.runner.once import answered, recalled
from handfast.runner.run import Run
from handfast.runner.tool_answer import refusal_of, result_of
from handfast.runner.toolbox import Toolbox
from handfast.runner.traced import tool_failed


async def call_tool(run: Run, effect: CallTool) -> ToolReturned:
    """Run one freed call.

    Raises:
        HandfastError: A guardrail stopped the run, or the tool failed and its
            `failure_error_function` is None.
    """
    agent = run.catalog[effect.agent]
    box = await run.toolboxes.of(agent, run.context)
    tool = box.by_name.get(effect.call.name)
    known = recalled(run, effect, idempotent=isinstance(tool, FunctionTool) and tool.idempotent)
    if known is not None:
        return known
    if not isinstance(tool, FunctionTool) or is_custom_call(effect.call):
        return ToolReturned(effect.id, await unknown_tool(run, agent, effect.call, box))
    return await _guarded(run, effect, agent, tool)


def tool_context(run: Run, agent: AnyAgent, call: Call) -> ToolContext[Any]:
    """What the tool's code is handed."""
    return ToolContext.from_agent_context(
        run.context,
        call.call_id,
        call.raw,
        agent,
        tool_name=call.name,
        tool_arguments=call.arguments,
        run_config=run.config,
    )


async def unknown_tool(run: Run, agent: AnyAgent, call: Call, box: Toolbox) -> Result:
    """What a model is told that called a tool which is not there.

    Raises:
        ModelBehaviorError: Such a call is to end the run.
    """
    if run.config.tool_not_found_behavior == "raise_error":
        raise ModelBehaviorError(f"Tool {call.name} not found in agent {agent.name}")
    if call.name in box.by_name:
        return refusal_of(call, f"Tool {call.name!r} is a function: call it with JSON arguments.")
    # Who asks for `return_error_to_model` gets the SDK's words; by default there is help in them.
    hint = _hint(call, box) if run.config.tool_not_found_behavior is None else ""
    told = f"Tool {call.name!r} not found.{hint}"
    word = run.config.word_answer
    words = await word("tool_not_found", call.name, call.call_id, told, run.context)
    return refusal_of(call, words)


def _hint(call: Call, box: Toolbox) -> str:
    near = difflib.get_close_matches(call.name, box.by_name, n=3, cutoff=0.4)
    if near:
        return f" Did you mean {' or '.join(near)}?"
    known = sorted(box.by_name)[:20]
    return f" Available: {', '.join(known)}." if known else " No tools are available."


async def _guarded(
    run: Run,
    effect: CallTool,
    agent: AnyAgent,
    tool: FunctionTool,
) -> ToolReturned:
    call, context = effect.call, tool_context(run, agent, effect.call)
    refused = await check_tool_input(run, agent, tool, context)
    if refused is not None:
        return ToolReturned(effect.id, result_of(call, refused, tool.max_output_chars))
    run.ledger.start(effect.id)
    await tell_tool_start(run, agent, tool, context)
    value = await _invoke(run, tool, context)
    tool_failed(run, tool, call, context.failure)
    value = await check_tool_output(run, agent, tool, context, value)
    outcome = answered(run, effect, result_of(call, value, tool.max_output_chars))
    outcome = await with_custom_data(run, effect, tool, context, outcome)
    await tell_tool_end(run, agent, tool, context, value)
    return outcome


async def _invoke(run: Run, tool: FunctionTool, context: ToolContext[Any]) -> object:
    seconds = None if tool.timeout_seconds is not None else run.config.tool_timeout
    if seconds is None:
        return await invoke(tool, context, context.tool_arguments)
    deadline = asyncio.timeout(seconds)
    try:
        async with deadline:
            return await invoke(tool, context, context.tool_arguments)
    except TimeoutError:
        if not deadline.expired():
            raise
        return str(ToolTimeoutError(tool.name, seconds))


async def check_tool_input(
    run: Run,
    agent: AnyAgent,
    tool: FunctionTool,
    context: ToolContext[Any],
) -> str | None:
    """Run the tool's input guardrails.

    Returns:
        The answer that stands in for the call, where a guardrail rejected it.

    Raises:
        ToolInputGuardrailTripwireTriggered: A guardrail stopped the run.
    """
    for guardrail in tool.tool_input_guardrails or ():
        with errors_named(tool):
            check = partial(guardrail.run, ToolInputGuardrailData(context, agent))
            output = await verdict_in_time(run, guardrail.get_name(), check)
        run.tool_input_results.append(ToolInputGuardrailResult(guardrail, output))
        if output.behavior["type"] == "raise_exception":
            raise ToolInputGuardrailTripwireTriggered(guardrail, output)
        if output.behavior["type"] == "reject_content":
            return output.behavior["message"]
    return None


async def check_tool_output(
    run: Run,
    agent: AnyAgent,
    tool: FunctionTool,
    context: ToolContext[Any],
    value: object,
) -> object:
    """Run the tool's output guardrails.

    Returns:
        The value, or what a guardrail puts in its place.

    Raises:
        ToolOutputGuardrailTripwireTriggered: A guardrail stopped the run.
    """
    for guardrail in tool.tool_output_guardrails or ():
        with errors_named(tool):
            check = partial(guardrail.run, ToolOutputGuardrailData(context, agent, value))
            output = await verdict_in_time(run, guardrail.get_name(), check)
        run.tool_output_results.append(ToolOutputGuardrailResult(guardrail, output))
        if output.behavior["type"] == "raise_exception":
            raise ToolOutputGuardrailTripwireTriggered(guardrail, output)
        if output.behavior["type"] == "reject_content":
            return output.behavior["message"]
    return value


async def tell_tool_start(
    run: Run,
    agent: AnyAgent,
    tool: FunctionTool,
    context: ToolContext[Any],
) -> None:
    """Tell the hooks that a tool is about to run."""
    with errors_named(tool):
        if run.hooks is not None:
            await run.hooks.on_tool_start(context, agent, tool)
        if agent.hooks is not None:
            await agent.hooks.on_tool_start(context, agent, tool)


async def tell_tool_end(
    run: Run,
    agent: AnyAgent,
    tool: FunctionTool,
    context: ToolContext[Any],
    value: object,
) -> None:
    """Tell the hooks what a tool answered."""
    with errors_named(tool):
        if run.hooks is not None:
            await run.hooks.on_tool_end(context, agent, tool, value)
        if agent.hooks is not None:
            await agent.hooks.on_tool_end(context, agent, tool, value)
