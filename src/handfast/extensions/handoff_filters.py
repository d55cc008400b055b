"""Ready input filters for handoffs. Each returns new data and changes none of what it was given.

`remove_all_tools` shortens `new_items`, as in the OpenAI Agents SDK, so the run's record and
sessions lose those items too. The other filters set `input_items`: they change what the receiver
sees, and nothing else.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Sequence
from itertools import compress
from typing import TypeVar

from handfast.agents.handoff import HandoffInputData, HandoffInputFilter
from handfast.agents.input_items import is_call, is_output, item_from_wire
from handfast.agents.items import (
    HandoffCallItem,
    HandoffOutputItem,
    RunItem,
    RunItemBase,
    ToolApprovalItem,
    ToolCallItem,
    ToolCallOutputItem,
    item_of,
    run_item_of,
)
from handfast.agents.nested_history import default_handoff_history_mapper, nest_handoff_history
from handfast.agents.pairing import followers_of, without_server_id
from handfast.agents.raw import InputItem, to_wire
from handfast.core.items import Item, Message, Opaque, Reasoning
from handfast.errors import UserError
from handfast.extensions.quarantine import quarantine

__all__ = [
    "compose",
    "default_handoff_history_mapper",
    "drop_reasoning",
    "keep_last_turns",
    "nest_handoff_history",
    "quarantine",
    "remove_all_tools",
]

_Entry = TypeVar("_Entry", bound=InputItem | RunItem)

_TOOL_CLASSES = (
    ToolCallItem,
    ToolCallOutputItem,
    HandoffCallItem,
    HandoffOutputItem,
    ToolApprovalItem,
)


_TOOL: Item = Opaque("tool", "output", {"call_id": "a call"})
"""Stands for an item of a tool whose class tells enough."""


def remove_all_tools(handoff_input_data: HandoffInputData) -> HandoffInputData:
    """Drop every trace of tools: calls, outputs, approvals, and the reasoning that led to a call.

    Items are judged by their role, so tools that a provider runs and kinds of call that are not
    known yet go too. Messages stay, with the reasoning that led to them. A history that is text
    passes unchanged.
    """
    data = handoff_input_data
    history = data.input_history
    return data.clone(
        input_history=history if isinstance(history, str) else _without_tools(history),
        pre_handoff_items=_without_tools(data.pre_handoff_items),
        new_items=_without_tools(data.new_items),
        input_items=None if data.input_items is None else _without_tools(data.input_items),
    )


def keep_last_turns(turns: int) -> HandoffInputFilter:
    """A filter that keeps the last turns of the conversation.

    A turn is a user message and everything after it up to the next. Messages of the system and the
    developer stay wherever they are. A history that is text is one turn.

    Args:
        turns: How many, at least 1.

    Raises:
        UserError: `turns` is no int, or less than 1.
    """
    _require_count(turns)

    def keep(data: HandoffInputData) -> HandoffInputData:
        told, fresh = _told(data), _fresh(data)
        cores = [_core(entry) for entry in (*told, *data.pre_handoff_items, *fresh)]
        begins = [i for i, core in enumerate(cores) if _has_role(core, "user")]
        if len(begins) <= turns:
            return data
        kept = iter(
            position >= begins[-turns] or _has_role(core, "system", "developer")
            for position, core in enumerate(cores)
        )
        return data.clone(
            input_history=tuple(compress(told, kept)),
            pre_handoff_items=tuple(compress(data.pre_handoff_items, kept)),
            input_items=tuple(compress(fresh, kept)),
        )

    return keep


def drop_reasoning(data: HandoffInputData) -> HandoffInputData:
    """Drop all reasoning: for a receiver whose model takes none, or not that of another model.

    What the reasoning led to stays and loses the provider's id, under which the provider would
    look for the reasoning as well.
    """
    history = data.input_history
    return data.clone(
        input_history=history if isinstance(history, str) else _unreasoned_history(history),
        pre_handoff_items=_unreasoned(data.pre_handoff_items),
        input_items=_unreasoned(_fresh(data)),
    )


def compose(*filters: HandoffInputFilter) -> HandoffInputFilter:
    """One filter that applies several, first to last.

    The result is sync where all of them are, so that it can be called from a sync filter.

    Raises:
        UserError: One is not callable; when run, one returned no `HandoffInputData`.
    """
    for given in filters:
        if not callable(given):
            raise UserError(f"Invalid input filter: {given!r} is not callable.")

    def composed(data: HandoffInputData) -> HandoffInputData | Awaitable[HandoffInputData]:
        for position, apply in enumerate(filters):
            result = apply(data)
            if inspect.isawaitable(result):
                return _rest(result, filters[position + 1 :])
            data = _checked(result)
        return data

    return composed


async def _rest(
    result: Awaitable[HandoffInputData],
    filters: Sequence[HandoffInputFilter],
) -> HandoffInputData:
    data = _checked(await result)
    for apply in filters:
        later = apply(data)
        data = _checked(await later if inspect.isawaitable(later) else later)
    return data


def _checked(result: object) -> HandoffInputData:
    if not isinstance(result, HandoffInputData):
        raise UserError(f"Invalid input filter result: {result!r} is no HandoffInputData.")
    return result


def _require_count(turns: object) -> None:
    if not isinstance(turns, int) or isinstance(turns, bool) or turns < 1:
        raise UserError(f"keep_last_turns needs an int of at least 1, not {turns!r}.")


def _told(data: HandoffInputData) -> tuple[InputItem, ...]:
    """The history as items."""
    history = data.input_history
    return ({"role": "user", "content": history},) if isinstance(history, str) else history


def _fresh(data: HandoffInputData) -> tuple[RunItem, ...]:
    """What the receiver sees of the turn."""
    return data.new_items if data.input_items is None else data.input_items


def _core(entry: InputItem | RunItem) -> Item:
    """The core's item, whose class tells the role."""
    if isinstance(entry, ToolApprovalItem):
        return _TOOL
    return item_of(entry) if isinstance(entry, RunItemBase) else item_from_wire(entry)


def _has_role(core: Item, *roles: str) -> bool:
    return isinstance(core, Message) and core.role in roles


def _without_tools(entries: Sequence[_Entry]) -> tuple[_Entry, ...]:
    cores = [_TOOL if isinstance(entry, _TOOL_CLASSES) else _core(entry) for entry in entries]
    followers = followers_of(cores)
    kept = (
        isinstance(cores[follower], Message) and follower >= 0
        if isinstance(core, Reasoning)
        else not is_call(core) and not is_output(core)
        for core, follower in zip(cores, followers, strict=True)
    )
    return tuple(compress(entries, kept))


def _unreasoned_history(history: tuple[InputItem, ...]) -> tuple[InputItem, ...]:
    cores = [item_from_wire(item) for item in history]
    led_to = set(followers_of(cores))
    return tuple(
        to_wire(without_server_id(core).raw) if position in led_to else item
        for position, (item, core) in enumerate(zip(history, cores, strict=True))
        if not isinstance(core, Reasoning)
    )


def _unreasoned(entries: tuple[RunItem, ...]) -> tuple[RunItem, ...]:
    cores = [_core(entry) for entry in entries]
    led_to = set(followers_of(cores))
    return tuple(
        run_item_of(without_server_id(core), entry.agent) if position in led_to else entry
        for position, (entry, core) in enumerate(zip(entries, cores, strict=True))
        if not isinstance(core, Reasoning)
    )
