from __future__ import annotations

import asyncio
import contextvars
import threading
from typing import Any

import pytest
from pydantic import BaseModel

from handfast import (
    Agent,
    MaxTurnsExceeded,
    ModelBehaviorError,
    RunConfig,
    RunContextWrapper,
    Runner,
    UserError,
    function_tool,
    handoff,
)
from handfast.extensions.handoff_filters import remove_all_tools
from handfast.testing.messages import assistant_message, function_call
from handfast.testing.scripted_model import ScriptedModel


@function_tool
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def outputs_shown(model: ScriptedModel) -> list[object]:
    """The tool outputs in the last request."""
    call = model.last_call
    assert call is not None
    assert isinstance(call.input, list)
    return [i["output"] for i in call.input if i.get("type") == "function_call_output"]


async def test_a_text_is_the_output() -> None:
    model = ScriptedModel([[assistant_message("hi")]])
    result = await Runner.run(Agent(name="a", instructions="Be kind.", model=model), "hello")
    assert result.final_output == "hi"
    assert result.last_agent.name == "a"
    assert result.input == "hello"
    assert [item.type for item in result.new_items] == ["message_output_item"]
    call = model.last_call
    assert call is not None
    assert call.system_instructions == "Be kind."
    assert call.input == [{"role": "user", "content": "hello"}]


async def test_a_tool_is_called_and_its_answer_shown() -> None:
    model = ScriptedModel(
        [
            [function_call("add", {"a": 1, "b": 2}, call_id="c1")],
            [assistant_message("3")],
        ],
    )
    result = await Runner.run(Agent(name="a", model=model, tools=[add]), "1 + 2?")
    assert result.final_output == "3"
    assert outputs_shown(model) == ["3"]
    assert [item.type for item in result.new_items] == [
        "tool_call_item",
        "tool_call_output_item",
        "message_output_item",
    ]
    assert result.to_input_list()[1]["call_id"] == "c1"


async def test_a_second_run_goes_on_from_the_first() -> None:
    model = ScriptedModel([[assistant_message("one")], [assistant_message("two")]])
    agent = Agent(name="a", model=model)
    first = await Runner.run(agent, "1")
    second = await Runner.run(agent, [*first.to_input_list(), {"role": "user", "content": "2"}])
    assert second.final_output == "two"
    assert model.last_call is not None
    assert [item["role"] for item in model.last_call.input if not isinstance(item, str)] == [
        "user",
        "assistant",
        "user",
    ]


async def test_results_are_shown_in_call_order_whatever_finishes_first() -> None:
    order: list[str] = []
    last_done = asyncio.Event()

    @function_tool
    async def slow() -> str:
        await last_done.wait()
        order.append("slow")
        return "slow"

    @function_tool
    async def quick() -> str:
        order.append("quick")
        last_done.set()
        return "quick"

    model = ScriptedModel(
        [[function_call("slow"), function_call("quick")], [assistant_message("ok")]],
    )
    await Runner.run(Agent(name="a", model=model, tools=[slow, quick]), "go")
    assert order == ["quick", "slow"]
    assert outputs_shown(model) == ["slow", "quick"]


async def test_a_sync_tool_runs_off_the_event_loop_with_context_variables() -> None:
    variable: contextvars.ContextVar[str] = contextvars.ContextVar("variable", default="unset")
    seen: list[tuple[str, bool]] = []

    @function_tool
    def look() -> str:
        seen.append((variable.get(), threading.current_thread() is threading.main_thread()))
        return "ok"

    variable.set("set")
    model = ScriptedModel([[function_call("look")], [assistant_message("ok")]])
    await Runner.run(Agent(name="a", model=model, tools=[look]), "go")
    assert seen == [("set", False)]


async def test_a_tool_that_raises_is_an_answer_to_the_model() -> None:
    @function_tool
    def fail() -> str:
        raise RuntimeError("secret path /root")

    model = ScriptedModel([[function_call("fail")], [assistant_message("sorry")]])
    result = await Runner.run(Agent(name="a", model=model, tools=[fail]), "go")
    assert result.final_output == "sorry"
    (shown,) = outputs_shown(model)
    assert "error" in str(shown).lower()
    assert "secret" not in str(shown)


async def test_a_tool_without_a_failure_function_ends_the_run_with_its_exception() -> None:
    @function_tool(failure_error_function=None)
    def fail() -> str:
        raise RuntimeError("boom")

    model = ScriptedModel([[function_call("fail"), function_call("add", {"a": 1, "b": 1})]])
    with pytest.raises(UserError, match="boom") as caught:
        await Runner.run(Agent(name="a", model=model, tools=[fail, add]), "go")
    data: Any = caught.value.run_data
    assert data.last_agent.name == "a"
    assert len(data.raw_responses) == 1


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (function_call("ad", {"a": 1, "b": 2}), "add"),
        (function_call("nothing_like_it"), "not found"),
        (function_call("add", '{"a": 1, "b":'), "JSON"),
        (function_call("add", {"a": "one", "b": 2}), "a"),
    ],
)
async def test_what_the_model_gets_wrong_is_given_back_to_repair(
    call: dict[str, object],
    told: str,
) -> None:
    model = ScriptedModel([[call], [assistant_message("done")]])
    result = await Runner.run(Agent(name="a", model=model, tools=[add]), "go")
    assert result.final_output == "done"
    (shown,) = outputs_shown(model)
    assert told in str(shown)


