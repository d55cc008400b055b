"""A receiver sees what the filter left, and never half of something."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from cases.case_model import (
    Wire,
    agent,
    assert_whole,
    called,
    kinds,
    outputs,
    play,
    responses_answer,
    responses_stream,
    scripted,
    shown,
    steps_of,
)
from handfast import HandoffInputData, InMemorySession, ModelSettings, function_tool, handoff
from handfast.extensions.handoff_filters import remove_all_tools
from handfast.models.openai_responses import OpenAIResponsesModel
from provider_server import provider_server


@function_tool
def lookup(q: str = "") -> str:
    """Look something up."""
    return f"found {q}"


SERVER_ITEMS: list[Wire] = [
    {"type": "code_interpreter_call", "id": "ci1"},
    {"type": "mcp_call", "id": "m1"},
    {"type": "some_future_tool_call", "id": "f1"},
    {"type": "shell_call", "id": "s1", "call_id": "s1", "action": {"commands": ["ls"]}},
    {"type": "shell_call_output", "call_id": "s1", "output": []},
    {"type": "image_generation_call", "id": "i1", "result": "aGk="},
    {"type": "local_thing_use", "id": "u1"},
    {"type": "local_thing_result", "id": "u2"},
    {"type": "mcp_list_tools", "id": "l1", "server_label": "x", "tools": []},
    {"type": "unheard_of", "id": "x1", "call_id": "x1"},
    {"type": "unheard_of_answer", "id": "x2", "call_id": "x1", "output": "y"},
]


@pytest.mark.parametrize("more", [[], SERVER_ITEMS], ids=["as told", "more kinds"])
async def test_no_call_and_no_output_of_any_kind_passes_a_filter_of_tool_traffic(
    *,
    more: list[Wire],
    streamed: bool,
) -> None:
    first, second, *rest = steps_of("handoff-filter-1")
    second = {**second, "server_items": [*second["server_items"], *more]}
    model = scripted([first, second, *rest])
    b = agent("B", model)
    a = agent("A", model, tools=[lookup], handoffs=[handoff(b, input_filter=remove_all_tools)])
    result = await play(a, streamed=streamed)
    assert result.final_output == "done"
    assert kinds(shown(model)) == ["message"]
    # The one who made the calls sees them, each with an answer where it waits for one.
    assert "mcp_call" in kinds(shown(model, 2))
    assert_whole(shown(model, 2))


def without_tools_by_class(data: HandoffInputData) -> HandoffInputData:
    """A filter as users write it: it knows calls and outputs, and forgets reasoning."""

    def keep(items: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(
            item for item in items if item.type in {"message_output_item", "reasoning_item"}
        )

    return data.clone(
        pre_handoff_items=keep(data.pre_handoff_items),
        new_items=keep(data.new_items),
    )


@pytest.mark.parametrize("edit", [without_tools_by_class, remove_all_tools])
@pytest.mark.parametrize("store", [False, None])
async def test_reasoning_never_goes_out_without_what_it_led_to(
    *,
    edit: Callable[[HandoffInputData], HandoffInputData],
    store: bool | None,
    streamed: bool,
) -> None:
    answer = responses_stream if streamed else responses_answer
    async with provider_server(*map(answer, steps_of("handoff-filter-3"))) as server:
        model = OpenAIResponsesModel("gpt-5", base_url=server.url, api_key="k")
        settings = ModelSettings(store=store)
        b = agent("B", model, model_settings=settings)
        offered = handoff(b, input_filter=edit)
        a = agent("A", model, model_settings=settings, tools=[lookup], handoffs=[offered])
        result = await play(a, streamed=streamed)
        await model.close()
    assert result.final_output == "done"
    sent: Any = server.asked[1].json()["input"]
    assert kinds(sent) == ["message", "reasoning", "function_call", "function_call_output"]
    assert all(item["encrypted_content"] for item in sent if item.get("type") == "reasoning")
    received: Any = server.asked[2].json()["input"]
    assert kinds(received) == ["message"]
    assert "rs_" not in server.asked[2].body.decode()


async def test_words_that_reasoning_led_to_go_out_with_it_or_without_their_id(
    *,
    streamed: bool,
) -> None:
    step = {**steps_of("handoff-filter-3")[1], "text": "I ask B.", "item_id": "msg_9"}
    answer = responses_stream if streamed else responses_answer
    answers = map(answer, [step, steps_of("handoff-filter-3")[2]])

    def only_words(data: HandoffInputData) -> HandoffInputData:
        words = [item for item in data.new_items if item.type == "message_output_item"]
        return data.clone(new_items=tuple(words))

    async with provider_server(*answers) as server:
        model = OpenAIResponsesModel("gpt-5", base_url=server.url, api_key="k")
        a = agent("A", model, handoffs=[handoff(agent("B", model), input_filter=only_words)])
        await play(a, streamed=streamed)
        await model.close()
    received: Any = server.asked[1].json()["input"]
    assert kinds(received) == ["message", "message"]
    assert "id" not in received[1]


@pytest.mark.parametrize("more", [[], ["transfer_to_c"], ["lookup"], ["lookup", "transfer_to_c"]])
async def test_a_receiver_that_continues_a_response_answers_every_call_of_it(
    *,
    more: list[str],
    streamed: bool,
) -> None:
    first, second = steps_of("handoff-filter-5")
    calls = [called(f"d{n}", name) for n, name in enumerate(more)]
    first = {**first, "calls": [*first["calls"], *calls]}
    model = scripted([first, second])
    b, c = agent("B", model), agent("C", model)
    a = agent("A", model, tools=[lookup], handoffs=[b, c])
    result = await play(a, streamed=streamed, auto_previous_response_id=True)
    assert result.last_agent is b
    assert model.calls[-1].previous_response_id == "resp_1"
    sent = shown(model)
    assert set(kinds(sent)) == {"function_call_output"}
    assert set(outputs(sent)) == {"h1", *(call["id"] for call in calls)}


def named(*types: str) -> Callable[[HandoffInputData], HandoffInputData]:
    """A filter that keeps what is not of these types."""

    def keep(items: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(item for item in items if item.type not in types)

    return lambda data: data.clone(
        pre_handoff_items=keep(data.pre_handoff_items),
        new_items=keep(data.new_items),
    )


def backwards(data: HandoffInputData) -> HandoffInputData:
    return data.clone(new_items=data.new_items[::-1])


def copied_words(data: HandoffInputData) -> HandoffInputData:
    return named("reasoning_item")(
        data.clone(
            pre_handoff_items=copy.deepcopy(data.pre_handoff_items),
            new_items=copy.deepcopy(data.new_items),
        ),
    )


@pytest.mark.parametrize(
    "edit",
    [
        named("tool_call_output_item", "handoff_output_item"),
        named("tool_call_item", "handoff_call_item"),
        named("reasoning_item"),
        backwards,
        copied_words,
    ],
    ids=["no outputs", "no calls", "no reasoning", "backwards", "copies"],
)
async def test_no_filter_leaves_half_of_anything_with_the_receiver_the_record_or_the_session(
    *,
    edit: Callable[[HandoffInputData], HandoffInputData],
    streamed: bool,
) -> None:
    first, second, end = steps_of("handoff-filter-3")
    both = [called("c2", "lookup"), *second["calls"]]
    second = {**second, "text": "I ask B.", "item_id": "msg_9", "calls": both}
    model = scripted([first, second, end])
    offered = handoff(agent("B", model), input_filter=edit)
    a = agent("A", model, tools=[lookup], handoffs=[offered])
    session = InMemorySession("s")
    result = await play(a, streamed=streamed, session=session)
    assert result.final_output == "done"
    kept = [dict(item) for item in await session.get_items()]
    for told in (shown(model), kept, [dict(item) for item in result.to_input_list()]):
        assert_whole(told)
        for before, item in zip([{}, *told], told, strict=False):
            assert item.get("id") != "msg_9" or before.get("type") == "reasoning"
