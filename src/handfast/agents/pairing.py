"""Pairs that a provider insists on: a call and its output, reasoning and what it led to.

Filters, cut histories and crashed runs break such pairs, and the next request is then refused.
What is left over is dropped here; nothing is made up in its place.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import compress
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
            a follower that lost some of its reasoning loses the rest of it and the provider's id,
            which would be looked up together with the reasoning's.
    """
    kept = pairs_in_place(items, origin)
    dropped = (item for item, stays in zip(items, kept, strict=True) if stays is None)
    return Repaired(tuple(item for item in kept if item is not None), tuple(dropped))


def pairs_in_place(items: Sequence[Item], origin: Sequence[Item] = ()) -> list[Item | None]:
    """What `repaired_pairs` keeps, each at its own position; None where an item is dropped."""
    stays = _whole_pairs(items)
    bonds = _bonds(origin)
    broken = _broken(bonds, items, stays)
    followers = followers_of(items)
    for position, item in enumerate(items):
        if isinstance(item, Reasoning):
            end, follower = bonds.get(id(item.raw)), followers[position]
            stays[position] = follower >= 0 and stays[follower] and end not in broken
    return [
        (without_server_id(item) if id(item.raw) in broken else item) if kept else None
        for item, kept in zip(items, stays, strict=True)
    ]


def followers_of(items: Sequence[Item]) -> list[int]:
    """For each position, where the item stands that the reasoning there led to.

    -1 where there is no reasoning, or what comes after it was not made by the same agent's model.
    """
    found = [-1] * len(items)
    for position in reversed(range(len(items) - 1)):
        item, after = items[position], items[position + 1]
        if not isinstance(item, Reasoning) or item.agent != after.agent:
            continue
        if isinstance(after, Reasoning):
            found[position] = found[position + 1]
        elif is_model_made(after):
            found[position] = position + 1
    return found


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


def _bonds(origin: Sequence[Item]) -> dict[int, int]:
    """Reasoning and its follower, by the identities of their raw forms, which filters keep.

    Where one form stands at several places, nothing tells which of them a filter left; such items
    are bound to what comes after them alone.
    """
    uses = Counter(id(item.raw) for item in origin)
    ends = (
        (id(origin[position].raw), id(origin[follower].raw))
        for position, follower in enumerate(followers_of(origin))
        if follower >= 0
    )
    return {start: end for start, end in ends if uses[start] == uses[end] == 1}


def _broken(bonds: Mapping[int, int], items: Sequence[Item], stays: Sequence[bool]) -> set[int]:
    """Followers that are gone, or have lost some of the reasoning that led to them."""
    present = {id(item.raw) for item in compress(items, stays)}
    return {end for start, end in bonds.items() if not {start, end} <= present}
