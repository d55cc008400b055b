from __future__ import annotations

import json
from typing import Any, cast

import pytest
from pydantic import BaseModel

from handfast import (
    Agent,
    AgentHooks,
    Handoff,
    HandoffInputData,
    InMemorySession,
    ModelBehaviorError,
    RunConfig,
    RunContextWrapper,
    RunHooks,
    Runner,
    RunState,
    ToolCallOutputItem,
    UserError,
    function_tool,
    handoff,
)
from handfast.extensions.handoff_filters import remove_all_tools
from handfast.testing.messages import ScriptedItem, assistant_message, function_call
from handfast.testing.scripted_model import ScriptedModel


class Reason(BaseModel):
    reason: str


@function_tool
def look() -> str:
    """Look."""
    return "seen"


def pair(*steps: list[ScriptedItem], **options: Any) -> tuple[Agent[Any], ScriptedModel]:
    model = ScriptedModel(steps)
    target = Agent(name="b", model=model)
    agent = Agent(name="a", model=model, tools=[look], handoffs=[handoff(target, **options)])
    return agent, model


TRANSFER = [function_call("transfer_to_b", call_id="h1")]
BYE = [assistant_message("bye")]


async def test_the_models_input_is_given_to_on_handoff() -> None:
    given: list[Reason] = []

    async def note(ctx: RunContextWrapper[Any], data: Reason) -> None:
        del ctx
        given.append(data)

    agent, _ = pair(
        [function_call("transfer_to_b", {"reason": "duplicate charge"})],
        BYE,
        on_handoff=note,
        input_type=Reason,
    )
    assert (await Runner.run(agent, "go")).final_output == "bye"
    assert given == [Reason(reason="duplicate charge")]


async def test_bad_input_is_given_back_to_repair_and_then_ends_the_run() -> None:
    def note(ctx: RunContextWrapper[Any], data: Reason) -> None:
        del ctx, data

    bad = [function_call("transfer_to_b", {"reason": 7})]
    good = [function_call("transfer_to_b", {"reason": "x"})]
    agent, model = pair(bad, bad, good, BYE, on_handoff=note, input_type=Reason)
    result = await Runner.run(agent, "go")
    assert result.final_output == "bye"
    call = model.calls[1]
    assert not isinstance(call.input, str)
    assert "reason" in str(call.input[-1]["output"])
    agent, model = pair(bad, on_handoff=note, input_type=Reason)
    with pytest.raises(ModelBehaviorError, match="Invalid JSON when parsing"):
        await Runner.run(agent, "go", run_config=RunConfig(handoff_json_repairs=0))


async def test_the_handoffs_filter_beats_the_runs() -> None:
    used: list[str] = []

    def named(name: str) -> Any:
        def edit(data: HandoffInputData) -> HandoffInputData:
            used.append(name)
            return data

        return edit

    config = RunConfig(handoff_input_filter=named("run"))
    agent, _ = pair(TRANSFER, BYE, input_filter=named("handoff"))
    await Runner.run(agent, "go", run_config=config)
    agent, _ = pair(TRANSFER, BYE)
    await Runner.run(agent, "go", run_config=config)
    assert used == ["handoff", "run"]


async def test_a_filter_may_be_async_and_sees_the_turn_apart_from_what_was_before() -> None:
    seen: list[HandoffInputData] = []

    async def edit(data: HandoffInputData) -> HandoffInputData:
        seen.append(data)
        return data

    agent, model = pair([function_call("look", call_id="c1")], TRANSFER, BYE, input_filter=edit)
    result = await Runner.run(agent, "go")
    (data,) = seen
    assert data.input_history == "go"
    assert [item.type for item in data.pre_handoff_items] == [
        "tool_call_item",
        "tool_call_output_item",
    ]
    assert [item.type for item in data.new_items] == ["handoff_call_item", "handoff_output_item"]
    assert data.run_context is result.context_wrapper
    assert model.last_call is not None
    assert len(model.last_call.input) == 5


@pytest.mark.parametrize("before", ["same", "other"])
async def test_after_an_approval_the_turn_that_hands_over_is_apart_too(before: str) -> None:
    seen: list[HandoffInputData] = []

    def edit(data: HandoffInputData) -> HandoffInputData:
        seen.append(data)
        return data.clone(new_items=data.new_items[1:])

    @function_tool(needs_approval=True)
    def write() -> str:
        return "written"

    earlier = [assistant_message(before), function_call("look", call_id="c1")]
    now = [assistant_message("same"), function_call("write", call_id="c2"), *TRANSFER]
    agent, _ = pair(earlier, now, BYE, input_filter=edit)
    agent.tools.append(write)
    session = InMemorySession("s")
    waits = await Runner.run(agent, "go", session=session)
    state = await RunState.from_json(agent, waits.to_state().to_json())
    state.approve(state.get_interruptions()[0])
    await Runner.run(agent, state, session=session)
    (data,) = seen
    assert [item.type for item in data.pre_handoff_items].count("message_output_item") == 1
    assert [item.type for item in data.new_items].count("message_output_item") == 1
    kept = json.dumps(await session.get_items())
    assert kept.count('"same"') == (before == "same")
    assert kept.count('"other"') == (before == "other")


