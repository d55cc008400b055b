from __future__ import annotations

import asyncio
from typing import Any

import pytest

from handfast import (
    Agent,
    Allow,
    Ask,
    Boundary,
    CallRequest,
    Deny,
    Grants,
    ModelBehaviorError,
    RunConfig,
    RunContextWrapper,
    Runner,
    RunView,
    ToolApprovalItem,
    ToolCallOutputItem,
    ToolExecutionConfig,
    ToolGuardrailFunctionOutput,
    ToolInputGuardrailData,
    function_tool,
    tool_input_guardrail,
)
from handfast.runner.formatting import ToolErrorFormatterArgs
from handfast.testing.messages import ScriptedItem, assistant_message, function_call
from handfast.testing.scripted_model import ScriptedModel

ran: list[str] = []


@function_tool
def send(text: str) -> str:
    """Send a text."""
    ran.append(text)
    return "sent"


class Rule:
    name = "rule"

    def __init__(self, verdict: Allow | Ask | Deny) -> None:
        self.verdict = verdict
        self.seen: list[tuple[CallRequest, RunView]] = []

    def check(self, call: CallRequest, view: RunView) -> Allow | Ask | Deny:
        self.seen.append((call, view))
        return self.verdict


def bounded(*steps: list[ScriptedItem], boundary: Boundary) -> tuple[Any, Any, Any]:
    ran.clear()
    model = ScriptedModel(steps)
    agent = Agent(name="a", model=model, tools=[send])
    return agent, model, RunConfig(boundary=boundary)


SEND = [function_call("send", {"text": "x"}, call_id="c1")]
DONE = [assistant_message("done")]


def last_output(model: ScriptedModel) -> str:
    call = model.last_call
    assert call is not None
    assert not isinstance(call.input, str)
    return str(call.input[-1]["output"])


async def test_a_denied_call_never_runs_and_the_model_is_told_why() -> None:
    boundary = Boundary().with_policies(Rule(Deny("not today", "rule")))
    agent, model, config = bounded(SEND, DONE, boundary=boundary)
    result = await Runner.run(agent, "go", run_config=config)
    assert result.final_output == "done"
    assert ran == []
    assert "not today" in last_output(model)


async def test_a_question_of_the_boundary_waits_for_a_person() -> None:
    boundary = Boundary().with_policies(Rule(Ask("costs money", "rule")))
    agent, _, config = bounded(SEND, DONE, boundary=boundary)
    paused = await Runner.run(agent, "go", run_config=config)
    assert ran == []
    state = paused.to_state()
    state.approve(state.get_interruptions()[0])
    result = await Runner.run(agent, state, run_config=config)
    assert result.final_output == "done"
    assert ran == ["x"]


async def test_policies_see_the_call_and_the_run() -> None:
    rule = Rule(Allow())
    agent, _, config = bounded(SEND, SEND, DONE, boundary=Boundary().with_policies(rule))
    await Runner.run(agent, "go", run_config=config)
    (first, first_view), (second, second_view) = rule.seen
    assert (first.agent, first.tool, first.arguments_text) == ("a", "send", '{"text": "x"}')
    assert first.key == second.key
    assert (first_view.turn, second_view.turn) == (1, 2)
    assert first_view.repeats[first.key] == 0
    assert second_view.repeats[first.key] == 1


async def test_the_strict_boundary_refuses_what_was_not_granted_and_endless_repeats() -> None:
    strict = Boundary.strict(grants=Grants(tools=frozenset({"send"})))
    agent, model, config = bounded(*[SEND] * 5, DONE, boundary=strict)
    await Runner.run(agent, "go", run_config=config)
    assert ran == ["x"] * 3
    assert "already called" in last_output(model)
    nothing = Boundary.strict(grants=Grants(tools=frozenset()))
    agent, model, config = bounded(SEND, DONE, boundary=nothing)
    await Runner.run(agent, "go", run_config=config)
    assert ran == []
    assert "not granted" in last_output(model)


async def test_handoffs_go_through_the_same_door() -> None:
    rule = Rule(Deny("stay here", "rule"))
    model = ScriptedModel([[function_call("transfer_to_b")], DONE])
    agent = Agent(name="a", model=model, handoffs=[Agent(name="b", model=model)])
    config = RunConfig(boundary=Boundary().with_policies(rule))
    result = await Runner.run(agent, "go", run_config=config)
    assert result.last_agent is agent
    assert rule.seen[0][0].kind == "handoff"


