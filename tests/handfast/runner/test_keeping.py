from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from handfast import (
    Agent,
    InMemorySession,
    MaxTurnsExceeded,
    RunConfig,
    Runner,
    RunState,
    SessionSettings,
    UserError,
    function_tool,
)
from handfast.agents.raw import InputItem
from handfast.testing import ScriptedModel, assistant_message, function_call
from handfast.testing.messages import ScriptedItem


@function_tool
def look() -> str:
    """Look."""
    return "seen"


@function_tool(failure_error_function=None)
def break_down() -> str:
    """Break down."""
    raise RuntimeError("broken")


@function_tool(needs_approval=True)
def act() -> str:
    """Act."""
    return "acted"


def talker(*steps: list[ScriptedItem]) -> tuple[Agent[Any], ScriptedModel]:
    model = ScriptedModel(steps)
    return Agent(name="a", model=model, tools=[look, break_down, act]), model


def kinds(items: Sequence[InputItem]) -> list[object]:
    return [item.get("role") or item["type"] for item in items]


def assert_paired(items: Sequence[InputItem]) -> None:
    calls = [i["call_id"] for i in items if i.get("type") == "function_call"]
    answers = [i["call_id"] for i in items if i.get("type") == "function_call_output"]
    assert calls == answers


TURN = [function_call("look", call_id="c1")]
DONE = [assistant_message("done")]


@pytest.mark.parametrize("streamed", [False, True])
async def test_the_next_run_is_shown_what_was_said(streamed: bool) -> None:  # noqa: FBT001
    session = InMemorySession("s")
    agent, model = talker(TURN, DONE, [assistant_message("again")])
    for text in ("one", "two"):
        if streamed:
            result = Runner.run_streamed(agent, text, session=session)
            async for _ in result.stream_events():
                pass
        else:
            await Runner.run(agent, text, session=session)
    assert model.last_call is not None
    assert not isinstance(model.last_call.input, str)
    told = kinds(model.last_call.input)
    assert told == ["user", "function_call", "function_call_output", "assistant", "user"]
    assert kinds(await session.get_items()) == [*told, "assistant"]


async def test_a_run_that_fails_midway_leaves_finished_calls_and_no_other() -> None:
    session = InMemorySession("s")
    agent, model = talker(TURN, [function_call("look"), function_call("break_down")])
    with pytest.raises(UserError, match="broken"):
        await Runner.run(agent, "go", session=session)
    items = await session.get_items()
    assert kinds(items) == ["user", *["function_call", "function_call_output"] * 2]
    assert_paired(items)
    model.extend([DONE])
    assert (await Runner.run(agent, "again", session=session)).final_output == "done"
    assert_paired(await session.get_items())


async def test_a_run_out_of_turns_keeps_every_finished_one() -> None:
    session = InMemorySession("s")
    agent, _ = talker(TURN, [function_call("look", call_id="c2")])
    with pytest.raises(MaxTurnsExceeded):
        await Runner.run(agent, "go", session=session, max_turns=2)
    assert len(await session.get_items()) == 5


async def test_a_turn_that_waits_is_written_when_it_is_whole_and_nothing_twice() -> None:
    session = InMemorySession("s")
    agent, _ = talker(TURN, [function_call("act", call_id="c2")], DONE)
    paused = await Runner.run(agent, "go", session=session)
    assert len(await session.get_items()) == 3
    state = await RunState.from_string(agent, paused.to_state().to_string())
    state.approve(state.get_interruptions()[0])
    await Runner.run(agent, state, session=session)
    items = await session.get_items()
    assert kinds(items) == [
        "user",
        "function_call",
        "function_call_output",
        "function_call",
        "function_call_output",
        "assistant",
    ]
    assert_paired(items)


@pytest.mark.parametrize("stored", [False, True])
async def test_a_run_that_waits_goes_on_with_no_other_session(*, stored: bool) -> None:
    session, other = InMemorySession("s"), InMemorySession("other")
    agent, model = talker([function_call("act", call_id="c1")], DONE)
    state = (await Runner.run(agent, "go", session=session)).to_state()
    if stored:
        state = await RunState.from_string(agent, state.to_string())
    state.approve(state.get_interruptions()[0])
    with pytest.raises(UserError, match=r"pending Session write for session 's'.*'other'"):
        await Runner.run(agent, state, session=other)
    assert await other.get_items() == []
    assert len(model.calls) == 1
    assert (await Runner.run(agent, state, session=session)).final_output == "done"


