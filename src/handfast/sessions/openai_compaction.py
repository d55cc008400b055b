"""`OpenAIResponsesCompactionSession`: a session that OpenAI makes shorter when it grows long.

The items stay in a session of yours. When a run has its output and there are enough of them that a
model made, the Responses API is asked for a shorter form (`responses.compact`), which takes their
place.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from typing import Any, Final, TypeAlias

from handfast.agents.compaction import CompactionMode, OpenAIResponsesCompactionArgs
from handfast.agents.raw import InputItem, to_wire
from handfast.agents.session import Session, SessionABC, SessionSettings
from handfast.errors import UserError
from handfast.sessions.openai_client import client_of

logger = logging.getLogger("handfast")

DEFAULT_MODEL: Final = "gpt-4.1"
"""The model whose tokens the shorter form is made for."""

ENOUGH_ITEMS: Final = 10
"""How many items of a model's make a conversation worth shortening."""

EVERYTHING: Final = 2**31 - 1
"""A limit over that of any session's settings: what is replaced must have been read."""

ShouldCompact: TypeAlias = Callable[[dict[str, Any]], bool]
"""`(context)`: a dict with `response_id`, `compaction_mode`, `compaction_candidate_items` and
`session_items`.
"""


class OpenAIResponsesCompactionSession(SessionABC):
    """A session of yours that OpenAI makes shorter.

    Args:
        session_id: What it is called.
        underlying_session: Where the items are.
        client: An `openai.AsyncOpenAI`; it stays yours to close. None makes one.
        model: The model whose tokens the shorter form is made for.
        compaction_mode: Send the id of the last response, or the items; `auto` sends the id where
            there is one.
        should_trigger_compaction: Says whether it is long enough; by default at 10 items of a
            model's.

    Raises:
        UserError: The underlying session is one that OpenAI keeps already.
    """

    def __init__(
        self,
        session_id: str,
        underlying_session: Session,
        *,
        client: object = None,
        model: str = DEFAULT_MODEL,
        compaction_mode: CompactionMode = "auto",
        should_trigger_compaction: ShouldCompact | None = None,
    ) -> None:
        if type(underlying_session).__name__ == "OpenAIConversationsSession":
            raise UserError("A conversation that OpenAI keeps is shortened by OpenAI itself.")
        self.session_id = session_id
        self.underlying_session = underlying_session
        self.model = model
        self.compaction_mode: CompactionMode = compaction_mode
        self.should_trigger_compaction = should_trigger_compaction
        self._given_client = client
        self._last_response: str | None = None

    @property
    def session_settings(self) -> SessionSettings | None:
        """Those of the underlying session."""
        return self.underlying_session.session_settings

    @session_settings.setter
    def session_settings(self, settings: SessionSettings | None) -> None:  # pyright: ignore[reportIncompatibleVariableOverride]
        self.underlying_session.session_settings = settings

    async def get_items(self, limit: int | None = None) -> list[InputItem]:
        """The conversation, oldest first; with a limit, that many of its newest items."""
        return await self.underlying_session.get_items(limit)

    async def add_items(self, items: list[InputItem]) -> None:
        """Add items at the end."""
        await self.underlying_session.add_items(items)

    async def pop_item(self) -> InputItem | None:
        """Take the newest item away and return it; None where there is none."""
        return await self.underlying_session.pop_item()

    async def clear_session(self) -> None:
        """Remove every item."""
        await self.underlying_session.clear_session()

    async def run_compaction(self, args: OpenAIResponsesCompactionArgs | None = None) -> None:
        """Shorten the conversation, where it is long enough or that is forced.

        Args:
            args: What to go by; by default the items, and the id of the last response that was
                given here.

        Raises:
            UserError: The mode is `previous_response_id` and no response was ever named.
        """
        asked = args or {}
        self._last_response = asked.get("response_id") or self._last_response
        items = await self.underlying_session.get_items(EVERYTHING)
        made = [item for item in items if _is_candidate(item)]
        mode = self._mode(asked)
        if not asked.get("force") and not self._is_long(made, items, mode):
            return
        body = self._body(mode, items)
        compacted = await client_of(self._given_client).responses.compact(**body)
        output: Sequence[object] = compacted.output or []
        if await self.underlying_session.get_items(EVERYTHING) != items:
            logger.warning("The session changed while it was made shorter, and stays as it is.")
            return
        await self._replace(items, [dict(to_wire(item)) for item in output])

    async def _replace(self, items: list[InputItem], shorter: list[InputItem]) -> None:
        await self.underlying_session.clear_session()
        async with AsyncExitStack() as undo:
            undo.push_async_callback(self.underlying_session.add_items, items)
            await self.underlying_session.add_items(shorter)
            undo.pop_all()

    def _is_long(
        self,
        made: list[InputItem],
        items: list[InputItem],
        mode: CompactionMode,
    ) -> bool:
        if self.should_trigger_compaction is None:
            return len(made) >= ENOUGH_ITEMS
        return self.should_trigger_compaction(
            {
                "response_id": self._last_response,
                "compaction_mode": mode,
                "compaction_candidate_items": made,
                "session_items": items,
            },
        )

    def _mode(self, asked: OpenAIResponsesCompactionArgs) -> CompactionMode:
        """By the response where the provider has it, unless one way was asked for."""
        mode = asked.get("compaction_mode") or self.compaction_mode
        if mode == "previous_response_id" and self._last_response is None:
            raise UserError("compaction_mode 'previous_response_id' needs a response_id.")
        if mode != "auto":
            return mode
        is_kept = self._last_response is not None and asked.get("store") is not False
        return "previous_response_id" if is_kept else "input"

    def _body(self, mode: CompactionMode, items: list[InputItem]) -> dict[str, object]:
        if mode == "previous_response_id":
            return {"model": self.model, "previous_response_id": self._last_response}
        return {"model": self.model, "input": items}


def _is_candidate(item: InputItem) -> bool:
    """True for what a model or a tool added: users' messages and shorter forms stay."""
    return item.get("role") != "user" and item.get("type") != "compaction"
