"""A conversation that the provider keeps: only what it does not know yet is sent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from handfast.agents.json_types import is_object
from handfast.agents.raw import InputItem
from handfast.core.effects import CallModel
from handfast.errors import UserError


@dataclass(slots=True)
class ServerConversation:
    """What the provider holds of a run."""

    previous_response_id: str | None = None
    """The response that the next one continues."""
    conversation_id: str | None = None
    """The provider's own conversation, which the responses are added to."""
    chained: bool = False
    """True when each response continues the one before it."""
    known: int | None = None
    """How many of the run's items the provider has; None before the first request."""

    def unknown_to_server(self, effect: CallModel, rendered: list[InputItem]) -> list[InputItem]:
        """The end of the rendered input that the provider does not have."""
        if self.known is None:
            return rendered
        fresh = len(effect.seen) - self.known
        return rendered[len(rendered) - fresh :] if fresh > 0 else []

    def answered(self, effect: CallModel, count: int, response_id: str | None) -> None:
        """Take note of a response and of how many items it has."""
        if self.conversation_id is None:
            if response_id is None:
                return  # there is nothing to continue from: the next request sends everything
            self.previous_response_id = response_id
        self.known = len(effect.seen) + count

    def to_data(self) -> dict[str, object]:
        """As JSON data, for a stored run."""
        return {
            "previous_response_id": self.previous_response_id,
            "conversation_id": self.conversation_id,
            "chained": self.chained,
            "known": self.known,
        }

    @classmethod
    def of(cls, data: object) -> ServerConversation | None:
        """Read from a stored run; None where there was none.

        Raises:
            UserError: The data is not what a stored run holds.
        """
        if data is None:
            return None
        if not is_object(data) or set(data) != set(cls().to_data()):
            raise UserError("The stored run does not say what its provider's conversation holds.")
        return cls(**cast("dict[str, Any]", data))
