"""Pairs that a provider insists on: a call and its output, reasoning and what it led to.

Filters, cut histories and crashed runs break such pairs, and the next request is then refused.
What is left over is dropped here; nothing is made up in its place.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from handfast.agents.input_items import call_id_of, is_call, is_model_made, is_output
from handfast.agents.raw import to_wire
from handfast.core.items import Call, Item, Opaque, Reasoning


class Repaired(NamedTuple):
    """A conversation in which every pair is whole."""

    items: tuple[Item, ...]
    """What is left, in order."""
    dropped: tuple[Item, ...] = ()
    """What was left over, in order: for a log line."""


def repaired_pairs(items: Sequence[Item], origin: Sequence[Item] = ()) -> Repaired:
    """Drop every call without its output, output without its call, reasoning without its follower.

    A call that a provider ran itself has no call id, and is whole alone. Reasoning is bound to the
    next item that the same agent's model made. A second run over the result changes nothing.

    Args:
        items: The conversation, perhaps after a filter.
        origin: The conversation before the filter, where there was one. Reasoning whose follower
            the filter took away is then dropped even if another message now comes after it, and
            a follower whose reasoning was taken away loses the provider's id, which would be
            looked up together with the reasoning's.
    """
    whole = _whole_pairs(items)
    present = {id(item.raw) for item, kept in zip(items, whole, strict=True) if kept}
    bonds = _bonds(origin) if origin else {}
    kept: list[Item] = []
    dropped: list[Item] = []
    for position, item in enumerate(items):
        stays = whole[position]
        if isinstance(item, Reasoning):
            follower = bonds.get(id(item.raw)) or follower_of(items, position)
            stays = follower is not None and id(follower.raw) in present
        (kept if stays else dropped).append(item)
    return Repaired(_unbound(kept, bonds), tuple(dropped))


def follower_of(items: Sequence[Item], position: int) -> Item | None:
    """The item that the reasoning at this position led to; None where it is missing."""
    for item in items[position + 1 :]:
        if not isinstance(item, Reasoning):
            same_agent = item.agent == items[position].agent
            return item if same_agent and is_model_made(item) else None
    return None


def without_server_id(item: Item) -> Item:
    """The item without the id under which its provider stored it; the same item if it has none."""
    wire = to_wire(item.raw)
    if "id" not in wire:
        return item
    return replace(item, raw={key: value for key, value in wire.items() if key != "id"})


def _whole_pairs(items: Sequence[Item]) -> list[bool]:
    """For each item, whether nothing is missing that it needs; reasoning is not looked at."""
    whole = [True] * len(items)
    waiting: dict[str, deque[int]] = {}
    for position, item in enumerate(items):
        if _needs_output(item):
            whole[position] = False
            waiting.setdefault(call_id_of(item), deque()).append(position)
        elif _needs_call(item):
            calls = waiting.get(call_id_of(item))
            whole[position] = bool(calls)
            if calls:
                whole[calls.popleft()] = True
    return whole


def _needs_output(item: Item) -> bool:
    return isinstance(item, Call) or (is_call(item) and bool(call_id_of(item)))


def _needs_call(item: Item) -> bool:
    if isinstance(item, Opaque):
        return item.role == "output" and bool(call_id_of(item))
    return is_output(item)


def _bonds(origin: Sequence[Item]) -> dict[int, Item]:
    """The follower of each reasoning item, by the identity of its raw form."""
    return {
        id(item.raw): follower
        for position, item in enumerate(origin)
        if isinstance(item, Reasoning) and (follower := follower_of(origin, position)) is not None
    }


def _unbound(kept: Sequence[Item], bonds: dict[int, Item]) -> tuple[Item, ...]:
    if not bonds:
        return tuple(kept)
    present = {id(item.raw) for item in kept}
    alone = {id(end.raw) for start, end in bonds.items() if start not in present}
    return tuple(without_server_id(item) if id(item.raw) in alone else item for item in kept)
