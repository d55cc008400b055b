"""`Mark`: makes a value the current one of a context variable, and takes that back."""

from __future__ import annotations

from contextvars import ContextVar, Token
from typing import Generic, TypeVar

T = TypeVar("T")


class Mark(Generic[T]):
    """Makes one value the current one of a variable, and takes that back.

    Args:
        variable: The variable.
    """

    def __init__(self, variable: ContextVar[T | None]) -> None:
        self._variable = variable
        self._token: Token[T | None] | None = None

    def set(self, value: T) -> None:
        """Make the value current; a second time does nothing."""
        if self._token is None:
            self._token = self._variable.set(value)

    def reset(self, *, tolerant: bool = False) -> None:
        """Make current again what was current before.

        Args:
            tolerant: Accept that another context did the setting: a generator that is closed by
                another task than the one that advanced it has no way back.

        Raises:
            ValueError: Another context did the setting, and that is not accepted.
        """
        token = self._token
        if token is None:
            return
        try:
            self._variable.reset(token)
        except ValueError:
            if not tolerant:
                raise
        self._token = None
