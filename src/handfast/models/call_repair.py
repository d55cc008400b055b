"""Making calls whole: arguments that are nearly JSON, ids that are missing or doubled.

A repair never invents what a call does. Arguments are repaired only where exactly one reading is
possible; anything else stays as the model wrote it, and the model is told.
"""

from __future__ import annotations

import functools
import hashlib
import json
from typing import Final, cast

from handfast.agents.json_types import is_object
from handfast.models.json_text import compact_json, read_json

CUT_BEFORE_ARGUMENTS: Final = "{"
"""Stands for the arguments of a call that was cut before its first character of them.

An empty text means that there are none, and such a call would run.
"""

_DECODER = json.JSONDecoder()


def arguments_text(arguments: object, *, cut: bool = False) -> str:
    """A call's arguments as JSON text, however the server wrote them.

    Args:
        arguments: JSON text, a JSON value, or None.
        cut: True when the answer was cut short and this call may be the one that was cut.

    Returns:
        The text of a JSON object wherever the arguments can be read as just one; else the text as
        it came.
    """
    if arguments is None or arguments == "":
        return CUT_BEFORE_ARGUMENTS if cut else "{}"
    if not isinstance(arguments, str):
        return compact_json(arguments)
    if is_object_text(arguments):
        return arguments
    return arguments if cut else _only_reading(arguments)


@functools.lru_cache(maxsize=4096)
def is_object_text(text: str) -> bool:
    """True for the JSON text of an object; remembered, since a history is sent again each turn.

    Python reads `NaN` and `Infinity` as numbers; JSON has none, and strict endpoints refuse them.
    """
    try:
        return is_object(json.loads(text, parse_constant=_no_number))
    except (ValueError, RecursionError):
        return False


def _no_number(name: str) -> object:
    raise ValueError(f"{name} is no JSON.")


def sendable_arguments(text: str) -> str:
    """Arguments that a strict endpoint takes: bad text goes back inside an object."""
    return text if is_object_text(text) else compact_json({"invalid_arguments": text})


def _only_reading(text: str) -> str:
    """One object followed by noise or by itself, or an object inside a JSON string."""
    start = text.lstrip()
    try:
        value, end = cast("tuple[object, int]", _DECODER.raw_decode(start))
    except (ValueError, RecursionError):
        return text
    rest = start[end:].strip()
    if isinstance(value, str) and not rest and is_object_text(value):
        return value
    if not is_object(value):
        return text
    first = start[:end]
    if not is_object_text(rest):
        return text if rest.startswith(("{", "[")) else first
    if not value:
        return rest
    return first if read_json(rest) == value else text


class CallIds:
    """Gives each call of one answer an id of its own.

    Ids that the server gave are kept, save for the second use of one. Made-up ids depend only on
    what they are made from, so that a replayed answer gets the same ones.

    Args:
        seed: Tells this answer from others of the same conversation.
    """

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._used: set[str] = set()
        self._position = 0

    def of(self, given: object, name: str) -> str:
        """The id of the next call."""
        self._position += 1
        if isinstance(given, str) and given and given not in self._used:
            self._used.add(given)
            return given
        made = f"call_{digest(self._seed, str(self._position), name)}"
        self._used.add(made)
        return made


def digest(*parts: str) -> str:
    """24 hexadecimal digits that stand for the parts."""
    text = "\x00".join(parts)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]
