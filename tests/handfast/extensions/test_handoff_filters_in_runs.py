"""Filters at work: what the receiver's model is sent, and what the run's record keeps."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest

from conversations import answered, said, thought
from handfast import Agent, Handoff, HandoffInputData, Runner, function_tool, handoff
from handfast.agents.input_items import is_call, is_output, item_from_wire
from handfast.core.items import Reasoning
from handfast.extensions.handoff_filters import compose, drop_reasoning, remove_all_tools
from handfast.testing.messages import assistant_message, function_call
from handfast.testing.scripted_model import ModelCall, ModelStep, ScriptedModel


@function_tool
def lookup(q: str) -> str:
    """Look something up."""
    return f"about {q}"


def team(first: Sequence[Sequence[object]], **options: Any) -> tuple[Agent, ScriptedModel]:
    """An agent A that hands over to B, and B's model."""
    receiver = ScriptedModel([[assistant_message("done")]])
    b = Agent(name="B", model=receiver)
    a = Agent(
        name="A", tools=[lookup], handoffs=[handoff(b, **options)], model=ScriptedModel(first)
    )
    return a, receiver


def sent_to(model: ScriptedModel) -> list[dict[str, object]]:
    call = model.first_call
    assert call is not None
    assert isinstance(call.input, list)
    return [dict(item) for item in call.input]


HAND_OVER = [function_call("transfer_to_b", {}, call_id="h1")]
LOOK_UP = [function_call("lookup", {"q": "x"}, call_id="c1")]


async def test_the_receiver_sees_no_call_and_no_output_of_any_kind() -> None:
    history: list[dict[str, object]] = [
        said("user", "q"),
        {"type": "code_interpreter_call", "id": "ci1"},
        {"type": "mcp_call", "id": "m1"},
        {"type": "some_future_tool_call", "id": "f1"},
        {"type": "custom_tool_call", "call_id": "c2", "name": "run_sql", "input": "select 1"},
        {"type": "custom_tool_call_output", "call_id": "c2", "output": "1"},
        said("user", "and now?"),
    ]
    a, receiver = team([LOOK_UP, HAND_OVER], input_filter=remove_all_tools)
    await Runner.run(a, history)
    assert sent_to(receiver) == [said("user", "q"), said("user", "and now?")]


async def test_reasoning_goes_out_only_before_what_it_led_to() -> None:
    script: list[list[object]] = [[thought("rs_1"), *LOOK_UP], [thought("rs_2"), *HAND_OVER]]
    a, receiver = team(script, input_filter=remove_all_tools)
    await Runner.run(a, "q")
    assert sent_to(receiver) == [said("user", "q")]


async def test_a_filter_that_leaves_broken_pairs_does_not_break_the_request() -> None:
    def only_what_was_called(data: HandoffInputData) -> HandoffInputData:
        items = (*data.pre_handoff_items, *data.new_items)
        left = [i for i in items if i.type in {"reasoning_item", "tool_call_output_item"}]
        return data.clone(pre_handoff_items=(), input_items=tuple(left))

    script: list[list[object]] = [[thought("rs_1"), *LOOK_UP], [thought("rs_2"), *HAND_OVER]]
    a, receiver = team(script, input_filter=only_what_was_called)
    await Runner.run(a, "q")
    cores = [item_from_wire(item) for item in sent_to(receiver)]
    assert not any(is_call(c) or is_output(c) or isinstance(c, Reasoning) for c in cores)


async def test_a_receiver_on_another_model_gets_no_reasoning_and_no_ids_bound_to_it() -> None:
    script: list[list[object]] = [[thought("rs_1"), *LOOK_UP], [thought("rs_2"), *HAND_OVER]]
    a, receiver = team(script, input_filter=drop_reasoning)
    result = await Runner.run(a, [said("user", "q"), thought("rs_0"), answered("a", "msg_0")])
    sent = sent_to(receiver)
    assert [item.get("type") for item in sent] == [
        None,
        "message",
        "function_call",
        "function_call_output",
        "function_call",
        "function_call_output",
    ]
    assert all("id" not in item for item in sent)
    kept = [item.type for item in result.new_items]
    assert kept.count("reasoning_item") == 2


async def test_a_chain_of_filters_may_wait() -> None:
    async def slow(data: HandoffInputData) -> HandoffInputData:
        return data.clone(input_history="summary")

    a, receiver = team([LOOK_UP, HAND_OVER], input_filter=compose(remove_all_tools, slow))
    await Runner.run(a, "a long story")
    assert sent_to(receiver) == [said("user", "summary")]


async def test_what_a_filter_hides_stays_in_the_stream_and_is_told_once() -> None:
    def hide(data: HandoffInputData) -> HandoffInputData:
        return data.clone(input_items=())

    a, receiver = team([HAND_OVER], input_filter=hide)
    streamed = Runner.run_streamed(a, "q")
    names = [e.name async for e in streamed.stream_events() if e.type == "run_item_stream_event"]
    assert names == ["handoff_requested", "handoff_occured", "message_output_created"]
    assert sent_to(receiver) == [said("user", "q")]
    assert [item.type for item in streamed.new_items] == [
        "handoff_call_item",
        "handoff_output_item",
        "message_output_item",
    ]


@pytest.mark.parametrize("name", ["规划", "Élodie", "Агент", "🚀", "n" * 200, "Refund-Agent"])
async def test_an_agent_called_anything_is_reached_and_keeps_its_name(name: str) -> None:
    target = Agent(name=name, model=ScriptedModel([[assistant_message("好的")]]))
    twin = Agent(name="Refund Agent", model=ScriptedModel([[assistant_message("twin")]]))

    def choose(call: ModelCall) -> list[object]:
        names = [each.tool_name for each in call.handoffs]
        assert len(set(names)) == 2
        assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", each) for each in names)
        return [function_call(names[1], {}, call_id="h1")]

    model = ScriptedModel([ModelStep.respond(choose)])
    result = await Runner.run(Agent(name="A", handoffs=[twin, target], model=model), "q")
    assert result.final_output == "好的"
    assert result.last_agent is target
    assert name in str(result.to_input_list())


async def test_of_several_handoffs_the_first_happens_and_the_others_are_answered() -> None:
    receivers: list[Agent[Any] | Handoff[Any, Any]] = [
        Agent(name=name, model=ScriptedModel([[assistant_message(name)]])) for name in "bcd"
    ]
    calls = [function_call(f"transfer_to_{n}", {}, call_id=f"h{n}") for n in "bcd"]
    model = ScriptedModel([calls])
    result = await Runner.run(Agent(name="A", handoffs=receivers, model=model), "q")
    assert result.final_output == "b"
    answers = [i.to_input_item() for i in result.new_items if i.type.endswith("output_item")]
    ignored = [a["call_id"] for a in answers if "ignoring this one" in str(a.get("output"))]
    assert ignored == ["hc", "hd"]
