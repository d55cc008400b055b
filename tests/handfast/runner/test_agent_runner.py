from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from handfast import Agent, Runner, RunResult
from handfast.runner.agent_runner import (
    AgentRunner,
    get_default_agent_runner,
    set_default_agent_runner,
)
from handfast.testing.messages import assistant_message
from handfast.testing.scripted_model import ScriptedModel


@pytest.fixture(autouse=True)
def _own_runner_afterwards() -> Iterator[None]:
    yield
    set_default_agent_runner(None)


def greeter() -> Agent[Any]:
    return Agent(name="greeter", model=ScriptedModel([[assistant_message("hi")]]))


async def test_a_runner_is_an_object_of_its_own() -> None:
    runner = AgentRunner()
    assert (await runner.run(greeter(), "go")).final_output == "hi"
    streamed = runner.run_streamed(greeter(), "go")
    assert [event async for event in streamed.stream_events()]
    assert streamed.final_output == "hi"


def test_it_runs_without_an_event_loop_too() -> None:
    assert AgentRunner().run_sync(greeter(), "go").final_output == "hi"


async def test_a_program_can_replace_what_runs_its_agents() -> None:
    asked: list[object] = []

    class Watched(AgentRunner):
        async def run(self, starting_agent: Any, input: Any, **options: Any) -> RunResult:  # noqa: A002 - the SDK's name
            asked.append(input)
            return await super().run(starting_agent, input, **options)

    watched = Watched()
    set_default_agent_runner(watched)
    assert get_default_agent_runner() is watched
    assert (await Runner.run(greeter(), "go")).final_output == "hi"
    assert asked == ["go"]
    set_default_agent_runner(None)
    assert get_default_agent_runner() is not watched
