from __future__ import annotations

import asyncio
from typing import Any

import pytest

from handfast import (
    Agent,
    InMemorySession,
    ModelSettings,
    OpenAIResponsesCompactionArgs,
    RunConfig,
    RunContextWrapper,
    Runner,
    RunResult,
    RunResultStreaming,
    RunState,
    function_tool,
)
from handfast.agents.raw import InputItem
from handfast.runner import compacting
from handfast.testing import ModelStep, ScriptedModel, assistant_message, function_call


class Shortens(InMemorySession):
    """Notes what it was asked for, and how many items it then had."""

    def __init__(self) -> None:
        super().__init__("s")
        self.asked: list[tuple[OpenAIResponsesCompactionArgs | None, int]] = []

    async def run_compaction(self, args: OpenAIResponsesCompactionArgs | None = None) -> None:
        self.asked.append((args, len(await self.get_items())))


@function_tool
def look() -> str:
    """Look."""
    return "seen"


@function_tool(needs_approval=True)
def act() -> str:
    """Act."""
    return "acted"


LOOK = ModelStep(output=[function_call("look", call_id="c1")], response_id="resp_look")
ACT = ModelStep(output=[function_call("act", call_id="c2")], response_id="resp_act")
DONE = ModelStep(output=[assistant_message("done")], response_id="resp_done")
ASKED: OpenAIResponsesCompactionArgs = {"response_id": "resp_done", "force": False}


def talker(*steps: ModelStep, **options: Any) -> Agent[Any]:
    return Agent(name="a", model=ScriptedModel(steps), tools=[look, act], **options)


async def run(
    agent: Agent[Any],
    given: Any,
    session: InMemorySession,
    *,
    streamed: bool = False,
    **options: Any,
) -> RunResult | RunResultStreaming:
    if not streamed:
        return await Runner.run(agent, given, session=session, **options)
    result = Runner.run_streamed(agent, given, session=session, **options)
    async for _ in result.stream_events():
        pass
    return result


@pytest.mark.parametrize("streamed", [False, True])
async def test_once_when_the_session_has_the_output(*, streamed: bool) -> None:
    session = Shortens()
    result = await run(talker(LOOK, DONE), "go", session, streamed=streamed)
    assert result.final_output == "done"
    assert session.asked == [(ASKED, 4)]


@pytest.mark.parametrize("streamed", [False, True])
async def test_a_run_that_waits_asks_once_it_went_on(*, streamed: bool) -> None:
    session, agent = Shortens(), talker(ACT, DONE)
    waits = await run(agent, "go", session, streamed=streamed)
    assert session.asked == []
    state = await RunState.from_json(agent, waits.to_state().to_json())
    state.approve(state.get_interruptions()[0])
    await run(agent, state, session, streamed=streamed)
    assert session.asked == [(ASKED, 4)]


async def test_an_answer_whose_calls_were_answered_here_is_no_end() -> None:
    session = Shortens()
    await run(talker(LOOK, tool_use_behavior="stop_on_first_tool"), "go", session)
    assert session.asked == []
    await run(talker(DONE), "again", session)
    assert session.asked == [(ASKED, 5)]


def enough(_data: object) -> str:
    return "enough"


async def test_nor_is_one_after_which_the_program_gave_the_output() -> None:
    session = Shortens()
    handlers: dict[str, Any] = {"max_turns": enough}
    result = await run(talker(LOOK), "go", session, max_turns=1, error_handlers=handlers)
    assert result.final_output == "enough"
    assert session.asked == []


async def test_a_response_without_an_id_cannot_be_named() -> None:
    session = Shortens()
    unnamed = ModelStep(output=[assistant_message("done")], response_id=None)
    await run(talker(unnamed), "go", session)
    assert session.asked == []


@pytest.mark.parametrize("store", [False, True])
async def test_it_is_told_whether_the_provider_has_the_response(*, store: bool) -> None:
    session = Shortens()
    config = RunConfig(model_settings=ModelSettings(store=store))
    await run(talker(DONE), "go", session, run_config=config)
    assert session.asked == [({**ASKED, "store": store}, 2)]


async def test_a_session_that_wants_the_context_is_given_it() -> None:
    given: list[object] = []

    class Wants(InMemorySession):
        async def run_compaction(
            self,
            args: OpenAIResponsesCompactionArgs | None = None,
            *,
            wrapper: RunContextWrapper[Any] | None = None,
        ) -> None:
            del args
            given.append(wrapper)

    result = await run(talker(DONE), "go", Wants("s"))
    assert given == [result.context_wrapper]


class Fails(Shortens):
    """Cannot be made shorter."""

    async def run_compaction(self, args: OpenAIResponsesCompactionArgs | None = None) -> None:
        await super().run_compaction(args)
        raise OSError("no network")


async def test_a_session_that_fails_at_it_costs_no_output(
    caplog: pytest.LogCaptureFixture,
) -> None:
    session = Fails()
    result = await run(talker(DONE), "go", session)
    assert result.final_output == "done"
    assert len(await session.get_items()) == 2
    assert "could not be made shorter" in caplog.text


async def test_nor_does_one_that_takes_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow(InMemorySession):
        async def run_compaction(self, args: OpenAIResponsesCompactionArgs | None = None) -> None:
            del args
            await asyncio.Event().wait()

    monkeypatch.setattr(compacting, "COMPACTION_SECONDS", 0.0)
    assert (await run(talker(DONE), "go", Slow("s"))).final_output == "done"


class Away(Shortens):
    """Refuses the output once."""

    away = True

    async def add_items(self, items: list[InputItem]) -> None:
        if self.away and any(item.get("role") == "assistant" for item in items):
            self.away = False
            raise OSError("away")
        await super().add_items(items)


async def test_an_output_that_is_written_later_is_followed_by_it_then() -> None:
    session, agent = Away(), talker(DONE)
    result = Runner.run_streamed(agent, "go", session=session)
    with pytest.raises(OSError, match="away"):
        async for _ in result.stream_events():
            pass
    assert session.asked == []
    await Runner.run(agent, result.to_state(), session=session)
    assert session.asked == [(ASKED, 2)]
