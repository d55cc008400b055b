from __future__ import annotations

import asyncio
from typing import Any

import pytest
from pydantic import BaseModel

from handfast import (
    Agent,
    ModelBehaviorError,
    RunConfig,
    RunContextWrapper,
    RunHooks,
    Runner,
    RunState,
    function_tool,
    handoff,
)
from handfast.extensions.handoff_filters import remove_all_tools
from handfast.testing import ModelCall, ModelStep, ScriptedModel, assistant_message, function_call

ASK = [assistant_message("let me ask"), function_call("transfer_to_b", call_id="h1")]
DONE = [assistant_message("done")]


def outputs(model: ScriptedModel) -> dict[object, object]:
    call = model.last_call
    assert call is not None
    assert not isinstance(call.input, str)
    return {item["call_id"]: item["output"] for item in call.input if "output" in item}


async def test_the_receivers_output_comes_back_and_the_agent_goes_on() -> None:
    inner = ScriptedModel([[assistant_message("42")]])
    outer = ScriptedModel([ASK, DONE])
    target = Agent(name="b", model=inner)
    agent = Agent(name="a", model=outer, handoffs=[handoff(target, returns=True)])
    result = await Runner.run(agent, "life?")
    assert result.last_agent is agent
    assert result.final_output == "done"
    assert outputs(outer) == {"h1": "42"}
    assert result.context_wrapper.usage.requests == 3
    assert inner.last_call is not None
    shown = inner.last_call.input
    assert not isinstance(shown, str)
    assert [item.get("role") or item["type"] for item in shown] == [
        "user",
        "assistant",
        "function_call",
        "function_call_output",
    ]


async def test_a_filter_decides_what_the_receiver_sees() -> None:
    inner = ScriptedModel([[assistant_message("42")]])
    target = Agent(name="b", model=inner)
    agent = Agent(
        name="a",
        model=ScriptedModel([ASK, DONE]),
        handoffs=[handoff(target, returns=True, input_filter=remove_all_tools)],
    )
    await Runner.run(agent, "life?")
    assert inner.last_call is not None
    assert len(inner.last_call.input) == 2


async def test_bad_input_is_an_answer_to_repair() -> None:
    class Reason(BaseModel):
        reason: str

    given: list[Reason] = []

    def note(ctx: RunContextWrapper[Any], data: Reason) -> None:
        del ctx
        given.append(data)

    outer = ScriptedModel(
        [
            [function_call("transfer_to_b", {"why": 1}, call_id="h1")],
            [function_call("transfer_to_b", {"reason": "x"}, call_id="h2")],
            DONE,
        ],
    )
    target = Agent(name="b", model=ScriptedModel([[assistant_message("ok")]]))
    offered = handoff(target, returns=True, on_handoff=note, input_type=Reason)
    await Runner.run(Agent(name="a", model=outer, handoffs=[offered]), "go")
    assert "reason" in str(outputs(outer)["h1"])
    assert outputs(outer)["h2"] == "ok"
    assert given == [Reason(reason="x")]


async def test_a_receiver_that_needs_approval_pauses_the_caller() -> None:
    ran: list[str] = []

    @function_tool(needs_approval=True)
    def act() -> str:
        ran.append("act")
        return "acted"

    inner = ScriptedModel([[function_call("act", call_id="c1")], [assistant_message("acted it")]])
    outer = ScriptedModel([ASK, DONE])
    target = Agent(name="b", model=inner, tools=[act])
    agent = Agent(name="a", model=outer, handoffs=[handoff(target, returns=True)])
    paused = await Runner.run(agent, "go")
    assert [item.agent for item in paused.interruptions] == [target]
    state = await RunState.from_string(agent, paused.to_state().to_string())
    state.approve(state.get_interruptions()[0])
    result = await Runner.run(agent, state)
    assert result.final_output == "done"
    assert ran == ["act"]
    assert outputs(outer) == {"h1": "acted it"}