async def test_a_run_that_goes_on_without_its_session_brings_it_everything_later() -> None:
    session = InMemorySession("s")
    steps = [[function_call("act", call_id=f"c{n}")] for n in (1, 2)]
    agent, _ = talker(*steps, DONE)
    state = (await Runner.run(agent, "go", session=session)).to_state()
    for kept in (None, session):
        state.approve(state.get_interruptions()[0])
        state = (await Runner.run(agent, state, session=kept)).to_state()
    items = await session.get_items()
    assert len(items) == 6
    assert_paired(items)


class Unsteady(InMemorySession):
    """Fails the next write, with or without having done it."""

    failure: str | None = None

    async def add_items(self, items: list[InputItem]) -> None:
        failure, self.failure = self.failure, None
        if failure == "lost":
            raise OSError("disk full")
        await super().add_items(items)
        if failure == "unacknowledged":
            raise OSError("disk full")


@pytest.mark.parametrize("failure", ["lost", "unacknowledged"])
@pytest.mark.parametrize("streamed", [False, True])
async def test_an_output_that_could_not_be_written_is_given_on_the_next_resume(
    *,
    failure: str,
    streamed: bool,
) -> None:
    session = Unsteady("s")
    agent, model = talker([function_call("act", call_id="c1")], DONE)
    agent.tool_use_behavior = "stop_on_first_tool"
    state = (await Runner.run(agent, "go", session=session)).to_state()
    state.approve(state.get_interruptions()[0])
    session.failure = failure
    with pytest.raises(OSError, match="disk full"):
        await Runner.run(agent, state, session=session)
    state = await RunState.from_string(agent, state.to_string())
    if streamed:
        stream = Runner.run_streamed(agent, state, session=session)
        assert [event.type async for event in stream.stream_events()] == [
            "agent_updated_stream_event",
        ]
        assert stream.final_output == "acted"
    else:
        assert (await Runner.run(agent, state, session=session)).final_output == "acted"
    assert len(model.calls) == 1
    assert kinds(await session.get_items()) == ["user", "function_call", "function_call_output"]


async def test_a_session_that_cannot_be_written_ends_the_run_with_its_error() -> None:
    class Full(InMemorySession):
        async def add_items(self, items: list[InputItem]) -> None:
            del items
            raise OSError("disk full")

    agent, model = talker(DONE)
    with pytest.raises(OSError, match="disk full"):
        await Runner.run(agent, "go", session=Full("s"))
    assert model.calls == ()


async def test_a_limit_shows_the_newest_and_no_half_of_a_pair() -> None:
    session = InMemorySession("s", SessionSettings(2))
    agent, model = talker(TURN, DONE, [assistant_message("again")])
    await Runner.run(agent, "one", session=session)
    await Runner.run(agent, "two", session=session)
    assert model.last_call is not None
    assert not isinstance(model.last_call.input, str)
    assert kinds(model.last_call.input) == ["assistant", "user"]
    config = RunConfig(session_settings=SessionSettings(0))
    model.extend([DONE])
    await Runner.run(agent, "three", session=session, run_config=config)
    assert model.last_call is not None
    assert kinds(list(model.last_call.input)) == ["user"]


async def test_a_callback_makes_the_conversation_and_history_is_not_written_again() -> None:
    session = InMemorySession("s")
    agent, model = talker(DONE, DONE)
    await Runner.run(agent, "one", session=session)

    async def merge(history: list[InputItem], fresh: list[InputItem]) -> list[InputItem]:
        return [{"role": "developer", "content": "be brief"}, *history[-1:], *fresh]

    config = RunConfig(session_input_callback=merge)
    await Runner.run(agent, "two", session=session, run_config=config)
    assert model.last_call is not None
    assert kinds(list(model.last_call.input)) == ["developer", "assistant", "user"]  # type: ignore[arg-type]
    assert kinds(await session.get_items()) == [
        "user",
        "assistant",
        "developer",
        "user",
        "assistant",
    ]


async def test_a_callback_that_returns_no_list_is_the_users_mistake() -> None:
    agent, _ = talker()
    config = RunConfig(session_input_callback=lambda history, fresh: None)  # type: ignore[arg-type,return-value]  # noqa: ARG005
    with pytest.raises(UserError, match="list of items"):
        await Runner.run(agent, "x", session=InMemorySession("s"), run_config=config)


async def test_a_session_may_ask_for_the_runs_context() -> None:
    class Scoped:
        session_id = "s"
        session_settings = None

        def __init__(self) -> None:
            self.seen: list[object] = []

        async def get_items(self, limit: int | None = None, *, wrapper: Any) -> list[InputItem]:
            del limit
            self.seen.append(wrapper.context)
            return []

        async def add_items(self, items: list[InputItem], *, wrapper: Any) -> None:
            del items
            self.seen.append(wrapper.context)

        async def pop_item(self, *, wrapper: Any) -> InputItem | None:
            del wrapper
            return None

        async def clear_session(self, *, wrapper: Any) -> None:
            del wrapper

    session: Any = Scoped()
    agent, _ = talker(DONE)
    await Runner.run(agent, "x", context="tenant", session=session)
    assert session.seen == ["tenant"] * 3


