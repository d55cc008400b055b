"""Pairs that a provider insists on: a call and its output, reasoning and what it led to.

Filters, cut histories and crashed runs break such pairs, and the next request is then refused.
What is left over is dropped here; nothing is made up in its place.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
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
    bonds, known = _bonds(origin), _known(items, origin)
    followers = followers_of(items)
    led_to = [known[follower] if follower >= 0 else None for follower in followers]
    broken = _broken(bonds, compress(known, stays))
    broken |= {
        bonds[key]
        for key, end in zip(known, led_to, strict=True)
        if key in bonds and bonds[key] != end
    }
    for position, item in enumerate(items):
        if isinstance(item, Reasoning):
            end, follower = bonds.get(known[position]), followers[position]
            stays[position] = follower >= 0 and stays[follower] and end not in broken
    return [
        (without_server_id(item) if key in broken else item) if kept else None
        for item, key, kept in zip(items, known, stays, strict=True)
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
    """Reasoning and its follower, by the identities of their raw forms.

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


def _known(items: Sequence[Item], origin: Sequence[Item]) -> list[int]:
    """Identities of raw forms; for copies, those of what in the origin has the provider's id."""
    if not origin:
        return [id(item.raw) for item in items]
    there = {id(item.raw) for item in origin}
    named = [(server_id, id(item.raw)) for item in origin if (server_id := _server_id(item))]
    uses = Counter(server_id for server_id, _ in named)
    original = {server_id: key for server_id, key in named if uses[server_id] == 1}
    return [
        key if (key := id(item.raw)) in there else original.get(_server_id(item), key)
        for item in items
    ]


def _server_id(item: Item) -> str:
    """The id under which its provider stored an item; empty where it has none."""
    found = to_wire(item.raw).get("id")
    return found if isinstance(found, str) else ""


def _broken(bonds: Mapping[int, int], present: Iterable[int]) -> set[int]:
    """Followers that are gone, or have lost some of the reasoning that led to them."""
    there = set(present)
    return {end for start, end in bonds.items() if not {start, end} <= there}
