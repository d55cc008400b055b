"""`Log`: a sequence that only grows, with every earlier length still valid.

A run's history is read at each turn and grows by a few items. As a tuple, each growth would copy
all of it; as a list, an older state would change under its owner's hands. A `Log` is a view of the
first n entries of a shared list: adding to the newest view extends the list in place, adding to an
older one copies first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, TypeVar, overload

T = TypeVar("T")


class Log(Sequence[T], Generic[T]):
    """An immutable sequence with an `extended` that costs only what is new."""

    __slots__ = ("_length", "_shared")

    def __init__(self, items: Iterable[T] = ()) -> None:
        self._shared: list[T] = list(items)
        self._length = len(self._shared)

    def extended(self, items: Sequence[T]) -> Log[T]:
        """This log with the items after it; this one stays as it is."""
        if not items:
            return self
        shared = self._shared
        if len(shared) != self._length:
            shared = shared[: self._length]
        shared.extend(items)
        grown: Log[T] = Log.__new__(type(self))
        grown._shared = shared
        grown._length = len(shared)
        return grown

    def ending(self, start: int, items: Sequence[T]) -> Log[T]:
        """This log up to `start`, then the items; the log itself where that changes nothing."""
        if self.since(start) == list(items):
            return self
        return Log(self._shared[: min(start, self._length)]).extended(items)

    def since(self, start: int) -> list[T]:
        """The entries from `start` on, as a new list."""
        return self._shared[start : self._length]

    def grows_from(self, earlier: Log[T]) -> bool:
        """True when `earlier` is this log at a shorter length, known without looking at entries."""
        return self._shared is earlier._shared and earlier._length <= self._length

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        if isinstance(index, slice):
            start, stop, step = index.indices(self._length)
            if step > 0:
                return tuple(self._shared[start:stop:step])
            return tuple(self._shared[i] for i in range(start, stop, step))
        position = index + self._length if index < 0 else index
        if not 0 <= position < self._length:
            raise IndexError(index)
        return self._shared[position]

    def __iter__(self) -> Iterator[T]:
        for index in range(self._length):
            yield self._shared[index]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Log):
            return NotImplemented
        return self.since(0) == other.since(0)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"Log({self.since(0)!r})"
