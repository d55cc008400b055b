"""What the run of an agent used as a tool is given, and what its caller is told of it.

The same for an agent that a run uses and for one whose tool a program invokes by hand.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

from handfast.agents.agent import AnyAgent, is_agent
from handfast.agents.agent_tool import AgentCall, AgentToolSpec
from handfast.agents.context import RunContextWrapper, ToolContext
from handfast.agents.item_text import ItemHelpers
from handfast.agents.items import MessageOutputItem, ToolCallOutputItem
from handfast.agents.json_types import is_object
from handfast.agents.session import Session
from handfast.errors import UserError
from handfast.runner.config import DEFAULT_MAX_TURNS, RunConfig
from handfast.runner.preparation import RunOptions


def agent_behind(spec: AgentToolSpec) -> AnyAgent:
    """The agent of a spec.

    Raises:
        UserError: It is none that can be run.
    """
    if not is_agent(agent := spec.agent):
        raise UserError(f"{spec.agent.name!r} is no Agent and cannot be run.")
    return agent


def nested_options(
    spec: AgentToolSpec,
    context: RunContextWrapper,
    config: RunConfig | None,
) -> RunOptions:
    """What `Runner.run` is told beside agent and input.

    Raises:
        UserError: The spec's session is none.
    """
    return {
        "context": context,
        "max_turns": DEFAULT_MAX_TURNS if spec.max_turns is None else spec.max_turns,
        "hooks": spec.hooks,
        "run_config": config,
        "previous_response_id": spec.previous_response_id,
        "conversation_id": spec.conversation_id,
        "session": _session(spec.session),
    }


def nested_config(spec: AgentToolSpec, callers: object) -> RunConfig | None:
    """The settings of the agent's run: its own, else the caller's, else None.

    Raises:
        UserError: Its own are none.
    """
    given = callers if spec.run_config is None else spec.run_config
    if given is None or isinstance(given, RunConfig):
        return given
    if is_object(given):
        return RunConfig.of(given)
    raise UserError(f"as_tool(run_config=...) takes a RunConfig, not {type(given).__name__}.")


def nested_context(
    context: RunContextWrapper,
    call: AgentCall,
    config: RunConfig | None,
) -> RunContextWrapper:
    """The context of the agent's run: it shares the caller's object, usage and decisions.

    What is decided about its own calls is told apart by the call that it runs for.
    """
    if not isinstance(context, ToolContext):
        return RunContextWrapper(
            context.context,
            context.usage,
            tool_input=call.tool_input,
            approvals=context.approvals,
        )
    return ToolContext(
        context.context,
        context.usage,
        context.tool_name,
        context.tool_call_id,
        context.tool_arguments,
        context.tool_call,
        tool_namespace=context.tool_namespace,
        agent=context.agent,
        run_config=config,
        tool_input=call.tool_input,
        approvals=context.approvals.inside(context.tool_call_id),
    )


async def output_of(spec: AgentToolSpec, result: Any) -> object:  # noqa: ANN401 - a result, whole or streamed
    """What the caller's model is told.

    Args:
        spec: How the agent was run.
        result: What its run came to. A runner that a program put in place of ours may return less
            than a `RunResult`: what is not there is taken to be empty.
    """
    if spec.custom_output_extractor is not None:
        extracted: Any = spec.custom_output_extractor(result)
        return await extracted if inspect.isawaitable(extracted) else extracted
    output = result.final_output
    said_something = output is not None and not (isinstance(output, str) and not output)
    # A guardrail has judged the final output and nothing else: nothing else may go out.
    if said_something or getattr(result, "output_guardrail_results", None):
        return output
    return _last_words(getattr(result, "new_items", None) or []) or output


def _last_words(items: Sequence[object]) -> str:
    """The latest text that is not empty: of a message, or of a tool's answer."""
    for item in reversed(items):
        if isinstance(item, MessageOutputItem):
            text = ItemHelpers.text_message_output(item)
        elif isinstance(item, ToolCallOutputItem) and isinstance(item.output, str):
            text = item.output
        else:
            text = ""
        if text:
            return text
    return ""


def _session(given: object) -> Session | None:
    if given is None or isinstance(given, Session):
        return given
    raise UserError(f"as_tool(session=...) takes a Session, not {type(given).__name__}.")
