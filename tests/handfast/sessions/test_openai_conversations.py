from __future__ import annotations

from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import pytest

from handfast import OpenAIConversationsSession, SessionSettings, UserError


class Conversations:
    """OpenAI's Conversations API, in this process."""

    def __init__(self) -> None:
        self.kept: dict[str, list[dict[str, Any]]] = {}
        self.requests = 0
        self.items = SimpleNamespace(list=self.list, create=self.add, delete=self.remove)

    async def create(self, items: list[Any]) -> Any:
        name = f"conv_{len(self.kept) + 1}"
        self.kept[name] = list(items)
        return SimpleNamespace(id=name)

    async def delete(self, conversation_id: str) -> None:
        del self.kept[conversation_id]

    async def list(self, conversation_id: str, order: str) -> AsyncIterator[dict[str, Any]]:
        kept = self.kept[conversation_id]
        for item in kept if order == "asc" else reversed(kept):
            yield item

    async def add(self, conversation_id: str, items: Any) -> None:
        self.requests += 1
        kept = self.kept[conversation_id]
        kept.extend({**item, "id": f"item_{len(kept) + n}"} for n, item in enumerate(items))

    async def remove(self, conversation_id: str, item_id: str) -> None:
        kept = self.kept[conversation_id]
        kept[:] = [item for item in kept if item["id"] != item_id]


def made(**options: Any) -> tuple[OpenAIConversationsSession, Conversations]:
    api = Conversations()
    client = SimpleNamespace(conversations=api)
    return OpenAIConversationsSession(openai_client=client, **options), api


def said(n: int) -> dict[str, Any]:
    return {"role": "user", "content": str(n)}


async def test_a_conversation_begins_with_its_first_item_and_is_read_from_either_end() -> None:
    session, api = made()
    with pytest.raises(UserError, match="no id before"):
        _ = session.session_id
    assert await session.get_items() == []
    await session.add_items([])
    assert api.kept == {}
    await session.add_items([said(n) for n in range(25)])
    assert (session.session_id, api.requests) == ("conv_1", 2)
    assert [item["content"] for item in await session.get_items()] == [str(n) for n in range(25)]
    assert [item["content"] for item in await session.get_items(limit=2)] == ["23", "24"]
    newest = await session.pop_item()
    assert newest is not None
    assert newest["content"] == "24"
    await session.clear_session()
    assert api.kept == {}
    assert await session.pop_item() is None


async def test_a_conversation_that_is_there_is_gone_on_with() -> None:
    session, api = made(conversation_id="mine", session_settings=SessionSettings(1))
    api.kept["mine"] = [{**said(1), "id": "a"}, {**said(2), "id": "b"}]
    assert await session.get_items() == [{**said(2), "id": "b"}]
    assert session.session_id == "mine"
