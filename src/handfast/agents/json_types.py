"""Telling apart the kinds of a JSON value, for the type checker as well as at run time."""

from __future__ import annotations

from collections.abc import Mapping

from typing_extensions import TypeIs


def is_object(value: object) -> TypeIs[Mapping[str, object]]:
    """True for a JSON object; its keys are text by agreement."""
    return isinstance(value, Mapping)


def is_array(value: object) -> TypeIs[list[object]]:
    """True for a JSON array."""
    return isinstance(value, list)
