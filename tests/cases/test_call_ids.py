"""An id of a call is a label: never what tells the work of two calls apart."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cases.case_model import (
    Wire,
    agent,
    chat_answer,
    chat_stream,
    events_of,
    play,
    responses_answer,
    responses_stream,
    scripted,
    shown,
    steps_of,
)
from handfast import (
    Model,
    ModelBehaviorError,
    RunConfig,
    Runner,
    RunResult,
    RunState,
    ToolCallItem,
    ToolCallOutputItem,
    function_tool,
)
from handfast.models.openai_chat import OpenAIChatCompletionsModel
from handfast.models.openai_responses import OpenAIResponsesModel
from handfast.runner.config import CallModelData, ModelInputData
from handfast.testing.messages import assistant_message, function_call
from handfast.testing.scripted_model import ScriptedModel
from provider_server import provider_server

ALIKE = steps_of("call-ids-1")
EMPTY = steps_of("call-ids-3")


@function_tool
def search(q: str) -> str:
    """Search."""
    return f"found {q}"


def writer(order: list[str]) -> Any:
    """A tool whose calls finish in the other order."""
    waiting = {"1": asyncio.Event(), "2": asyncio.Event(), "3": asyncio.Event()}
    waiting["3"].set()

    @function_tool
    async def write(f: str) -> str:
        """Write."""
        await waiting[f].wait()
        order.append(f)
        if f != "1":
            waiting[str(int(f) - 1)].set()
        return f"wrote {f}"

    return write


def assert_told_apart(items: list[Wire], expected: list[str]) -> None:
    calls = [item["call_id"] for item in items if item.get("type") == "function_call"]
    answers = [item for item in items if item.get("type") == "function_call_output"]
    assert [each["call_id"] for each in answers] == calls
    assert len(set(calls)) == len(expected)
    assert all(calls)
    assert [each["output"] for each in answers] == expected


async def test_calls_with_the_same_id_both_run_and_keep_their_own_answers(
    *,
    streamed: bool,
) -> None:
    model = scripted(ALIKE)
    result = await play(agent("A", model, tools=[search]), streamed=streamed)
    assert_told_apart(shown(model), ["found a", "found b"])
    ids = [item.call_id for item in result.new_items if isinstance(item, ToolCallItem)]
    answered = [item.call_id for item in result.new_items if isinstance(item, ToolCallOutputItem)]
    assert ids == answered


async def test_calls_without_ids_run_once_each_and_answer_in_the_models_order(
    *,
    streamed: bool,
) -> None:
    order: list[str] = []
    model = scripted(EMPTY)
    await play(agent("A", model, tools=[writer(order)]), streamed=streamed)
    assert order == ["3", "2", "1"]
    assert_told_apart(shown(model), ["wrote 1", "wrote 2", "wrote 3"])
    assert shown(model)[3]["call_id"] == "x"


@pytest.mark.parametrize("protocol", ["chat", "responses"])
@pytest.mark.parametrize("kind", ["alike", "empty", "absent", "null"])
async def test_a_server_that_gives_no_ids_is_understood(
    *,
    protocol: str,
    kind: str,
    streamed: bool,
) -> None:
    order: list[str] = []
    steps: Any = ALIKE if kind == "alike" else EMPTY
    expected = ["found a", "found b"] if kind == "alike" else ["wrote 1", "wrote 2", "wrote 3"]
    answers = [_server_answer(step, kind, protocol, streamed=streamed) for step in steps]
    async with provider_server(*answers) as server:
        model: Model = (
            OpenAIChatCompletionsModel("m", base_url=server.url, api_key="k")
            if protocol == "chat"
            else OpenAIResponsesModel("m", base_url=server.url, api_key="k")
        )
        await play(agent("A", model, tools=[search, writer(order)]), streamed=streamed)
        await model.close()
    body: Any = server.asked[1].json()
    if protocol == "responses":
        assert_told_apart(body["input"], expected)
        return
    calls = next(message["tool_calls"] for message in body["messages"] if "tool_calls" in message)
    answered = [message for message in body["messages"] if message["role"] == "tool"]
    assert [each["tool_call_id"] for each in answered] == [call["id"] for call in calls]
    assert len({call["id"] for call in calls}) == len(expected)
    assert [each["content"] for each in answered] == expected


def _server_answer(step: Wire, kind: str, protocol: str, *, streamed: bool) -> Any:
    calls = step.get("calls", [])
    if kind in {"absent", "null"}:
        calls = [{**call, "id": None if kind == "null" else ""} for call in calls]
    changed = {**step, **({"calls": calls} if calls else {})}
    if protocol == "chat":
        return chat_stream(changed) if streamed else chat_answer(changed)
    return responses_stream(changed) if streamed else responses_answer(changed)


async def test_one_of_two_calls_with_the_same_id_can_be_approved_alone() -> None:
    ran: list[str] = []

    @function_tool(name_override="search", needs_approval=True)
    def guarded(q: str) -> str:
        """Search."""
        ran.append(q)
        return f"found {q}"

    model = scripted(ALIKE)
    a = agent("A", model, tools=[guarded])
    paused = await Runner.run(a, "go")
    state = await RunState.from_string(a, paused.to_state().to_string())
    first, second = state.get_interruptions()
    assert first.call_id != second.call_id
    state.approve(first)
    state.reject(second)
    result: RunResult = await Runner.run(a, state)
    assert ran == ["a"]
    assert result.final_output == "done"
    assert [item["output"] for item in shown(model) if "output" in item] == [
        "found a",
        "Tool execution was not approved.",
    ]


async def test_an_id_that_comes_again_in_a_later_turn_is_told_apart_too(*, streamed: bool) -> None:
    again = {**ALIKE[0], "calls": ALIKE[0]["calls"][:1]}
    model = scripted([again, again, ALIKE[1]])
    await play(agent("A", model, tools=[search]), streamed=streamed)
    assert_told_apart(shown(model), ["found a", "found a"])


async def test_events_of_calls_with_the_same_id_can_be_told_apart() -> None:
    model = scripted(ALIKE)
    result = Runner.run_streamed(agent("A", model, tools=[search]), "go")
    told = [each for each in await events_of(result) if each.type == "run_item_stream_event"]
    called = [each.item.raw_item.call_id for each in told if each.name == "tool_called"]
    answered = [each.item.call_id for each in told if isinstance(each.item, ToolCallOutputItem)]
    assert called == answered
    assert len(set(called)) == len(called)


async def test_ids_that_are_unique_in_a_response_only_are_told_apart(*, streamed: bool) -> None:
    """As AWS Bedrock gives them (wire: bedrock-resp-reused-call-id): a poll must stay a poll."""
    asked: list[str] = []

    @function_tool
    def status(q: str) -> str:
        """How far it is."""
        asked.append(q)
        return f"{len(asked)} of 3"

    polls = [
        [function_call("status", {"q": "job"}, call_id="call_0", item_id=f"fc_{n}")]
        for n in range(3)
    ]
    model = ScriptedModel([*polls, [assistant_message("done")]])
    await play(agent("A", model, tools=[status]), streamed=streamed)
    assert_told_apart(shown(model), ["1 of 3", "2 of 3", "3 of 3"])


async def test_the_same_item_handed_over_again_runs_once_across_a_resumption(
    *,
    streamed: bool,
) -> None:
    ran: list[str] = []

    @function_tool(needs_approval=True)
    def pay(q: str) -> str:
        """Pay."""
        ran.append(q)
        return "paid"

    item = function_call("pay", {"q": "5"}, call_id="call_0", item_id="fc_one")
    spaced = function_call("pay", '{ "q" : "5" }', call_id="call_0", item_id="fc_one")
    model = ScriptedModel([[item], [spaced], [assistant_message("done")]])
    a = agent("A", model, tools=[pay])
    paused = await Runner.run(a, "go")
    state = await RunState.from_string(a, paused.to_state().to_string())
    state.approve(state.get_interruptions()[0])
    result = await play(a, state, streamed=streamed)
    assert (result.final_output, result.interruptions, ran) == ("done", [], ["5"])
    assert_told_apart(shown(model), ["paid"])


async def test_an_item_that_changed_after_it_was_approved_ends_the_run(*, streamed: bool) -> None:
    ran: list[str] = []

    @function_tool(needs_approval=True)
    def pay(q: str) -> str:
        """Pay."""
        ran.append(q)
        return "paid"

    item = function_call("pay", {"q": "5"}, call_id="call_0", item_id="fc_one")
    changed = function_call("pay", {"q": "5000"}, call_id="call_0", item_id="fc_one")
    a = agent("A", ScriptedModel([[item], [changed]]), tools=[pay])
    state = (await Runner.run(a, "go")).to_state()
    state.approve(state.get_interruptions()[0])
    with pytest.raises(ModelBehaviorError, match="unique call ID"):
        await play(a, state, streamed=streamed)
    assert ran == ["5"]


async def test_a_chat_server_whose_ids_never_change_repeats_nothing(*, streamed: bool) -> None:
    """One id for the answer and one for the call in every turn, and a view that never grows."""
    asked: list[str] = []

    @function_tool(name_override="search")
    def look(q: str) -> str:
        """Search."""
        asked.append(q)
        return f"found {q} {len(asked)}"

    def answer(step: Wire) -> Any:
        return chat_stream(step) if streamed else chat_answer(step)

    def newest(data: CallModelData) -> ModelInputData:
        return ModelInputData([{"role": "user", "content": "go on"}], data.model_data.instructions)

    steps = [
        {**ALIKE[0], "calls": [{"id": "call", "name": "search", "args": {"q": q}}]} for q in "aab"
    ]
    async with provider_server(*(answer(step) for step in [*steps, ALIKE[1]])) as server:
        model = OpenAIChatCompletionsModel("m", base_url=server.url, api_key="k")
        config = RunConfig(call_model_input_filter=newest)
        await play(agent("A", model, tools=[look]), streamed=streamed, run_config=config)
        await model.close()
    assert asked == ["a", "a", "b"]
