from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from handfast import Agent, RunConfig, Runner, RunState, UserError, function_tool
from handfast.testing.messages import ScriptedItem, assistant_message, function_call
from handfast.testing.scripted_model import ScriptedModel

deleted: list[str] = []


@pytest.fixture(autouse=True)
def _nothing_deleted() -> None:
    deleted.clear()


@function_tool(needs_approval=True)
def delete(path: str) -> str:
    """Delete a file."""
    deleted.append(path)
    return f"deleted {path}"


@function_tool
def look() -> str:
    """Look around."""
    return "seen"


def cleaner(*steps: list[ScriptedItem]) -> tuple[Agent[Any], ScriptedModel]:
    model = ScriptedModel(steps)
    return Agent(name="cleaner", model=model, tools=[delete, look]), model


ASK = [function_call("delete", {"path": "a"}, call_id="c1"), function_call("look", call_id="c2")]


async def test_a_call_that_needs_approval_pauses_the_run_and_runs_nothing_of_it() -> None:
    agent, model = cleaner(ASK)
    result = await Runner.run(agent, "clean up")
    (asked,) = result.interruptions
    assert (asked.tool_name, asked.arguments, asked.call_id) == ("delete", '{"path": "a"}', "c1")
    assert asked.agent is agent
    assert deleted == []
    assert result.final_output is None
    assert [item.type for item in result.new_items] == [
        "tool_call_item",
        "tool_call_item",
        "tool_call_output_item",
        "tool_approval_item",
    ]
    assert len(model.calls) == 1


@pytest.mark.parametrize("stored", [False, True])
async def test_an_approved_call_runs_once_and_the_run_goes_on(stored: bool) -> None:  # noqa: FBT001
    agent, model = cleaner(ASK, [assistant_message("done")])
    paused = await Runner.run(agent, "clean up")
    state = paused.to_state()
    state.approve(state.get_interruptions()[0])
    if stored:
        state = await RunState.from_string(agent, state.to_string())
    result = await Runner.run(agent, state)
    assert result.final_output == "done"
    assert deleted == ["a"]
    assert result.context_wrapper.usage.requests == 2
    assert not isinstance(model.calls[1].input, str)
    shown = [i["output"] for i in model.calls[1].input if "output" in i]
    assert shown == ["deleted a", "seen"]
    assert [item.type for item in result.new_items] == [
        "tool_call_item",
        "tool_call_item",
        "tool_call_output_item",
        "tool_call_output_item",
        "message_output_item",
    ]


async def test_a_rejected_call_is_answered_and_the_run_goes_on() -> None:
    agent, model = cleaner(ASK, [assistant_message("ok")])
    state = (await Runner.run(agent, "clean up")).to_state()
    state.reject(state.get_interruptions()[0], rejection_message="Not that one.")
    result = await Runner.run(agent, state)
    assert result.final_output == "ok"
    assert deleted == []
    assert not isinstance(model.calls[1].input, str)
    assert [i["output"] for i in model.calls[1].input if "output" in i] == ["Not that one.", "seen"]


async def test_a_run_without_a_decision_waits_again() -> None:
    agent, model = cleaner(ASK)
    state = (await Runner.run(agent, "clean up")).to_state()
    again = await Runner.run(agent, state)
    assert len(again.interruptions) == 1
    assert len(model.calls) == 1
    assert deleted == []


async def test_an_approval_holds_for_those_arguments_only() -> None:
    agent, _ = cleaner(
        ASK,
        [function_call("delete", {"path": "b"}, call_id="c9")],
        [assistant_message("done")],
    )
    state = (await Runner.run(agent, "clean up")).to_state()
    state.approve(state.get_interruptions()[0])
    again = await Runner.run(agent, state)
    assert deleted == ["a"]
    assert [item.arguments for item in again.interruptions] == ['{"path": "b"}']


async def test_always_approve_holds_for_later_calls_of_the_tool() -> None:
    agent, _ = cleaner(
        ASK,
        [function_call("delete", {"path": "b"}, call_id="c9")],
        [assistant_message("done")],
    )
    state = (await Runner.run(agent, "clean up")).to_state()
    state.approve(state.get_interruptions()[0], always_approve=True)
    result = await Runner.run(agent, state)
    assert result.final_output == "done"
    assert deleted == ["a", "b"]


async def test_a_person_at_hand_is_asked_at_once() -> None:
    agent, _ = cleaner(ASK, [assistant_message("done")])
    asked: list[str | None] = []

    def approver(_: object, item: Any) -> bool:
        asked.append(item.arguments)
        return True

    result = await Runner.run(agent, "clean up", run_config=RunConfig(approver=approver))
    assert result.final_output == "done"
    assert asked == ['{"path": "a"}']
    assert deleted == ["a"]