async def test_input_items_change_what_the_model_sees_and_not_the_record() -> None:
    def edit(data: HandoffInputData) -> HandoffInputData:
        return data.clone(pre_handoff_items=(), input_items=())

    agent, model = pair([function_call("look")], TRANSFER, BYE, input_filter=edit)
    result = await Runner.run(agent, "go")
    assert model.last_call is not None
    assert model.last_call.input == [{"role": "user", "content": "go"}]
    assert len(result.new_items) == 5


async def test_a_filter_can_rewrite_the_history() -> None:
    def edit(data: HandoffInputData) -> HandoffInputData:
        return data.clone(input_history="rewritten", pre_handoff_items=(), new_items=())

    agent, model = pair(TRANSFER, BYE, input_filter=edit)
    result = await Runner.run(agent, "go")
    assert result.input == "rewritten"
    assert model.last_call is not None
    assert model.last_call.input == [{"role": "user", "content": "rewritten"}]
    assert [item.type for item in result.new_items] == ["message_output_item"]


@pytest.mark.parametrize(
    "changes",
    [
        {"new_items": (1,)},
        {"pre_handoff_items": "text"},
        {"input_history": 7},
        None,
    ],
)
async def test_a_filter_that_returns_something_else_is_the_users_mistake(
    changes: dict[str, Any] | None,
) -> None:
    def edit(data: HandoffInputData) -> Any:
        return None if changes is None else data.clone(**changes)

    agent, _ = pair(TRANSFER, input_filter=edit)
    with pytest.raises(UserError):
        await Runner.run(agent, "go")


async def test_a_filter_that_breaks_a_pair_leaves_no_half_of_it() -> None:
    def edit(data: HandoffInputData) -> HandoffInputData:
        return data.clone(new_items=data.new_items[1:])

    agent, model = pair(TRANSFER, BYE, input_filter=edit)
    await Runner.run(agent, "go")
    assert model.last_call is not None
    assert model.last_call.input == [{"role": "user", "content": "go"}]


async def test_filters_compose_over_several_handoffs() -> None:
    model = ScriptedModel([TRANSFER, [function_call("transfer_to_c")], [assistant_message("c")]])
    last = Agent(name="c", model=model)
    middle = Agent(name="b", model=model, handoffs=[handoff(last, input_filter=remove_all_tools)])
    agent = Agent(name="a", model=model, handoffs=[middle])
    result = await Runner.run(agent, "go")
    assert result.final_output == "c"
    assert model.last_call is not None
    assert model.last_call.input == [{"role": "user", "content": "go"}]


async def test_hooks_are_told_of_a_handoff_with_keywords() -> None:
    told: list[tuple[str, str, str]] = []

    class Run(RunHooks[Any, Any]):
        async def on_handoff(self, context: Any, from_agent: Any, to_agent: Any) -> None:
            del context
            told.append(("run", from_agent.name, to_agent.name))

    class Own(AgentHooks[Any, Any]):
        async def on_handoff(self, context: Any, agent: Any, source: Any) -> None:
            del context
            told.append(("agent", source.name, agent.name))

    agent, _ = pair(TRANSFER, BYE)
    agent.hooks = Own()
    await Runner.run(agent, "go", hooks=Run())
    assert told == [("run", "a", "b"), ("agent", "a", "b")]


async def test_code_can_choose_the_receiver_when_the_handoff_is_called() -> None:
    model = ScriptedModel([[function_call("route", {"to": "b"})], BYE])
    targets = {"b": Agent(name="b", model=model)}

    async def choose(ctx: RunContextWrapper[Any], arguments: str) -> Agent[Any]:
        del ctx, arguments
        return targets["b"]

    route: Handoff[Any, Any] = Handoff(
        tool_name="route",
        tool_description="Route.",
        input_json_schema={"type": "object", "properties": {}, "additionalProperties": True},
        on_invoke_handoff=choose,
        agent_name="whoever fits",
        strict_json_schema=False,
    )
    result = await Runner.run(Agent(name="a", model=model, handoffs=[route]), "go")
    assert result.last_agent is targets["b"]
    route.on_invoke_handoff = cast("Any", _names_nobody)
    model.extend([[function_call("route")]])
    with pytest.raises(UserError, match="must return an Agent"):
        await Runner.run(Agent(name="a", model=model, handoffs=[route]), "go")