async def test_a_runs_formatter_words_rejections_and_unknown_tools() -> None:
    heard: list[str] = []

    def words(args: ToolErrorFormatterArgs[None]) -> str | None:
        heard.append(f"{args.kind}:{args.tool_name}:{args.call_id}")
        return "nobody said yes" if args.kind == "approval_rejected" else None

    def refuse(*_request: object) -> bool:
        return False

    @function_tool(needs_approval=True)
    def wipe() -> str:
        return "wiped"

    model = ScriptedModel(
        [
            [function_call("wipe", {}, call_id="c1"), function_call("wlpe", {}, call_id="c2")],
            [assistant_message("done")],
        ]
    )
    agent = Agent(name="a", model=model, tools=[wipe])
    config = RunConfig(tool_error_formatter=words, approver=refuse)
    result = await Runner.run(agent, "go", run_config=config)
    outputs = [i.output for i in result.new_items if isinstance(i, ToolCallOutputItem)]
    assert outputs[0] == "nobody said yes"
    assert "not found" in outputs[1]
    assert sorted(heard) == ["approval_rejected:wipe:c1", "tool_not_found:wlpe:c2"]


@pytest.mark.parametrize("broken", [True, False])
async def test_a_formatter_that_says_nothing_leaves_the_default(broken: bool) -> None:  # noqa: FBT001 - a parameter of pytest
    async def words(args: ToolErrorFormatterArgs[None]) -> str | None:
        if broken:
            raise RuntimeError(f"no words for {args.kind}")
        return None

    @function_tool
    def fall() -> str:
        raise ValueError("a secret")

    model = ScriptedModel([[function_call("fall", {}, call_id="c1")], [assistant_message("done")]])
    config = RunConfig(tool_error_formatter=words)
    result = await Runner.run(Agent(name="a", model=model, tools=[fall]), "go", run_config=config)
    outputs = [i.output for i in result.new_items if isinstance(i, ToolCallOutputItem)]
    assert outputs == ["An error occurred while running the tool. Please try again."]


@pytest.mark.parametrize("early", [True, False])
async def test_guardrails_can_refuse_before_a_person_is_asked(early: bool) -> None:  # noqa: FBT001 - a parameter of pytest
    @tool_input_guardrail
    def never(data: ToolInputGuardrailData) -> ToolGuardrailFunctionOutput:
        return ToolGuardrailFunctionOutput.reject_content(f"not {data.context.tool_name}")

    @function_tool(needs_approval=True, tool_input_guardrails=[never])
    def wipe() -> str:
        return "wiped"

    model = ScriptedModel([[function_call("wipe", {}, call_id="c1")], [assistant_message("done")]])
    config = RunConfig(
        tool_execution=ToolExecutionConfig(pre_approval_tool_input_guardrails=early),
    )
    agent = Agent(name="a", model=model, tools=[wipe])
    result = await Runner.run(agent, "go", run_config=config)
    assert bool(result.interruptions) is not early


async def test_approval_rules_of_one_turn_are_asked_side_by_side() -> None:
    started, finished = asyncio.Event(), asyncio.Event()

    async def asks(_context: Any, arguments: dict[str, Any], _call_id: str) -> bool:
        if arguments["text"] == "first":
            started.set()
            await finished.wait()
        else:
            await started.wait()
            finished.set()
        return False

    sent: list[str] = []
    tool = function_tool(send_to(sent), name_override="send", needs_approval=asks)
    calls = [
        function_call("send", {"text": "first"}, call_id="c1"),
        function_call("send", {"text": "second"}, call_id="c2"),
    ]
    model = ScriptedModel([calls, DONE])
    await Runner.run(Agent(name="a", model=model, tools=[tool]), "go")
    assert sent == ["second", "first"]
    call = model.last_call
    assert call is not None
    assert not isinstance(call.input, str)
    assert [item["call_id"] for item in call.input if "output" in item] == ["c1", "c2"]


def send_to(sent: list[str]) -> Any:
    async def send(text: str) -> str:
        sent.append(text)
        return "sent"

    return send


async def test_an_approval_given_beforehand_holds_for_what_the_item_said_then() -> None:
    approved = function_call("send", {"text": "safe"}, call_id="call_0", item_id="fc_1")
    changed = function_call("send", {"text": "changed"}, call_id="call_0", item_id="fc_1")
    sent: list[str] = []
    tool = function_tool(send_to(sent), name_override="send", needs_approval=True)
    agent = Agent(name="a", model=ScriptedModel([[changed], DONE]), tools=[tool])
    context: RunContextWrapper[None] = RunContextWrapper(None)
    context.approve_tool(ToolApprovalItem(agent, approved))
    with pytest.raises(ModelBehaviorError, match="reused a tool call ID"):
        await Runner.run(agent, "go", context=context)
    assert sent == []
