"""Whatever a session holds, the next request is one that providers take."""

from __future__ import annotations

from typing import Any

import pytest

from cases.case_model import (
    Wire,
    agent,
    assert_whole,
    called,
    outputs,
    play,
    scripted,
    shown,
    step,
    steps_of,
    texts,
)
from handfast import RunConfig, Session, SessionSettings, SQLiteSession, function_tool
from handfast.sessions.memory import InMemorySession


@function_tool(failure_error_function=None)
def crash() -> str:
    raise RuntimeError("the process fell over")


@function_tool
def a() -> str:
    return "A!"


@function_tool
def b() -> str:
    return "B!"


@pytest.fixture(params=["memory", "sqlite"])
def session(request: pytest.FixtureRequest) -> Session:
    return InMemorySession("s") if request.param == "memory" else SQLiteSession("s")


async def test_a_run_after_one_that_died_in_a_tool_works(
    session: Session,
    *,
    streamed: bool,
) -> None:
    model = scripted(steps_of("session-valid-1"))
    first = agent("A", model, tools=[crash])
    with pytest.raises(Exception, match="the process fell over"):
        await play(first, "do it", streamed=streamed, session=session)
    result = await play(first, "hello", streamed=streamed, session=session)
    assert result.final_output == "hello again"
    assert_whole(shown(model))
    assert texts(shown(model)) == ["do it", "hello"]


async def test_what_was_done_beside_a_tool_that_died_is_remembered(
    session: Session,
    *,
    streamed: bool,
) -> None:
    calls = [called("c1", "a"), called("c2", "crash"), called("c3", "b")]
    model = scripted([{**step("A", *calls), "reasoning": "think", "reasoning_id": "rs_1"}])
    first = agent("A", model, tools=[a, b, crash])
    with pytest.raises(Exception, match="the process fell over") as caught:
        await play(first, "do it", streamed=streamed, session=session)
    kept = [dict(each) for each in await session.get_items()]
    assert_whole(kept)
    done = {str(each["call_id"]) for each in kept if "call_id" in each}
    assert "c1" in done
    assert "c2" not in done
    told = getattr(caught.value, "run_data").new_items  # noqa: B009 - an error of the run
    assert [dict(each.to_input_item()) for each in told] == kept[1:]
    again = scripted([{"by": "A", "text": "ok"}])
    await play(agent("A", again, tools=[a, b, crash]), "hello", streamed=streamed, session=session)
    assert_whole(shown(again))


CALL: Wire = {"type": "function_call", "call_id": "c1", "name": "crash", "arguments": "{}"}
REASONING: Wire = {"type": "reasoning", "id": "rs_1", "summary": []}
ANSWER: Wire = {"type": "function_call_output", "call_id": "c1", "output": "ok"}


@pytest.mark.parametrize(
    "stored",
    [
        [CALL],
        [REASONING, CALL],
        [ANSWER],
        [REASONING],
        [CALL, CALL],
        [ANSWER, CALL],
        [REASONING, CALL, {"role": "user", "content": "still there?"}],
        [CALL, {**CALL, "call_id": "c2"}, ANSWER],
    ],
)
async def test_half_of_a_turn_in_a_store_does_not_reach_a_model(
    session: Session,
    stored: list[Wire],
    *,
    streamed: bool,
) -> None:
    await session.add_items([{"role": "user", "content": "before"}, *stored])
    model = scripted([{"by": "A", "text": "ok"}])
    result = await play(agent("A", model), "hello", streamed=streamed, session=session)
    assert result.final_output == "ok"
    assert_whole(shown(model))
    assert texts(shown(model))[0] == "before"
    assert texts(shown(model))[-1] == "hello"


@pytest.mark.parametrize("limit", range(12))
async def test_a_limit_cuts_whole_groups(session: Session, limit: int, *, streamed: bool) -> None:
    plain, end = steps_of("session-valid-3")
    turn: dict[str, Any] = {**plain, "reasoning": "think", "reasoning_id": "rs_1"}
    first = agent("A", scripted([turn, end, turn, end]), tools=[a, b])
    for words in ("one", "two"):
        await play(first, words, streamed=streamed, session=session)
    stored = len(await session.get_items())
    model = scripted([step("A", *turn["calls"]), end])
    config = RunConfig(session_settings=SessionSettings(limit=limit))
    again = agent("A", model, tools=[a, b])
    await play(again, "three", streamed=streamed, session=session, run_config=config)
    for n in range(2):
        assert_whole(shown(model, n))
        assert texts(shown(model, n))[-1] == "three"
    assert len(shown(model, 0)) <= limit + 1
    assert len(await session.get_items()) == stored + 6
    assert outputs(shown(model))


@pytest.mark.parametrize("limit", range(1, 8))
async def test_nothing_goes_out_by_an_id_whose_reasoning_was_cut_off(
    session: Session,
    limit: int,
    *,
    streamed: bool,
) -> None:
    thinking: dict[str, Any] = {"reasoning": "think", "reasoning_id": "rs_1"}
    steps = [
        {**step("A", called("c0", "a")), **thinking},
        {**step("A"), "text": "done", **thinking},
    ]
    await play(agent("A", scripted(steps), tools=[a]), "one", streamed=streamed, session=session)
    model = scripted([{"by": "A", "text": "ok"}])
    config = RunConfig(session_settings=SessionSettings(limit=limit))
    await play(agent("A", model), "two", streamed=streamed, session=session, run_config=config)
    sent = shown(model)
    assert_whole(sent)
    for before, item in zip([{}, *sent], sent, strict=False):
        if "id" in item and item.get("type") in {"message", "function_call"}:
            assert before.get("type") == "reasoning"


@pytest.mark.parametrize("odd", [{}, {"tool_calls": None}, {"tool_calls": []}])
async def test_assistant_messages_of_any_dialect_pass_as_they_are(
    session: Session,
    odd: dict[str, Any],
    *,
    streamed: bool,
) -> None:
    told = {"role": "assistant", "content": "hi", **odd}
    await session.add_items([{"role": "user", "content": "hello"}, told])
    model = scripted([{"by": "A", "text": "ok"}])
    await play(agent("A", model), "again", streamed=streamed, session=session)
    assert texts(shown(model)) == ["hello", "hi", "again"]
