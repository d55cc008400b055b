from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from handfast import (
    Agent,
    InMemorySession,
    RunErrorDetails,
    RunHooks,
    Runner,
    Tool,
    UserError,
    function_tool,
)
from handfast.agents.raw import InputItem
from handfast.testing import ScriptedModel, assistant_message, function_call


def shape(items: Sequence[InputItem]) -> list[str]:
    return [f"{item.get('type', item.get('role'))} {item.get('call_id', '')}" for item in items]


class Ends(RunHooks[Any]):
    """Tells when a tool's end was told, and fails or waits there for some tools."""

    def __init__(self, fails: str = "", waits: str = "") -> None:
        self.fails, self.waits = fails, waits
        self.told = asyncio.Event()

    async def on_tool_end(self, context: object, agent: object, tool: Any, result: object) -> None:  # noqa: ARG002 - the SDK's signature
        self.told.set()
        if tool.name == self.fails:
            raise ValueError("the hook broke")
        if tool.name == self.waits:
            await asyncio.Event().wait()


def pair(first: Callable[[], Any], second: Callable[[], Any]) -> Agent[Any]:
    model = ScriptedModel(
        [
            [function_call("first", call_id="c1"), function_call("second", call_id="c2")],
            [assistant_message("done")],
        ],
    )
    tools: list[Tool] = [
        function_tool(first, name_override="first", failure_error_function=None),
        function_tool(second, name_override="second", failure_error_function=None),
    ]
    return Agent(name="a", model=model, tools=tools)


KEPT = ["user ", "function_call c1", "function_call_output c1"]


async def test_a_neighbour_whose_end_is_still_being_told_has_its_answer() -> None:
    hooks, session = Ends(waits="first"), InMemorySession("s")

    async def first() -> str:
        return "did it"

    async def second() -> str:
        await hooks.told.wait()
        raise ValueError("boom")

    with pytest.raises(UserError, match="boom"):
        await Runner.run(pair(first, second), "go", hooks=hooks, session=session)
    assert shape(await session.get_items()) == KEPT


async def test_a_call_whose_end_cannot_be_told_has_its_answer_and_names_the_tool() -> None:
    hooks, session = Ends(fails="first"), InMemorySession("s")

    async def first() -> str:
        return "did it"

    async def second() -> str:
        await asyncio.Event().wait()
        return "never"

    with pytest.raises(UserError, match="running tool first: the hook broke") as caught:
        await Runner.run(pair(first, second), "go", hooks=hooks, session=session)
    assert isinstance(caught.value.__cause__, ValueError)
    assert shape(await session.get_items()) == KEPT
    assert isinstance(caught.value.run_data, RunErrorDetails)
    told = [item.to_input_item() for item in caught.value.run_data.new_items]
    assert shape(told) == KEPT[1:]


async def test_a_cancelled_run_keeps_what_its_tools_had_done() -> None:
    hooks, session = Ends(), InMemorySession("s")

    async def first() -> str:
        return "did it"

    async def second() -> str:
        await asyncio.Event().wait()
        return "never"

    run = asyncio.create_task(
        Runner.run(pair(first, second), "go", hooks=hooks, session=session),
    )
    await hooks.told.wait()
    await asyncio.sleep(0)
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run
    assert shape(await session.get_items()) == KEPT


async def test_a_call_that_does_not_hear_that_it_is_cancelled_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr("handfast.agents.together.GRACE", 0.01)
    begun, released = asyncio.Event(), asyncio.Event()

    async def first() -> str:
        begun.set()
        while not released.is_set():
            try:
                await released.wait()
            except asyncio.CancelledError:
                continue
        return "late"

    async def second() -> str:
        await begun.wait()
        raise ValueError("boom")

    with caplog.at_level(logging.WARNING), pytest.raises(UserError, match="boom"):
        await Runner.run(pair(first, second), "go")
    assert "went on" in caplog.text
    released.set()


async def test_a_neighbour_that_cancels_the_tasks_of_others_does_not_hang_the_run() -> None:
    begun = asyncio.Event()

    async def first() -> str:
        begun.set()
        await asyncio.Event().wait()
        return "never"

    async def second() -> str:
        await begun.wait()
        for task in asyncio.all_tasks() - {asyncio.current_task(), running, testing}:
            task.cancel()
        await asyncio.sleep(0)
        return "cancelled"

    testing = asyncio.current_task()
    running = asyncio.create_task(Runner.run(pair(first, second), "go"))
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(running, 10)
