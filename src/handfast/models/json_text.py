"""JSON from strangers: read without surprises, and text made fit to be sent on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TypeVar, cast

from handfast.agents.json_types import is_array, is_object

T = TypeVar("T")

_NOTHING: Mapping[str, object] = {}


def read_json(text: str | bytes) -> object:
    """The value of a JSON text.

    Raises:
        ValueError: It is not JSON, not UTF-8, or nested more deeply than Python can follow.
    """
    try:
        return cast("object", json.loads(text))
    except RecursionError:
        raise ValueError("The JSON is nested too deeply.") from None


def compact_json(value: object) -> str:
    """The JSON text of a value, without spaces and with every letter as itself."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def object_in(source: Mapping[str, object], key: str) -> Mapping[str, object]:
    """The object under a key; an empty one where there is none or something else."""
    value = source.get(key)
    return cast("dict[str, object]", value) if isinstance(value, dict) else _NOTHING


def objects_in(source: Mapping[str, object], key: str) -> list[Mapping[str, object]]:
    """The objects in the array under a key; what else is in it, or under the key, is left out."""
    value = source.get(key)
    if not value or not isinstance(value, list):
        return []
    elements = cast("list[object]", value)
    return [cast("dict[str, object]", part) for part in elements if isinstance(part, dict)]


def text_in(source: Mapping[str, object], key: str) -> str:
    """The text under a key; empty where there is none or something else."""
    value = source.get(key)
    return value if isinstance(value, str) else ""


def is_well_formed(text: str) -> bool:
    """False when the text holds half of a surrogate pair, which no encoding can carry."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def well_formed(text: str) -> str:
    """The text with surrogate pairs joined and lone halves replaced.

    A model that is cut inside an emoji, or a server that splits one over two deltas, sends JSON
    escapes of half a pair; such text cannot be sent back.
    """
    if is_well_formed(text):
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def all_well_formed(value: T) -> T:
    """The JSON value with `well_formed` applied to every text in it, keys included."""
    return cast("T", _repaired(value))


def _repaired(value: object) -> object:
    if isinstance(value, str):
        return well_formed(value)
    if is_array(value):
        return [_repaired(element) for element in value]
    if is_object(value):
        return {well_formed(key): _repaired(element) for key, element in value.items()}
    return value