class Plain:
    """A session of the first days: no limit, no settings, no context."""

    session_id = "plain"

    def __init__(self) -> None:
        self.items: list[InputItem] = []

    async def get_items(self) -> list[InputItem]:
        return list(self.items)

    async def add_items(self, items: list[InputItem]) -> None:
        self.items.extend(items)

    async def pop_item(self) -> InputItem | None:
        return self.items.pop() if self.items else None

    async def clear_session(self) -> None:
        self.items.clear()


class Secretive:
    """A method that does not tell its parameters."""

    def __init__(self, method: Any) -> None:
        self._method = method

    @property
    def __signature__(self) -> object:
        raise RuntimeError("no signature")

    async def __call__(self, *args: Any) -> Any:
        return await self._method(*args)


@pytest.mark.parametrize("secretive", [False, True])
async def test_a_session_without_limits_and_context_is_asked_for_neither(
    secretive: bool,  # noqa: FBT001
) -> None:
    session: Any = Plain()
    if secretive:
        session.get_items = Secretive(session.get_items)
    agent, model = talker(TURN, DONE, DONE)
    await Runner.run(agent, "one", session=session)
    assert kinds(session.items) == ["user", "function_call", "function_call_output", "assistant"]
    config = RunConfig(session_settings=SessionSettings(1))
    await Runner.run(agent, "two", session=session, run_config=config)
    assert model.last_call is not None
    assert kinds(list(model.last_call.input)) == ["assistant", "user"]  # type: ignore[arg-type]


async def test_a_write_that_failed_is_finished_in_a_session_without_limits() -> None:
    class Failing(Plain):
        fails = False

        async def add_items(self, items: list[InputItem]) -> None:
            await super().add_items(items)
            if self.fails:
                self.fails = False
                raise OSError("the answer was lost")

    session: Any = Failing()
    agent, _ = talker(TURN, [function_call("act", call_id="c2")], DONE)
    paused = await Runner.run(agent, "go", session=session)
    state = paused.to_state()
    state.approve(state.get_interruptions()[0])
    session.fails = True
    with pytest.raises(OSError, match="lost"):
        await Runner.run(agent, state, session=session)
    result = await Runner.run(agent, state, session=session)
    assert result.final_output == "done"
    assert_paired(session.items)
    assert len(session.items) == 6


async def conversations(
    merge: Any,
    *said: str,
) -> tuple[list[object], list[object]]:
    """What a session holds, and what the last request held, after some runs with a callback."""
    session = InMemorySession("s")
    agent, model = talker(*([assistant_message(f"to {each}")] for each in said))
    config = RunConfig(session_input_callback=merge)
    for each in said:
        await Runner.run(agent, each, session=session, run_config=config)
    assert model.last_call is not None
    told: list[Any] = list(model.last_call.input)
    stored = [i["content"] for i in await session.get_items() if i["role"] == "user"]
    return stored, [i["content"] for i in told if i["role"] == "user"]


async def test_history_that_a_callback_repeats_or_edits_is_not_written_again() -> None:
    def repeat(history: list[InputItem], fresh: list[InputItem]) -> list[InputItem]:
        return [*history, *history[:1], *fresh]

    assert await conversations(repeat, "one", "two", "three") == (
        ["one", "two", "three"],
        ["one", "two", "one", "three"],
    )

    def edit(history: list[dict[str, object]], fresh: list[InputItem]) -> list[InputItem]:
        for item in history:
            if item["role"] == "user":
                item["content"] = "redacted"
        return [*history, *fresh]

    assert await conversations(edit, "one", "two", "three") == (
        ["one", "two", "three"],
        ["redacted", "redacted", "three"],
    )


async def test_new_input_that_equals_history_is_written_though_the_callback_drops_history() -> None:
    def forget(history: list[InputItem], fresh: list[InputItem]) -> list[InputItem]:
        del history
        return fresh

    def forget_and_copy(history: list[InputItem], fresh: list[InputItem]) -> list[InputItem]:
        del history
        return [dict(item) for item in fresh]

    def copy_all(history: list[InputItem], fresh: list[InputItem]) -> list[InputItem]:
        return [dict(item) for item in [*history, *fresh]]

    for merge, told in ((forget, ["yes"]), (forget_and_copy, ["yes"]), (copy_all, ["yes"] * 2)):
        assert await conversations(merge, "yes", "yes") == (["yes", "yes"], told)
