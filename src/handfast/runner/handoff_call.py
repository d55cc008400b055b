"""A handoff: its own code, the hooks that are told, and what the receiver sees."""

from __future__ import annotations

import inspect
import logging
from typing import Any

from handfast.agents.agent import Agent, AnyAgent
from handfast.agents.handoff import Handoff, HandoffInputData, HandoffInputFilter
from handfast.agents.input_items import input_to_items, items_to_wire, user_message
from handfast.agents.items import RunItemBase, item_of
from handfast.core.effects import FilterHandoff, InvokeHandoff
from handfast.core.items import HandoffResult, Item, Message
from handfast.core.outcomes import HandoffDeclined, HandoffFiltered, HandoffInvoked
from handfast.errors import ModelBehaviorError, UserError
from handfast.runner.run import Run
from handfast.runner.tool_call import refusal_of
from handfast.runner.toolbox import AnyHandoff

logger = logging.getLogger("handfast")


async def invoke_handoff(run: Run, effect: InvokeHandoff) -> HandoffInvoked | HandoffDeclined:
    """Run the handoff's code and tell the hooks.

    Raises:
        ModelBehaviorError: The model's arguments do not fit, and were given back often enough.
        UserError: The handoff's code names no agent.
        Exception: Whatever `on_handoff` or a hook raised.
    """
    source = run.catalog[effect.agent]
    offered = await _offered(run, source, effect.call.name)
    try:
        target = await offered.on_invoke_handoff(run.context, effect.call.arguments)
    except ModelBehaviorError as error:
        if run.repairs >= run.config.handoff_json_repairs:
            raise
        run.repairs += 1
        return HandoffDeclined(effect.id, refusal_of(effect.call, f"{error}"))
    if not isinstance(target, Agent):
        raise UserError(
            f"Handoff {offered.tool_name} must return an Agent from on_invoke_handoff, "
            f"not {type(target).__name__}.",
        )
    key = run.catalog.key_of(target)
    await _tell(run, source, target)
    raw = {
        "type": "function_call_output",
        "call_id": effect.call.call_id,
        "output": offered.get_transfer_message(target),
    }
    result = HandoffResult(effect.call.call_id, raw, effect.agent, key)
    return HandoffInvoked(effect.id, result, _filter_of(run, offered) is not None)


async def filter_handoff(run: Run, effect: FilterHandoff) -> HandoffFiltered:
    """Let the handoff's filter, or else the run's, decide what the receiver sees.

    Raises:
        UserError: The filter returned something else than a `HandoffInputData`.
        Exception: Whatever the filter raised.
    """
    source = run.catalog[effect.result.source]
    offered = await _offered(run, source, effect.call.name)
    given = _input_data(run, effect)
    edit = _filter_of(run, offered)
    edited: Any = given if edit is None else edit(given)
    if inspect.isawaitable(edited):
        edited = await edited
    if not isinstance(edited, HandoffInputData):
        raise UserError(
            f"Invalid input filter result: a handoff filter must return a HandoffInputData, "
            f"not {type(edited).__name__}.",
        )
    return _outcome(effect, given, edited)


async def _offered(run: Run, source: AnyAgent, name: str) -> AnyHandoff:
    box = await run.toolboxes.of(source, run.context)
    offered = box.by_name.get(name)
    if not isinstance(offered, Handoff):
        raise ModelBehaviorError(f"Tool {name} not found in agent {source.name}")
    return offered


def _filter_of(run: Run, offered: AnyHandoff) -> HandoffInputFilter | None:
    own = offered.input_filter
    return run.config.handoff_input_filter if own is None else own


async def _tell(run: Run, source: AnyAgent, target: AnyAgent) -> None:
    if run.hooks is not None:
        await run.hooks.on_handoff(context=run.context, from_agent=source, to_agent=target)
    if source.hooks is not None:
        await source.hooks.on_handoff(context=run.context, agent=target, source=source)


def _input_data(run: Run, effect: FilterHandoff) -> HandoffInputData:
    items = list(effect.input)
    # Input that was given as text is shown as text, as filters expect it.
    plain = (
        len(items) == 1
        and isinstance(items[0], Message)
        and items[0].raw == user_message(items[0].text).raw
    )
    history = items[0].text if plain and isinstance(items[0], Message) else None
    return HandoffInputData(
        tuple(items_to_wire(items)) if history is None else history,
        tuple(run.public_item(item) for item in effect.earlier),
        tuple(run.public_item(item) for item in effect.fresh),
        run.context,
    )


def _outcome(
    effect: FilterHandoff,
    given: HandoffInputData,
    edited: HandoffInputData,
) -> HandoffFiltered:
    history = (
        effect.input[:]
        if edited.input_history is given.input_history
        else input_to_items(edited.input_history)
    )
    visible = None if edited.input_items is None else _items("input_items", edited.input_items)
    return HandoffFiltered(
        effect.id,
        history,
        _items("pre_handoff_items", edited.pre_handoff_items),
        _items("new_items", edited.new_items),
        visible,
    )


def _items(field: str, run_items: object) -> tuple[Item, ...]:
    if not isinstance(run_items, tuple | list):
        raise UserError(
            f"Invalid input filter result: {field} must be a tuple of run items, "
            f"not {type(run_items).__name__}.",
        )
    for each in run_items:
        if not isinstance(each, RunItemBase):
            raise UserError(
                f"Invalid input filter result: {field} holds {type(each).__name__}, "
                "which is no run item.",
            )
    return tuple(item_of(each) for each in run_items if each.type != "tool_approval_item")