async def test_an_unknown_tool_ends_the_run_where_that_is_asked_for() -> None:
    model = ScriptedModel([[function_call("missing")]])
    config = RunConfig(tool_not_found_behavior="raise_error")
    with pytest.raises(ModelBehaviorError, match="missing not found in agent a"):
        await Runner.run(Agent(name="a", model=model), "go", run_config=config)


async def test_empty_and_repeated_call_ids_are_told_apart_and_all_answered() -> None:
    model = ScriptedModel(
        [
            [
                function_call("add", {"a": 1, "b": 1}, call_id=""),
                function_call("add", {"a": 2, "b": 2}, call_id="same"),
                function_call("add", {"a": 3, "b": 3}, call_id="same"),
            ],
            [function_call("add", {"a": 4, "b": 4}, call_id="same")],
            [assistant_message("done")],
        ],
    )
    await Runner.run(Agent(name="a", model=model, tools=[add]), "go")
    assert outputs_shown(model) == ["2", "4", "6", "8"]
    call = model.last_call
    assert call is not None
    assert not isinstance(call.input, str)
    asked = [i["call_id"] for i in call.input if i.get("type") == "function_call"]
    answered = [i["call_id"] for i in call.input if i.get("type") == "function_call_output"]
    assert asked == answered
    assert len(set(asked)) == 4
    assert "" not in asked


@pytest.mark.parametrize("limit", [1, 2, 5])
async def test_max_turns_is_exact(limit: int) -> None:
    steps = [[function_call("add", {"a": n, "b": 1})] for n in range(limit)]
    model = ScriptedModel([*steps, [assistant_message("never")]])
    with pytest.raises(MaxTurnsExceeded, match=rf"Max turns \({limit}\) exceeded") as caught:
        await Runner.run(Agent(name="a", model=model, tools=[add]), "go", max_turns=limit)
    assert len(model.calls) == limit
    data: Any = caught.value.run_data
    assert len(data.new_items) == 2 * limit
    model.enqueue([assistant_message("later")])
    done = ScriptedModel([*steps, [assistant_message("done")]])
    agent = Agent(name="a", model=done, tools=[add])
    assert (await Runner.run(agent, "go", max_turns=limit + 1)).final_output == "done"


async def test_no_limit_means_no_limit() -> None:
    steps = [[function_call("add", {"a": n, "b": 1})] for n in range(30)]
    model = ScriptedModel([*steps, [assistant_message("done")]])
    agent = Agent(name="a", model=model, tools=[add])
    assert (await Runner.run(agent, "go", max_turns=None)).final_output == "done"


async def test_an_output_type_is_validated() -> None:
    class Sum(BaseModel):
        total: int

    model = ScriptedModel([[assistant_message('{"total": 3}')]])
    result = await Runner.run(Agent(name="a", model=model, output_type=Sum), "go")
    assert result.final_output == Sum(total=3)
    assert result.final_output_as(Sum, raise_if_incorrect_type=True).total == 3
    with pytest.raises(TypeError):
        result.final_output_as(str, raise_if_incorrect_type=True)


async def test_an_output_that_does_not_fit_ends_the_run_or_is_repaired() -> None:
    class Sum(BaseModel):
        total: int

    bad = [assistant_message('{"total": "many"}')]
    strict = Agent(name="a", model=ScriptedModel([bad]), output_type=Sum)
    with pytest.raises(ModelBehaviorError):
        await Runner.run(strict, "go")
    model = ScriptedModel([bad, [assistant_message('{"total": 4}')]])
    agent = Agent(name="a", model=model, output_type=Sum)
    result = await Runner.run(agent, "go", run_config=RunConfig(output_repairs=1))
    assert result.final_output == Sum(total=4)


async def test_the_context_reaches_tools_and_instructions_and_never_the_model() -> None:
    class Shop:
        name = "Fjord Books"

    @function_tool
    def shop_name(ctx: RunContextWrapper[Shop]) -> str:
        return ctx.context.name

    def instructions(ctx: RunContextWrapper[Shop], agent: Agent[Shop]) -> str:
        return f"{agent.name} of {ctx.context.name}"

    model = ScriptedModel([[function_call("shop_name")], [assistant_message("ok")]])
    agent = Agent[Shop](name="clerk", instructions=instructions, model=model, tools=[shop_name])
    result = await Runner.run(agent, "go", context=Shop())
    assert outputs_shown(model) == ["Fjord Books"]
    assert model.last_call is not None
    assert model.last_call.system_instructions == "clerk of Fjord Books"
    assert result.context_wrapper.usage.requests == 2


