"""Reasoning goes back to the model that made it, with what it led to, or not at all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cases.case_model import (
    Wire,
    agent,
    assert_whole,
    called,
    chat_answer,
    chat_stream,
    kinds,
    play,
    responses_answer,
    responses_stream,
    scripted,
    shown,
    step,
    steps_of,
)
from handfast import InMemorySession, RunConfig, function_tool, handoff
from handfast.extensions.handoff_filters import drop_reasoning, keep_last_turns, remove_all_tools
from handfast.models.openai_chat import OpenAIChatCompletionsModel
from handfast.models.openai_responses import OpenAIResponsesModel
from provider_server import Asked, Canned, provider_server

Answer = Callable[[Wire], Canned]


def responses(streamed: bool) -> Answer:  # noqa: FBT001 - a fixture's value
    return responses_stream if streamed else responses_answer


def chat(streamed: bool) -> Answer:  # noqa: FBT001 - a fixture's value
    return chat_stream if streamed else chat_answer


def sent(asked: Asked) -> list[Wire]:
    body: Any = asked.json()
    return list(body["input"] if "input" in body else body["messages"])


@pytest.mark.parametrize("text", [None, "I pass this on."])
@pytest.mark.parametrize("tools_first", [False, True])
async def test_reasoning_goes_with_what_it_led_to_when_history_is_folded(
    *,
    text: str | None,
    tools_first: bool,
    streamed: bool,
) -> None:
    first, last = steps_of("reasoning-1")
    looked = step("A", called("c1", "t1"), reasoning="look first", reasoning_id="rs_0")
    model = scripted([*([looked] if tools_first else []), {**first, "text": text}, last])
    a = agent("A", model, tools=[t1], handoffs=[agent("B", model)])
    await play(a, streamed=streamed, run_config=RunConfig(nest_handoff_history=True))
    assert_whole(shown(model))
    assert "reasoning" not in kinds(shown(model))


@pytest.mark.parametrize("edit", [None, drop_reasoning, keep_last_turns(1), remove_all_tools])
async def test_no_filter_leaves_reasoning_alone_in_a_request(
    *,
    edit: Any,
    streamed: bool,
) -> None:
    model = scripted(steps_of("reasoning-1"))
    a = agent("A", model, handoffs=[handoff(agent("B", model), input_filter=edit)])
    await play(a, streamed=streamed)
    assert_whole(shown(model))


@function_tool
def t1() -> str:
    """One."""
    return "1"


@function_tool
def t2() -> str:
    """Two."""
    return "2"


@pytest.mark.parametrize("nested", [False, True])
async def test_a_model_of_another_kind_sees_no_reasoning_and_its_maker_sees_it_again(
    *,
    nested: bool,
    streamed: bool,
) -> None:
    first, _ = steps_of("reasoning-3")
    back = step("B", called("h2", "transfer_to_a"))
    answers = map(responses(streamed), [first, back, {"text": "done"}])
    async with provider_server(*answers) as server:
        thinks = OpenAIResponsesModel("o4-mini", base_url=server.url, api_key="k")
        talks = OpenAIResponsesModel("gpt-4.1", base_url=server.url, api_key="k")
        a, b = agent("A", thinks), agent("B", talks)
        a.handoffs, b.handoffs = [b], [a]
        config = RunConfig(nest_handoff_history=nested)
        await play(a, streamed=streamed, run_config=config)
        await thinks.close()
        await talks.close()
    to_b, to_a = sent(server.asked[1]), sent(server.asked[2])
    assert "reasoning" not in kinds(to_b)
    assert_whole(to_b)
    assert_whole(to_a)
    if not nested:
        assert kinds(to_a)[:3] == ["message", "reasoning", "function_call"]
        assert to_a[1]["encrypted_content"] == "sealed r"
        assert "id" not in next(item for item in to_b if item.get("type") == "function_call")


async def test_reasoning_text_goes_back_where_it_is_demanded_and_nowhere_else(
    *,
    streamed: bool,
) -> None:
    *thinking, last = steps_of("reasoning-5")
    answer = chat(streamed)
    async with (
        provider_server(*map(answer, thinking)) as first,
        provider_server(answer(last)) as other,
    ):
        deepseek = OpenAIChatCompletionsModel("deepseek-chat", base_url=first.url, api_key="k")
        vendor = OpenAIChatCompletionsModel("glm-5", base_url=other.url, api_key="k")
        a = agent("A", deepseek, tools=[t1, t2], handoffs=[agent("B", vendor)])
        result = await play(a, streamed=streamed)
        await deepseek.close()
        await vendor.close()
    assert result.final_output == "done"
    thoughts = [
        [message["reasoning_content"] for message in sent(asked) if "tool_calls" in message]
        for asked in first.asked
    ]
    assert thoughts == [[], ["a"], ["a", "b"]]
    assert "reasoning_content" not in other.asked[0].body.decode()
    assert [
        len(message["tool_calls"]) for message in sent(other.asked[0]) if "tool_calls" in message
    ]


@pytest.mark.parametrize("calls", [False, True])
async def test_a_message_whose_reasoning_was_taken_out_goes_without_its_id(
    *,
    calls: bool,
    streamed: bool,
) -> None:
    first, last = steps_of("reasoning-7")
    looked = {**first, "text": None, "calls": [called("c1", "t1")]}
    steps = [looked, first, last] if calls else [first, last]
    session = InMemorySession()
    async with provider_server(*map(responses(streamed), steps)) as server:
        model = OpenAIResponsesModel("o4-mini", base_url=server.url, api_key="k")
        a = agent("A", model, tools=[t1])
        await play(a, "one?", streamed=streamed, session=session)
        kept = [item for item in await session.get_items() if item.get("type") != "reasoning"]
        assert "msg_1" in str(kept)
        await session.clear_session()
        await session.add_items(kept)
        result = await play(a, "two?", streamed=streamed, session=session)
        await model.close()
    assert result.final_output == "answer two"
    made = [item for item in sent(server.asked[-1]) if item.get("role") != "user"]
    assert all("id" not in item for item in made)
    assert_whole(sent(server.asked[-1]))
