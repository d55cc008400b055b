from __future__ import annotations

from typing import Any

from handfast import (
    Agent,
    Allow,
    Ask,
    Boundary,
    CallRequest,
    Deny,
    Grants,
    RunConfig,
    Runner,
    RunView,
    function_tool,
)
from handfast.testing.messages import assistant_message, function_call
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


def bounded(*steps: list[dict[str, object]], boundary: Boundary) -> tuple[Any, Any, Any]:
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
