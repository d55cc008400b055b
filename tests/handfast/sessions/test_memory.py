from __future__ import annotations

from typing import Any

from handfast import InMemorySession, SessionSettings


def item(n: int) -> dict[str, Any]:
    return {"role": "user", "content": [{"text": str(n)}]}


async def test_items_come_back_in_order_and_from_the_newest_end() -> None:
    session = InMemorySession("s")
    await session.add_items([item(1), item(2)])
    await session.add_items([item(3)])
    assert await session.get_items() == [item(1), item(2), item(3)]
    assert await session.get_items(limit=2) == [item(2), item(3)]
    assert await session.get_items(limit=0) == []
    assert await session.pop_item() == item(3)
    await session.clear_session()
    assert await session.get_items() == []
    assert await session.pop_item() is None


async def test_the_settings_limit_holds_unless_told_otherwise() -> None:
    session = InMemorySession("s", SessionSettings(1))
    await session.add_items([item(1), item(2)])
    assert await session.get_items() == [item(2)]
    assert await session.get_items(limit=5) == [item(1), item(2)]


async def test_what_is_handed_out_is_a_copy() -> None:
    session = InMemorySession("s")
    given = item(1)
    await session.add_items([given])
    given["content"][0]["text"] = "changed"
    taken: Any = await session.get_items()
    taken[0]["content"][0]["text"] = "changed too"
    assert await session.get_items() == [item(1)]
