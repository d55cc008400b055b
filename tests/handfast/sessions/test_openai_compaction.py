from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from handfast import (
    Agent,
    InMemorySession,
    OpenAIConversationsSession,
    Runner,
    SessionSettings,
    UserError,
)
from handfast.agents.raw import InputItem
from handfast.sessions.openai_compaction import ENOUGH_ITEMS, OpenAIResponsesCompactionSession
from handfast.testing import ModelStep, ScriptedModel, assistant_message


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


async def test_a_run_shortens_it_at_its_end() -> None:
    session, responses = made(should_trigger_compaction=long_enough)
    step = ModelStep(output=[assistant_message("hello")], response_id="resp_1")
    given: Any = session
    result = await Runner.run(Agent(name="a", model=ScriptedModel([step])), "hi", session=given)
    assert result.final_output == "hello"
    assert responses.asked == [{"model": session.model, "previous_response_id": "resp_1"}]
    assert await session.get_items() == [{"type": "compaction", "encrypted_content": "x"}]


async def test_what_a_limit_hides_is_shortened_too() -> None:
    session, responses = made()
    session.session_settings = SessionSettings(limit=1)
    items: list[InputItem] = [said("user", 0), said("assistant", 1)]
    await session.add_items(items)
    assert await session.get_items() == items[1:]
    await session.run_compaction({"force": True})
    assert responses.asked == [{"model": session.model, "input": items}]


class Breaks(InMemorySession):
    """Does not take the shorter form."""

    async def add_items(self, items: list[InputItem]) -> None:
        if any(item.get("type") == "compaction" for item in items):
            raise OSError("disk full")
        await super().add_items(items)


async def test_a_store_that_refuses_the_shorter_form_keeps_the_long_one() -> None:
    client = SimpleNamespace(responses=Responses())
    session = OpenAIResponsesCompactionSession("s", Breaks("s"), client=client)
    await session.add_items([said("user", 0), said("assistant", 1)])
    with pytest.raises(OSError, match="disk full"):
        await session.run_compaction({"force": True})
    assert await session.get_items() == [said("user", 0), said("assistant", 1)]


async def test_what_is_added_meanwhile_is_not_lost() -> None:
    inner = InMemorySession("s")

    class Slow(Responses):
        async def compact(self, **body: Any) -> Any:
            await inner.add_items([said("user", 2)])
            return await super().compact(**body)

    client = SimpleNamespace(responses=Slow())
    session = OpenAIResponsesCompactionSession("s", inner, client=client)
    await session.add_items([said("assistant", 1)])
    await session.run_compaction({"force": True})
    assert await session.get_items() == [said("assistant", 1), said("user", 2)]


async def test_what_cannot_work_is_refused() -> None:
    session, _ = made(compaction_mode="previous_response_id")
    with pytest.raises(UserError, match="needs a response_id"):
        await session.run_compaction({"force": True})
    kept: Any = OpenAIConversationsSession(conversation_id="c")
    with pytest.raises(UserError, match="shortened by OpenAI itself"):
        OpenAIResponsesCompactionSession("s", kept)
