"""`OpenAIConversationsSession`: a conversation that OpenAI's Conversations API stores."""

from __future__ import annotations

import importlib
from typing import Any, Final

from handfast.agents.raw import InputItem, to_wire
from handfast.agents.session import SessionABC, SessionSettings, settings_of
from handfast.errors import UserError

_MOST_ITEMS: Final = 20


class OpenAIConversationsSession(SessionABC):
    """A conversation at OpenAI.

    Args:
        conversation_id: An existing conversation; None makes one when the first item is stored.
        openai_client: An `AsyncOpenAI` of the `openai` package; None makes one, with the key of the
            environment.
        session_settings: How much of it a run is shown.
    """

    _conversation_id: str | None = None
    _client: Any = None

    def __init__(
        self,
        *,
        conversation_id: str | None = None,
        openai_client: Any = None,  # noqa: ANN401 - the openai package's client
        session_settings: SessionSettings | None = None,
    ) -> None:
        self._conversation_id = conversation_id
        self._client = openai_client
        self.session_settings: SessionSettings | None = settings_of(session_settings)

    @property
    def session_id(self) -> str:
        """The conversation's id.

        Raises:
            UserError: Nothing has been stored yet, so that there is no conversation.
        """
        if self._conversation_id is None:
            raise UserError("The conversation has no id before something is stored in it.")
        return self._conversation_id

    @session_id.setter
    def session_id(  # pyright: ignore[reportIncompatibleVariableOverride] - read and set alike
        self,
        conversation_id: str,
    ) -> None:
        self._conversation_id = conversation_id

    async def get_items(self, limit: int | None = None) -> list[InputItem]:
        """The conversation, oldest first; with a limit, that many of its newest items."""
        limit = settings_of(self.session_settings).limit if limit is None else limit
        if self._conversation_id is None or (limit is not None and limit <= 0):
            return []
        order = "asc" if limit is None else "desc"
        items: list[InputItem] = []
        listing = self._api().conversations.items.list(
            conversation_id=self._conversation_id,
            order=order,
        )
        async for item in listing:
            items.append(to_wire(item))
            if limit is not None and len(items) == limit:
                break
        return items if limit is None else items[::-1]

    async def add_items(self, items: list[InputItem]) -> None:
        """Add items at the end, in requests of at most 20 items."""
        if not items:
            return
        if self._conversation_id is None:
            made = await self._api().conversations.create(items=[])
            self._conversation_id = str(made.id)
        for start in range(0, len(items), _MOST_ITEMS):
            await self._api().conversations.items.create(
                conversation_id=self._conversation_id,
                items=list(items[start : start + _MOST_ITEMS]),
            )

    async def pop_item(self) -> InputItem | None:
        """Take the newest item away and return it; None where there is none."""
        newest = await self.get_items(limit=1)
        if not newest:
            return None
        await self._api().conversations.items.delete(
            conversation_id=self.session_id,
            item_id=str(newest[0].get("id", "")),
        )
        return newest[0]

    async def clear_session(self) -> None:
        """Delete the conversation; the next item begins a new one."""
        if self._conversation_id is not None:
            await self._api().conversations.delete(conversation_id=self._conversation_id)
            self._conversation_id = None

    def _api(self) -> Any:  # noqa: ANN401 - the openai package's client
        if self._client is None:
            self._client = _own_client()
        return self._client


def _own_client() -> Any:  # noqa: ANN401 - the openai package's client
    # Loaded when it is first needed, so that nobody else pays for the package or has to have it.
    try:
        package = importlib.import_module("openai")
    except ImportError:
        raise UserError(
            "OpenAIConversationsSession needs the openai package: pip install 'handfast[openai]'",
        ) from None
    return package.AsyncOpenAI()