async def test_an_agent_used_as_a_tool_pauses_its_caller_and_resumes_where_it_was() -> None:
    inner, inner_model = cleaner(ASK, [assistant_message("inner done")])
    outer_model = ScriptedModel(
        [
            [function_call("clean", {"input": "all"}, call_id="o1")],
            [assistant_message("outer done")],
        ],
    )
    outer = Agent(name="boss", model=outer_model, tools=[inner.as_tool("clean", "Clean up.")])
    paused = await Runner.run(outer, "go")
    (asked,) = paused.interruptions
    assert asked.agent is inner
    state = await RunState.from_string(outer, paused.to_state().to_string())
    state.approve(state.get_interruptions()[0])
    result = await Runner.run(outer, state)
    assert result.final_output == "outer done"
    assert deleted == ["a"]
    assert len(inner_model.calls) == 2
    assert len(outer_model.calls) == 2
    assert result.context_wrapper.usage.requests == 4


async def test_two_copies_of_a_paused_run_do_not_mix() -> None:
    agent, _ = cleaner(ASK, [assistant_message("done")])
    paused = await Runner.run(agent, "clean up")
    first, second = paused.to_state(), paused.to_state()
    first.approve(first.get_interruptions()[0])
    again = await Runner.run(agent, second)
    assert deleted == []
    assert len(again.interruptions) == 1


async def test_a_state_that_goes_on_is_not_taken_up_again_meanwhile() -> None:
    begun, may_end = asyncio.Event(), asyncio.Event()
    paid: list[int] = []

    @function_tool(needs_approval=True)
    async def pay(amount: int) -> str:
        paid.append(amount)
        begun.set()
        await may_end.wait()
        return "paid"

    model = ScriptedModel([[function_call("pay", {"amount": 7})], [assistant_message("done")]])
    agent: Agent[Any] = Agent(name="payer", model=model, tools=[pay])
    state = (await Runner.run(agent, "pay")).to_state()
    state.approve(state.get_interruptions()[0])
    first = asyncio.create_task(Runner.run(agent, state))
    await begun.wait()
    with pytest.raises(UserError, match="run is already in progress"):
        await Runner.run(agent, state)
    with pytest.raises(UserError, match="run is already in progress"):
        Runner.run_streamed(agent, state)
    may_end.set()
    assert (await first).final_output == "done"
    assert paid == [7]


async def test_two_streams_of_one_state_are_one_too_many() -> None:
    agent, model = cleaner(ASK, [assistant_message("done")])
    state = (await Runner.run(agent, "clean up")).to_state()
    state.approve(state.get_interruptions()[0])
    first = Runner.run_streamed(agent, state)
    with pytest.raises(UserError, match="already in progress"):
        Runner.run_streamed(agent, state)
    first.cancel()
    assert [event async for event in first.stream_events()] == []
    assert (await Runner.run(agent, state)).final_output == "done"
    assert deleted == ["a"]
    assert len(model.calls) == 2


async def test_the_context_is_stored_when_it_is_a_mapping_or_made_one() -> None:
    agent, _ = cleaner(ASK)
    state = (await Runner.run(agent, "go", context={"user": "ada"})).to_state()
    read = await RunState.from_json(agent, json.loads(state.to_string()))
    assert read.context_wrapper.context == {"user": "ada"}

    class User:
        name = "ada"

    state = (await Runner.run(cleaner(ASK)[0], "go", context=User())).to_state()
    stored = state.to_json()["context"]
    assert isinstance(stored, dict)
    assert stored["context"] is None
    assert stored["context_meta"]["omitted"] is True
    with pytest.raises(UserError, match="context_serializer"):
        state.to_json(strict_context=True)
    stored = state.to_json(context_serializer=lambda user: {"name": user.name})
    read = await RunState.from_json(agent, stored, context_deserializer=lambda data: data["name"])
    assert read.context_wrapper.context == "ada"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("not json", "not a stored run"),
        ("[]", "no JSON object"),
        ("{}", "missing schema version"),
        ('{"schema_version": 99, "run": {}}', "Upgrade handfast"),
        ('{"schema_version": 1, "run": {"_": "Gremlin"}}', "Gremlin"),
        ('{"schema_version": 1, "run": {"_": "RunState", "agent": 3}}', "agent"),
        ('{"schema_version": 1, "run": {"_": "RunState", "agent": "a"}}', "incomplete"),
    ],
)
async def test_what_is_no_stored_run_is_refused_by_name(text: str, told: str) -> None:
    agent, _ = cleaner()
    with pytest.raises(UserError, match=told):
        await RunState.from_string(agent, text)


async def test_a_run_of_other_agents_is_refused() -> None:
    agent, _ = cleaner(ASK)
    text = (await Runner.run(agent, "go")).to_state().to_string()
    with pytest.raises(UserError, match="cleaner"):
        await RunState.from_string(Agent(name="other"), text)