async def test_several_handoffs_run_side_by_side_and_come_back() -> None:
    outer = ScriptedModel(
        [
            [
                function_call("transfer_to_b", call_id="h1"),
                function_call("transfer_to_c", call_id="h2"),
            ],
            DONE,
        ],
    )
    targets = [
        Agent(name=name, model=ScriptedModel([[assistant_message(f"from {name}")]]))
        for name in ("b", "c")
    ]
    agent = Agent(name="a", model=outer, handoffs=[*targets])
    result = await Runner.run(agent, "go", run_config=RunConfig(multiple_handoffs="all"))
    assert result.last_agent is agent
    assert outputs(outer) == {"h1": "from b", "h2": "from c"}


async def test_several_handoffs_can_be_refused() -> None:
    model = ScriptedModel([[function_call("transfer_to_b"), function_call("transfer_to_c")]])
    agent = Agent(name="a", model=model, handoffs=[Agent(name="b"), Agent(name="c")])
    with pytest.raises(ModelBehaviorError, match="Several handoffs"):
        await Runner.run(agent, "go", run_config=RunConfig(multiple_handoffs="error"))


async def test_a_receiver_that_fails_is_an_answer() -> None:
    outer = ScriptedModel([ASK, DONE])
    target = Agent(name="b", model=ScriptedModel([ModelBehaviorError("confused")]))
    agent = Agent(name="a", model=outer, handoffs=[handoff(target, returns=True)])
    assert (await Runner.run(agent, "go")).final_output == "done"
    assert "error" in str(outputs(outer)["h1"]).lower()


async def test_a_handoff_that_was_cut_off_is_not_made_again_when_the_run_goes_on() -> None:
    begun = asyncio.Event()
    noted: list[str] = []

    def note(ctx: RunContextWrapper[Any]) -> None:
        del ctx
        noted.append("on_handoff")

    async def hang(call: ModelCall) -> ModelStep:
        del call
        begun.set()
        await asyncio.Event().wait()
        raise AssertionError("nobody sets it")

    target = Agent(
        name="b", model=ScriptedModel([ModelStep.respond(hang), [assistant_message("42")]])
    )
    outer = ScriptedModel([ASK, DONE])
    taken = handoff(target, returns=True, on_handoff=note)
    agent: Agent[Any] = Agent(name="a", model=outer, handoffs=[taken])
    state = RunState(RunContextWrapper(None), "go", agent)
    cut = asyncio.create_task(Runner.run(agent, state))
    await begun.wait()
    cut.cancel()
    await asyncio.wait([cut])
    assert (await Runner.run(agent, state)).final_output == "done"
    assert noted == ["on_handoff"]
    assert outputs(outer) == {"h1": "42"}


async def test_a_receiver_goes_on_where_it_was_when_the_run_failed_beside_it() -> None:
    happened: list[str] = []

    @function_tool
    def act() -> str:
        happened.append("act")
        return "acted"

    class Waits(RunHooks[Any, Any]):
        """Waits for ever once the tool has answered."""

        async def on_llm_start(self, *_args: Any, **_named: Any) -> None:
            if "act" in happened:
                reached.set()
                await asyncio.Event().wait()

    reached = asyncio.Event()
    inner = ScriptedModel([[function_call("act", call_id="a1")], [assistant_message("42")]])
    target = Agent(name="b", model=inner, tools=[act])
    back = handoff(target, returns=True, on_handoff=lambda _: happened.append("handoff"))
    outer = ScriptedModel([ASK, DONE])
    agent = Agent(name="a", model=outer, handoffs=[back])
    state = RunState(RunContextWrapper(None), "go", agent)
    task = asyncio.create_task(Runner.run(agent, state, hooks=Waits()))
    await reached.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    result = await Runner.run(agent, state)
    assert result.final_output == "done"
    assert happened == ["handoff", "act"]
    assert outputs(outer) == {"h1": "42"}
