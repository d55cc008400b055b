"""A handoff: its own code, the hooks that are told, and what the receiver sees."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Sequence
from typing import Any, cast

from typing_extensions import TypeIs

from handfast.agents.agent import Agent, AnyAgent, is_agent
from handfast.agents.handoff import Handoff, HandoffInputData, HandoffInputFilter
from handfast.agents.input_items import input_to_items, user_message
from handfast.agents.items import RunItem, RunItemBase, item_of
from handfast.agents.nested_history import nested_history
from handfast.agents.pairing import pairs_in_place, repaired_pairs
from handfast.agents.raw import to_wire
from handfast.core.effects import FilterHandoff, InvokeHandoff
from handfast.core.items import HandoffResult, Item, Message
from handfast.core.outcomes import HandoffDeclined, HandoffFiltered, HandoffInvoked
from handfast.errors import ModelBehaviorError, UserError
from handfast.runner.handoff_delivery import handed_over, told_to_model
from handfast.runner.run import Run
from handfast.runner.tool_answer import refusal_of
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
    if isinstance(offered.agent, Agent):
        run.holding.take(offered.agent)
    try:
        target = await offered.on_invoke_handoff(run.context, effect.call.arguments)
    except ModelBehaviorError as error:
        if run.handoff_repairs >= run.config.handoff_json_repairs:
            raise
        run.handoff_repairs += 1
        return HandoffDeclined(effect.id, refusal_of(effect.call, f"{error}"))
    if not is_agent(target):
        raise UserError(
            f"Handoff {offered.tool_name} must return an Agent from on_invoke_handoff, "
            f"not {type(target).__name__}.",
        )
    run.holding.take(target)
    key = run.catalog.key_of(target)
    run.context.handed_over = handed_over(offered, effect.agent, effect.call.arguments)
    await tell_handoff(run, source, target)
    raw = {
        "type": "function_call_output",
        "call_id": effect.call.call_id,
        "output": offered.get_transfer_message(target),
    }
    result = HandoffResult(effect.call.call_id, raw, effect.agent, key)
    filtered = filter_of(run, offered) is not None or _nests(run, offered)
    return HandoffInvoked(effect.id, result, filtered)


async def filter_handoff(run: Run, effect: FilterHandoff) -> HandoffFiltered:
    """Decide what the receiver sees: by the handoff's filter, else the run's, else by nesting.

    What a provider would refuse afterwards (half of a pair) is left out of the receiver's view.

    Raises:
        UserError: The filter returned something else than a `HandoffInputData`.
        Exception: Whatever the filter or the mapper raised.
    """
    source = run.catalog[effect.result.source]
    offered = await _offered(run, source, effect.call.name)
    edit = filter_of(run, offered)
    if edit is None:
        config = run.config
        nested = nested_history(
            effect.input,
            effect.earlier,
            effect.fresh,
            config.handoff_history_mapper,
            config.conversation_history_wrappers,
        )
        return HandoffFiltered(effect.id, nested, (), effect.fresh, ())
    return told_to_model(effect, offered, await edited_view(run, effect, edit))


async def edited_view(
    run: Run,
    effect: FilterHandoff,
    edit: HandoffInputFilter,
) -> HandoffFiltered:
    """What a filter makes of a receiver's view.

    Raises:
        UserError: The filter returned something else than a `HandoffInputData`.
        Exception: Whatever the filter raised.
    """
    given = _input_data(run, effect)
    edited: Any = edit(given)
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


def filter_of(run: Run, offered: AnyHandoff) -> HandoffInputFilter | None:
    """The filter of a handoff: its own, else the run's."""
    own = offered.input_filter
    return run.config.handoff_input_filter if own is None else own


def _nests(run: Run, offered: AnyHandoff) -> bool:
    if run.server is not None:
        return False
    own = offered.nest_handoff_history
    return run.config.nest_handoff_history if own is None else own


async def tell_handoff(run: Run, source: AnyAgent, target: AnyAgent) -> None:
    """Tell the hooks of the run and of the agent that hands over."""
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
        tuple(to_wire(item.raw) for item in items) if history is None else history,
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
    earlier = _items("pre_handoff_items", edited.pre_handoff_items)
    fresh = _items("new_items", edited.new_items)
    visible = None if edited.input_items is None else _items("input_items", edited.input_items)
    return _repaired(effect, HandoffFiltered(effect.id, history, earlier, fresh, visible))


def _repaired(effect: FilterHandoff, filtered: HandoffFiltered) -> HandoffFiltered:
    """The receiver's view and the record, which sessions are given, without halves of pairs."""
    shown = filtered.fresh if filtered.visible is None else filtered.visible
    parts = (filtered.input, filtered.earlier, shown)
    origin = [*effect.input, *effect.earlier, *effect.fresh]
    kept = iter(pairs_in_place([item for part in parts for item in part], origin))
    history, earlier, visible = (
        tuple(item for _ in part if (item := next(kept)) is not None) for part in parts
    )
    record = _record(effect.fresh, filtered.fresh)
    dropped = sum(map(len, parts)) - len(history) - len(earlier) - len(visible)
    if dropped == 0 and (history, earlier, visible) == parts and record == filtered.fresh:
        return filtered
    logger.info(
        "The handoff to %s left out %d items that a provider would refuse without their pair.",
        effect.result.target,
        dropped,
    )
    return HandoffFiltered(filtered.effect, history, earlier, record, visible)


def _record(before: Sequence[Item], kept: Sequence[Item]) -> tuple[Item, ...]:
    """What the run's record and sessions keep of the turn: no half of what was whole before."""
    alone = {id(item.raw) for item in repaired_pairs(before).dropped}
    whole = zip(kept, pairs_in_place(kept, before), strict=True)
    return tuple(
        item if now is None else now
        for item, now in whole
        if now is not None or id(item.raw) in alone
    )


def _is_list(value: object) -> TypeIs[tuple[object, ...] | list[object]]:
    return isinstance(value, tuple | list)


def _items(field: str, run_items: object) -> tuple[Item, ...]:
    if not _is_list(run_items):
        raise UserError(
            f"Invalid input filter result: {field} must be a tuple of run items, "
            f"not {type(run_items).__name__}.",
        )
    items: list[RunItem] = []
    for each in run_items:
        if not isinstance(each, RunItemBase):
            raise UserError(
                f"Invalid input filter result: {field} holds {type(each).__name__}, "
                "which is no run item.",
            )
        items.append(cast("RunItem", each))
    return tuple(item_of(each) for each in items if each.type != "tool_approval_item")
