from __future__ import annotations

from typing import Any

import pytest

from handfast import Agent, MultiProvider, RunConfig, SQLiteSession, UserError, function_tool
from handfast.core.effects import CallModel, CheckInput
from handfast.core.state import Asking, Checking
from handfast.runner.agent_runner import AgentRunner
from handfast.runner.drive import drive
from handfast.runner.preparation import prepare
from handfast.testing.messages import assistant_message, function_call
from handfast.testing.scripted_model import ScriptedModel


@function_tool(needs_approval=True)
def act() -> str:
    """Act."""
    return "acted"


def agent(*steps: Any) -> Agent[Any]:
    return Agent(name="a", model=ScriptedModel(list(steps)), tools=[act])


def test_nothing_is_called_before_a_run_is_driven() -> None:
    model = ScriptedModel([[assistant_message("hi")]])
    prepared = prepare(Agent(name="a", model=model), "go", {}, RunConfig(), drive)
    state, effects = prepared.step
    assert isinstance(state.phase, Asking | Checking)
    assert all(isinstance(effect, CallModel | CheckInput) for effect in effects)
    assert not model.calls


def test_a_provider_that_nobody_named_is_the_runs_own_to_close() -> None:
    config = RunConfig(model_provider=MultiProvider())
    assert not prepare(agent(), "go", {"run_config": config}, config, drive).owns_provider
    assert prepare(agent(), "go", {}, RunConfig(), drive).owns_provider


async def test_what_a_session_holds_comes_before_the_input() -> None:
    session = SQLiteSession("s")
    await session.add_items([{"role": "user", "content": "before"}])
    prepared = prepare(agent(), "now", {"session": session}, RunConfig(), drive)
    state, _ = await prepared.begin()
    assert [getattr(item, "text", None) for item in state.input] == ["before", "now"]


@pytest.mark.parametrize(
    ("first", "given", "options", "error", "words"),
    [
        ("a", "go", {}, UserError, "runs an Agent, not str"),
        (agent(), 5, {}, UserError, "must be a str or a list"),
        (agent(), "go", {"hooks": object()}, TypeError, "instances of RunHooks"),
        (agent(), "go", {"max_turns": True}, UserError, "max_turns"),
        (agent(), "go", {"max_turns": "many"}, UserError, "max_turns"),
    ],
)
def test_what_cannot_work_is_refused_at_once(
    first: Any, given: Any, options: Any, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        prepare(first, given, options, RunConfig(), drive)


async def test_a_stored_run_goes_on_where_it_waited() -> None:
    waiting = agent([function_call("act", call_id="c1")], [assistant_message("done")])
    state = (await AgentRunner().run(waiting, "go")).to_state()
    step, effects = prepare(waiting, state, {}, RunConfig(), drive).step
    assert step.turn == 1
    assert [type(effect).__name__ for effect in effects] == ["AskApproval"]
