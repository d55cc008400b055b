"""A tool's value as it was when the tool returned it.

The record of a run is data: a tool that goes on changing the list that it returned changes nothing
of what was recorded. Containers of Python's own are copied, with what they hold; objects of a
program's own classes are kept as they are, since only the program knows how to copy them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from handfast.agents.tool_output import ToolOutputFileContent, ToolOutputImage, ToolOutputText


def as_returned(value: object) -> object:
    """A copy that later changes do not reach; a value nested too deeply is kept as it is."""
    try:
        return _copied(value, {})
    except RecursionError:
        return value


def _copied(value: object, known: dict[int, object]) -> object:
    if id(value) in known:
        return known[id(value)]
    kind = type(value)
    if kind is dict:
        entries = cast("dict[object, object]", value)
        mapping = known[id(value)] = dict[object, object]()
        mapping.update((key, _copied(each, known)) for key, each in entries.items())
        return mapping
    if kind is list:
        items = known[id(value)] = list[object]()
        items.extend(_copied(each, known) for each in cast("list[object]", value))
        return items
    if kind is tuple:
        parts = tuple(_copied(each, known) for each in cast("tuple[object, ...]", value))
        # One that holds itself, through a list or dict, has been copied on the way.
        return known.setdefault(id(value), parts)
    if kind is set:
        return set(cast("set[object]", value))
    if isinstance(value, ToolOutputText | ToolOutputImage | ToolOutputFileContent):
        return replace(value)
    return value