async def test_a_handoff_changes_the_agent_and_keeps_the_conversation() -> None:
    model = ScriptedModel([[function_call("transfer_to_b")], [assistant_message("from b")]])
    target = Agent(name="b", instructions="I am b.", model=model)
    agent = Agent(name="a", instructions="I am a.", model=model, handoffs=[target])
    result = await Runner.run(agent, "go")
    assert result.last_agent is target
    assert result.final_output == "from b"
    assert model.last_call is not None
    assert model.last_call.system_instructions == "I am b."
    assert [item.type for item in result.new_items] == [
        "handoff_call_item",
        "handoff_output_item",
        "message_output_item",
    ]


async def test_an_input_filter_decides_what_the_receiver_sees() -> None:
    model = ScriptedModel(
        [
            [function_call("add", {"a": 1, "b": 2})],
            [function_call("transfer_to_b")],
            [assistant_message("from b")],
        ],
    )
    target = Agent(name="b", model=model)
    agent = Agent(
        name="a",
        model=model,
        tools=[add],
        handoffs=[handoff(target, input_filter=remove_all_tools)],
    )
    result = await Runner.run(agent, "go")
    assert model.last_call is not None
    assert model.last_call.input == [{"role": "user", "content": "go"}]
    assert result.final_output == "from b"


async def test_on_handoff_that_raises_ends_the_run_before_the_agent_changes() -> None:
    class NotAllowed(Exception):
        pass

    def refuse(ctx: RunContextWrapper[Any]) -> None:
        del ctx
        raise NotAllowed

    model = ScriptedModel([[function_call("transfer_to_b")]])
    target = Agent(name="b", model=model)
    agent = Agent(name="a", model=model, handoffs=[handoff(target, on_handoff=refuse)])
    with pytest.raises(NotAllowed):
        await Runner.run(agent, "go")
    model.assert_complete()


async def test_an_agent_as_a_tool_answers_its_caller_and_adds_its_usage() -> None:
    inner = ScriptedModel([[assistant_message("42")]])
    outer = ScriptedModel(
        [[function_call("ask_sage", {"input": "life?"})], [assistant_message("It is 42.")]],
    )
    sage = Agent(name="sage", model=inner)
    agent = Agent(name="a", model=outer, tools=[sage.as_tool("ask_sage", "Ask the sage.")])
    result = await Runner.run(agent, "go")
    assert outputs_shown(outer) == ["42"]
    assert inner.last_call is not None
    assert inner.last_call.input == [{"role": "user", "content": "life?"}]
    assert result.context_wrapper.usage.requests == 3
    assert result.last_agent is agent


async def test_input_that_is_no_input_is_refused_before_anything_happens() -> None:
    model = ScriptedModel()
    with pytest.raises(UserError):
        await Runner.run(Agent(name="a", model=model), 7)  # type: ignore[arg-type]
    with pytest.raises(UserError):
        await Runner.run("a", "go")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="Unknown run_config settings: modle"):
        await Runner.run(Agent(name="a", model=model), "go", run_config={"modle": "x"})
    assert model.calls == ()


def test_run_sync_runs_more_than_once_in_the_same_loop() -> None:
    loops: list[asyncio.AbstractEventLoop] = []

    @function_tool
    async def loop() -> str:
        loops.append(asyncio.get_running_loop())
        return "ok"

    for _ in range(2):
        model = ScriptedModel([[function_call("loop")], [assistant_message("done")]])
        result = Runner.run_sync(Agent(name="a", model=model, tools=[loop]), "go")
        assert result.final_output == "done"
    assert loops[0] is loops[1]


async def test_run_sync_inside_a_loop_says_what_to_do() -> None:
    with pytest.raises(RuntimeError, match=r"await Runner\.run"):
        Runner.run_sync(Agent(name="a", model=ScriptedModel()), "go")


async def test_cancelling_a_run_leaves_no_task_behind() -> None:
    started = asyncio.Event()
    ended: list[str] = []

    @function_tool
    async def wait(name: str) -> str:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(name)
        return "never"

    model = ScriptedModel(
        [[function_call("wait", {"name": "x"}), function_call("wait", {"name": "y"})]],
    )
    before = asyncio.all_tasks()
    task = asyncio.create_task(Runner.run(Agent(name="a", model=model, tools=[wait]), "go"))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert sorted(ended) == ["x", "y"]
    assert asyncio.all_tasks() == before


async def test_a_failing_tool_cancels_those_beside_it() -> None:
    cancelled = asyncio.Event()
    waiting = asyncio.Event()

    @function_tool
    async def wait() -> str:
        waiting.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.set()
            raise
        return "never"

    @function_tool(failure_error_function=None)
    async def fail() -> str:
        await waiting.wait()
        raise RuntimeError("boom")

    model = ScriptedModel([[function_call("wait"), function_call("fail")]])
    with pytest.raises(UserError, match="boom"):
        await Runner.run(Agent(name="a", model=model, tools=[wait, fail]), "go")
    assert cancelled.is_set()