async def _names_nobody(ctx: object, arguments: str) -> None:
    del ctx, arguments


async def test_the_first_of_several_handoffs_runs_and_the_others_are_answered() -> None:
    told: list[str] = []
    model = ScriptedModel(
        [
            [
                function_call("transfer_to_b", call_id="h1"),
                function_call("look", call_id="c1"),
                function_call("transfer_to_c", call_id="h2"),
            ],
            BYE,
        ],
    )
    b, c = Agent(name="b", model=model), Agent(name="c", model=model)
    agent = Agent(
        name="a",
        model=model,
        tools=[look],
        handoffs=[b, handoff(c, on_handoff=lambda _: told.append("c"))],
    )
    result = await Runner.run(agent, "go")
    assert result.last_agent is b
    assert told == []
    assert model.last_call is not None
    assert not isinstance(model.last_call.input, str)
    answers = {i["call_id"]: i["output"] for i in model.last_call.input if "output" in i}
    assert answers["c1"] == "seen"
    assert answers["h2"] == "Multiple handoffs detected, ignoring this one."
    assert answers["h1"] == '{"assistant": "b"}'


async def test_nested_history_tells_the_receiver_once_and_keeps_the_record() -> None:
    agent, model = pair([function_call("look", call_id="c1")], TRANSFER, BYE)
    config = RunConfig(nest_handoff_history=True)
    result = await Runner.run(agent, "what is there?", run_config=config)
    assert model.last_call is not None
    shown = model.last_call.input
    assert not isinstance(shown, str)
    assert all(item.get("role") in {"user", "assistant"} for item in shown)
    text = str(shown)
    assert text.count("what is there?") == 1
    assert "<CONVERSATION HISTORY>" in text
    assert "seen" in text
    assert len(result.new_items) == 5
    plain = [i for i in result.to_input_list() if i.get("type") == "function_call_output"]
    assert len(plain) == 2


async def test_a_run_can_have_wrappers_of_its_own() -> None:
    agent, model = pair(TRANSFER, BYE)
    config = RunConfig(
        nest_handoff_history=True, conversation_history_wrappers=("<<past>>", "<</past>>")
    )
    await Runner.run(agent, "what is there?", run_config=config)
    assert model.last_call is not None
    assert "<<past>>" in str(model.last_call.input)
    assert "CONVERSATION HISTORY" not in str(model.last_call.input)
    with pytest.raises(UserError, match="wrapper"):
        RunConfig(conversation_history_wrappers=("<<past>>", "two\nlines"))


async def test_a_handoff_can_nest_or_not_whatever_the_run_says_and_a_filter_wins() -> None:
    async def shown(run_nests: bool, **options: Any) -> str:  # noqa: FBT001
        agent, model = pair(TRANSFER, BYE, **options)
        await Runner.run(agent, "go", run_config=RunConfig(nest_handoff_history=run_nests))
        assert model.last_call is not None
        return str(model.last_call.input)

    def unchanged(data: HandoffInputData) -> HandoffInputData:
        return data

    marker = "<CONVERSATION HISTORY>"
    assert marker in await shown(run_nests=False, nest_handoff_history=True)
    assert marker not in await shown(run_nests=True, nest_handoff_history=False)
    assert marker not in await shown(run_nests=True, input_filter=unchanged)


async def test_a_mapper_gives_the_exact_input() -> None:
    agent, model = pair(TRANSFER, BYE)
    config = RunConfig(
        nest_handoff_history=True,
        handoff_history_mapper=lambda items: [{"role": "user", "content": f"{len(items)} items"}],
    )
    await Runner.run(agent, "go", run_config=config)
    assert model.last_call is not None
    assert model.last_call.input == [{"role": "user", "content": "3 items"}]


async def test_what_a_filter_leaves_of_a_pair_is_not_kept_in_a_session() -> None:
    def forget_what_was_seen(data: HandoffInputData) -> HandoffInputData:
        return data.clone(
            new_items=tuple(
                item
                for item in data.new_items
                if not (isinstance(item, ToolCallOutputItem) and item.output == "seen")
            ),
        )

    session = InMemorySession("s")
    steps: list[list[ScriptedItem]] = [[function_call("look", call_id="c1"), *TRANSFER], BYE]
    agent, _ = pair(*steps, input_filter=forget_what_was_seen)
    result = await Runner.run(agent, "go", session=session)
    kept = await session.get_items()
    assert [item["call_id"] for item in kept if "call_id" in item] == ["h1", "h1"]
    assert [item.get("type", item.get("role")) for item in result.to_input_list()] == [
        item.get("type", item.get("role")) for item in kept
    ]
