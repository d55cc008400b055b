"""The kinds of a JSON value, for the type checker as well as at run time; one text for each."""

from __future__ import annotations

import json
from collections.abc import Mapping

from typing_extensions import TypeIs


def is_object(value: object) -> TypeIs[Mapping[str, object]]:
    """True for a JSON object; its keys are text by agreement."""
    return isinstance(value, Mapping)


def is_array(value: object) -> TypeIs[list[object]]:
    """True for a JSON array."""
    return isinstance(value, list)


def canonical(text: str) -> str:
    """The one text for what a JSON text says; the text itself where it is none."""
    try:
        return json.dumps(json.loads(text), sort_keys=True)
    except (ValueError, RecursionError):
        return text
