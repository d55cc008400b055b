"""Changing a few fields of a large frozen value at the price of one copy."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

T = TypeVar("T")

if TYPE_CHECKING:
    # Checkers know what `replace` may change in which dataclass; `evolve` takes the same.
    from dataclasses import replace as evolve
else:

    def evolve(value: T, /, **changes: object) -> T:
        """The value with some fields changed, as `dataclasses.replace` gives it.

        `replace` looks at every field and runs the constructor, several times a turn: that was a
        fifth of what a turn costs. This copies the fields as they are, so it is for dataclasses
        without slots, without `__post_init__` and without fields that `init` leaves out.

        Args:
            value: A frozen dataclass.
            changes: New values by the names of fields.

        Raises:
            TypeError: The value has no such field.
        """
        unknown = changes.keys() - value.__dict__.keys()
        if unknown:
            raise TypeError(f"{type(value).__name__} has no field {min(unknown)!r}")
        changed = object.__new__(type(value))
        changed.__dict__.update(value.__dict__, **changes)
        return changed


__all__ = ["evolve"]
