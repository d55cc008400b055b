from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from handfast import Agent, AgentHooks, Runner, RunState, UserError, function_tool, handoff
from handfast.core.schema_versions import SCHEMA_VERSION_SUMMARIES, to_current
from handfast.testing.messages import assistant_message, function_call
from handfast.testing.scripted_model import ScriptedModel

GOLDEN = sorted((Path(__file__).parents[2] / "golden").glob("run_state_v*.json"))


def team() -> tuple[Agent[Any], list[str]]:
    """The agents that the golden files were written by."""
    wiped: list[str] = []

    @function_tool(needs_approval=True)
    def wipe(path: str) -> str:
        wiped.append(path)
        return f"wiped {path}"

    @function_tool
    def look(path: str) -> str:
        raise AssertionError(f"{path} was looked at before")

    cleaner = Agent(
        name="cleaner",
        tools=[wipe],
        model=ScriptedModel([[assistant_message("cleaned")]]),
    )
    model = ScriptedModel([[assistant_message("tidy")]])
    tools: list[Any] = [look, wipe, cleaner.as_tool("clean", "Clean up.")]
    return Agent(name="清洁主管", tools=tools, model=model), wiped


def test_every_schema_version_has_a_golden_file() -> None:
    stored = [to_current(json.loads(each.read_text(encoding="utf-8"))) for each in GOLDEN]
    assert [each.stem for each in GOLDEN] == [f"run_state_v{n}" for n in SCHEMA_VERSION_SUMMARIES]
    assert all(isinstance(each["run"], dict) for each in stored)


@pytest.mark.parametrize("text", [each.read_text(encoding="utf-8") for each in GOLDEN])
async def test_a_run_of_any_version_goes_on_today(text: str) -> None:
    agent, wiped = team()
    state = await RunState.from_string(agent, text)
    outer, inner = state.get_interruptions()
    assert (outer.call_id, inner.call_id, inner.agent.name) == ("c2", "inner-1", "cleaner")
    assert state.context_wrapper.context == {"user": "ada"}
    assert state.pending_input == [{"role": "user", "content": "And hurry."}]
    state.approve(inner)
    result = await Runner.run(agent, state)
    assert result.final_output == "tidy"
    assert wiped == ["/srv/x"]
    model = agent.model
    assert isinstance(model, ScriptedModel)
    sent = model.calls[0].input
    assert isinstance(sent, list)
    assert [each["output"] for each in sent if each.get("type") == "function_call_output"] == [
        "/srv/x is old",
        "not y",
        "cleaned",
        "/srv/z is old",
    ]
    assert sent[-1] == {"role": "user", "content": "And hurry."}
    assert result.context_wrapper.usage.requests == 5


PROGRAM = """
import asyncio
from handfast import Agent, Runner, function_tool
from handfast.testing import ScriptedModel, function_call

@function_tool(needs_approval=True)
def wipe(path: str) -> str:
    raise AssertionError("not in this process")

asked = function_call("wipe", {"path": "/"}, call_id="c1")
agent = Agent(name="清洁主管", tools=[wipe], model=ScriptedModel([[asked]]))
print(asyncio.run(Runner.run(agent, "go")).to_state().to_string())
"""


@pytest.fixture
def begun_elsewhere() -> str:
    """A run that another process stored."""
    done = subprocess.run(  # noqa: S603 - this interpreter, a fixed text
        [sys.executable, "-X", "utf8", "-c", PROGRAM],
        capture_output=True,
        check=True,
        encoding="utf-8",
        timeout=60,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    return done.stdout


@pytest.mark.parametrize("streamed", [False, True])
async def test_a_run_goes_on_in_another_process_than_it_began_in(
    begun_elsewhere: str,
    *,
    streamed: bool,
) -> None:
    agent, wiped = team()
    state = await RunState.from_string(agent, begun_elsewhere)
    state.approve(state.get_interruptions()[0])
    if streamed:
        result = Runner.run_streamed(agent, state)
        names = [getattr(event, "name", event.type) async for event in result.stream_events()]
        told = [name for name in names if name != "raw_response_event"]
        assert told == ["agent_updated_stream_event", "tool_output", "message_output_created"]
        assert result.final_output == "tidy"
    else:
        assert (await Runner.run(agent, state)).final_output == "tidy"
    assert wiped == ["/"]


@dataclass
class User:
    name: str


async def paused(context: object = None) -> tuple[Agent[Any], RunState[Any]]:
    agent, _ = team()
    agent.model = ScriptedModel([[function_call("wipe", {"path": "/"}, call_id="c1")]])
    return agent, (await Runner.run(agent, "go", context=context)).to_state()


async def test_a_context_with_fields_is_stored_and_needs_somebody_to_make_it_again() -> None:
    agent, state = await paused(User("ada"))
    with pytest.raises(UserError, match="context_serializer"):
        state.to_json(strict_context=True)
    data = state.to_json()
    read = await RunState.from_json(agent, data)
    assert read.context_wrapper.context == {"name": "ada"}
    with pytest.raises(UserError, match="context_deserializer"):
        await RunState.from_json(agent, data, strict_context=True)
    made = await RunState.from_json(
        agent,
        data,
        context_deserializer=lambda stored: User(**stored),
        strict_context=True,
    )
    assert made.context_wrapper.context == User("ada")


async def test_a_context_given_at_reading_is_taken() -> None:
    agent, state = await paused({"user": "ada"})
    read = await RunState.from_json(agent, state.to_json(), context_override="mine")
    assert read.context_wrapper.context == "mine"


def twins(*, instructions: tuple[str, str], swapped: bool) -> Agent[Any]:
    def twin(label: str, text: str) -> Agent[Any]:
        return Agent(
            name="twin",
            instructions=text,
            hooks=AgentHooks[Any](),
            tools=[function_tool(lambda: label, name_override="act", needs_approval=True)],
            model=ScriptedModel([[function_call("act", {}, call_id="c1")]]),
        )

    first, second = twin("first", instructions[0]), twin("second", instructions[1])
    targets: list[Any] = [handoff(first, tool_name_override="to_first"), handoff(second)]
    model = ScriptedModel([[function_call("to_first", {}, call_id="h1")]])
    return Agent(name="root", model=model, handoffs=targets[::-1] if swapped else targets)


async def test_agents_of_one_name_are_found_again_in_a_graph_of_another_order() -> None:
    root = twins(instructions=("b", "a"), swapped=False)
    state = (await Runner.run(root, "go")).to_state()
    again = twins(instructions=("b", "a"), swapped=True)
    read = await RunState.from_string(again, state.to_string())
    assert getattr(read.get_interruptions()[0].agent, "instructions", None) == "b"


async def test_agents_that_only_hooks_tell_apart_cannot_be_stored() -> None:
    root = twins(instructions=("a", "a"), swapped=False)
    state = (await Runner.run(root, "go")).to_state()
    with pytest.raises(UserError, match="cannot distinguish"):
        state.to_json()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"context": 3}, "context"),
        ({"context": {"approvals": 3}}, "approvals"),
        ({"context": {"context": 3}}, "context"),
        ({"session": 3}, "session"),
        ({"ledger": 3}, "calls were started"),
        ({"server": 3}, "provider"),
        ({"prompt_cache_key": 3}, "prompt_cache_key"),
    ],
)
async def test_a_stored_run_that_somebody_changed_is_refused_by_name(
    change: dict[str, object],
    told: str,
) -> None:
    agent, state = await paused()
    data = json.loads(state.to_string())
    with pytest.raises(UserError, match=told):
        await RunState.from_json(agent, {**data, **change})
