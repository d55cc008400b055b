"""`Session`: the protocol of a stored conversation."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Protocol, runtime_checkable

from handfast.agents.json_types import is_object
from handfast.agents.raw import InputItem
from handfast.errors import UserError


@dataclass
class SessionSettings:
    """How much of a session a run is shown."""

    limit: int | None = None
    """The most items, newest kept; None shows all."""

    def resolve(self, override: SessionSettings | Mapping[str, object] | None) -> SessionSettings:
        """These settings with what the override sets; a mapping of its fields will do."""
        limit = settings_of(override).limit
        return self if limit is None else SessionSettings(limit)

    def to_dict(self) -> dict[str, object]:
        """The settings as JSON data."""
        return {each.name: getattr(self, each.name) for each in fields(self)}


@runtime_checkable
class Session(Protocol):
    """A stored conversation. Write one for a store of your own."""

    session_id: str
    session_settings: SessionSettings | None = None

    async def get_items(self, limit: int | None = None) -> list[InputItem]:
        """The conversation, oldest first; with a limit, that many of its newest items."""
        ...

    async def add_items(self, items: list[InputItem]) -> None:
        """Add items at the end: all of them or, where it fails, none."""
        ...

    async def pop_item(self) -> InputItem | None:
        """Take the newest item away and return it; None where there is none."""
        ...

    async def clear_session(self) -> None:
        """Remove every item."""
        ...


class SessionABC(ABC):
    """A base for sessions that would rather inherit than match the protocol."""

    session_id: str
    session_settings: SessionSettings | None = None

    @abstractmethod
    async def get_items(self, limit: int | None = None) -> list[InputItem]:
        """The conversation, oldest first; with a limit, that many of its newest items."""

    @abstractmethod
    async def add_items(self, items: list[InputItem]) -> None:
        """Add items at the end: all of them or, where it fails, none."""

    @abstractmethod
    async def pop_item(self) -> InputItem | None:
        """Take the newest item away and return it; None where there is none."""

    @abstractmethod
    async def clear_session(self) -> None:
        """Remove every item."""


def settings_of(given: object) -> SessionSettings:
    """Session settings in one of the accepted forms.

    Args:
        given: Settings, a mapping of their fields, or None for the defaults.

    Raises:
        TypeError: It is none of these, or names a setting that does not exist.
        UserError: A setting has a value that cannot work.
    """
    if given is None:
        return SessionSettings()
    if isinstance(given, SessionSettings):
        return given
    if not is_object(given):
        raise TypeError(f"session_settings must be SessionSettings, not {type(given).__name__}.")
    unknown = sorted(set(given) - {"limit"})
    if unknown:
        raise TypeError(f"Unknown session settings: {', '.join(map(str, unknown))}")
    limit = given.get("limit")
    if limit is not None and (not isinstance(limit, int) or isinstance(limit, bool)):
        raise UserError(f"A session limit is a number of items, not {limit!r}.")
    return SessionSettings(limit)
