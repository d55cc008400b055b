from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from handfast import InMemorySession, OpenAIConversationsSession, UserError
from handfast.sessions.openai_compaction import ENOUGH_ITEMS, OpenAIResponsesCompactionSession


class Responses:
    """The one endpoint that is used, in this process."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []

    async def compact(self, **body: Any) -> Any:
        self.asked.append(body)
        return SimpleNamespace(output=[{"type": "compaction", "encrypted_content": "x"}])


def made(**options: Any) -> tuple[OpenAIResponsesCompactionSession, Responses]:
    responses = Responses()
    client = SimpleNamespace(responses=responses)
    inner = InMemorySession("s")
    return OpenAIResponsesCompactionSession("s", inner, client=client, **options), responses


def said(role: str, n: int) -> dict[str, Any]:
    return {"role": role, "content": str(n)}


async def test_a_long_conversation_is_shortened_and_a_short_one_is_not() -> None:
    session, responses = made()
    await session.add_items([said("user", 0), said("assistant", 1)])
    await session.run_compaction()
    assert responses.asked == []
    await session.add_items([said("assistant", n) for n in range(ENOUGH_ITEMS)])
    before = await session.get_items()
    await session.run_compaction()
    assert responses.asked == [{"model": session.model, "input": before}]
    assert await session.get_items() == [{"type": "compaction", "encrypted_content": "x"}]


async def test_the_last_response_is_named_where_there_is_one() -> None:
    session, responses = made()
    await session.add_items([said("assistant", 1)])
    await session.run_compaction({"force": True, "response_id": "resp_1"})
    assert responses.asked == [{"model": session.model, "previous_response_id": "resp_1"}]
    await session.run_compaction({"force": True, "store": False})
    assert "input" in responses.asked[1]


def long_enough(given: Any) -> bool:
    return len(given["session_items"]) > 0


async def test_the_program_can_say_when_it_is_long_enough() -> None:
    session, responses = made(should_trigger_compaction=long_enough)
    await session.run_compaction()
    await session.add_items([said("user", 1)])
    await session.run_compaction()
    assert len(responses.asked) == 1
    assert (await session.pop_item() or {}).get("type") == "compaction"
    await session.clear_session()
    assert await session.get_items() == []


async def test_what_cannot_work_is_refused() -> None:
    session, _ = made(compaction_mode="previous_response_id")
    with pytest.raises(UserError, match="needs a response_id"):
        await session.run_compaction({"force": True})
    kept: Any = OpenAIConversationsSession(conversation_id="c")
    with pytest.raises(UserError, match="shortened by OpenAI itself"):
        OpenAIResponsesCompactionSession("s", kept)
