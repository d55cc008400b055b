"""Agents used as tools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import pytest
from pydantic import BaseModel, Field

from handfast import Agent, RunConfig
from handfast.agents.agent_tool import (
    AgentCall,
    AgentToolPort,
    AgentToolSpec,
)
from handfast.agents.agent_tool_input import StructuredToolInputBuilderOptions
from handfast.agents.context import RunContextWrapper, ToolContext
from handfast.agents.hooks import RunHooks
from handfast.agents.tool import run_tool_error_function
from handfast.errors import ModelBehaviorError, UserError
from handfast.testing.messages import assistant_message
from handfast.testing.scripted_model import ScriptedModel

CONTEXT: RunContextWrapper[None] = RunContextWrapper(None)
PLANNER = Agent(name="Trip Planner", handoff_description="Plans trips.")


class Trip(BaseModel):
    city: str = Field(description="Where to")
    days: int = 1


@dataclass
class Stay:
    hotel: str


def spec_of(**options: Any) -> AgentToolSpec:
    spec = PLANNER.as_tool(**options).agent_tool
    assert spec is not None
    return spec


def test_an_agent_as_a_tool_takes_one_text() -> None:
    tool = PLANNER.as_tool()
    assert (tool.name, tool.description) == ("trip_planner", "Plans trips.")
    assert tool.strict_json_schema is True
    assert tool.params_json_schema["required"] == ["input"]
    assert tool.params_json_schema["additionalProperties"] is False
    assert isinstance(tool.params_json_schema["properties"], Mapping)
    assert tool.failure_error_function is run_tool_error_function
    assert tool.agent_tool is not None
    assert tool.agent_tool.agent is PLANNER


@pytest.mark.parametrize("name", ["规划", "Élodie", "Агент", "🚀", "x" * 200, ""])
def test_its_name_is_valid_whatever_the_agent_is_called(name: str) -> None:
    made = Agent(name=name).as_tool().name
    assert 0 < len(made) <= 64
    assert made.replace("_", "").isalnum()
    assert made.isascii()
    assert made[0].isalpha()


def test_what_the_runner_needs_is_kept() -> None:
    def shout(result: object) -> str:
        return str(result).upper()

    hooks, session, config = RunHooks[None](), object(), RunConfig()
    tool = PLANNER.as_tool(
        "plan",
        "Plans",
        shout,
        is_enabled=False,
        on_stream=print,
        run_config=config,
        max_turns=3,
        hooks=hooks,
        previous_response_id="r",
        conversation_id="c",
        session=session,
        failure_error_function=None,
        needs_approval=True,
        on_stream_max_pending_events=5,
    )
    spec = tool.agent_tool
    assert spec is not None
    assert (tool.name, tool.description, tool.is_enabled) == ("plan", "Plans", False)
    assert (tool.needs_approval, tool.failure_error_function) == (True, None)
    assert (spec.custom_output_extractor, spec.on_stream) == (shout, print)
    assert (spec.run_config, spec.max_turns, spec.hooks) == (config, 3, hooks)
    assert (spec.previous_response_id, spec.conversation_id) == ("r", "c")
    assert (spec.session, spec.on_stream_max_pending_events) == (session, 5)


@pytest.mark.parametrize("most", [0, -1])
def test_some_event_must_be_allowed_to_wait(most: int) -> None:
    with pytest.raises(UserError, match="on_stream_max_pending_events must be a positive integer"):
        PLANNER.as_tool(on_stream=print, on_stream_max_pending_events=most)


def test_a_listener_must_be_callable() -> None:
    with pytest.raises(UserError, match=r"on_stream must be callable or None.*run_config="):
        PLANNER.as_tool("plan", "Plans", None, *cast("Any", (True, RunConfig())))


def test_settings_may_be_a_mapping() -> None:
    config = spec_of(run_config={"workflow_name": "w"}).run_config
    assert isinstance(config, RunConfig)
    assert config.workflow_name == "w"
    with pytest.raises(TypeError, match="wrkflow"):
        spec_of(run_config={"wrkflow": "w"})


# ---- reading a call


async def test_the_text_is_the_agents_input() -> None:
    assert await spec_of().read('{"input": "去北京"}', "plan") == AgentCall("去北京", None)


@pytest.mark.parametrize("arguments", ["", "{}", "[]", "{", '{"input": 5}', '{"input": "\ud800"}'])
async def test_wrong_arguments_are_explained(arguments: str) -> None:
    with pytest.raises(ModelBehaviorError, match="Invalid JSON input for tool plan: "):
        await spec_of().read(arguments, "plan")


async def test_structured_arguments_are_described_and_kept() -> None:
    call = await spec_of(parameters=Trip).read('{"city": "Rome", "days": 2}', "plan")
    assert call.tool_input == {"city": "Rome", "days": 2}
    assert isinstance(call.input, str)
    assert '"city": "Rome"' in call.input
    assert "- city (string, required) - Where to" in call.input
    assert "- days (integer, required)" in call.input
    assert "additionalProperties" not in call.input


async def test_the_agent_can_be_shown_the_schema() -> None:
    spec = spec_of(parameters=Trip, include_input_schema=True)
    call = await spec.read('{"city": "Rome", "days": 2}', "plan")
    assert isinstance(call.input, str)
    assert '"additionalProperties": false' in call.input


async def test_fields_that_nothing_is_said_of_are_plain_json() -> None:
    call = await spec_of(parameters=Stay).read('{"hotel": "丽兹"}', "stay")
    assert call == AgentCall('{"hotel": "丽兹"}', {"hotel": "丽兹"})


async def test_a_builder_makes_the_input() -> None:
    async def later(options: StructuredToolInputBuilderOptions) -> Sequence[Mapping[str, object]]:
        return [{"role": "user", "content": str(options.get("params"))}]

    def at_once(options: StructuredToolInputBuilderOptions) -> str:
        return f"to {options.get('params')}"

    now = spec_of(parameters=Stay, input_builder=at_once)
    assert (await now.read('{"hotel": "Ritz"}', "plan")).input == "to {'hotel': 'Ritz'}"
    call = await spec_of(parameters=Stay, input_builder=later).read('{"hotel": "Ritz"}', "plan")
    assert call.input == [{"role": "user", "content": "{'hotel': 'Ritz'}"}]


@pytest.mark.parametrize("wrong", [None, 5, b"x"])
async def test_a_builder_that_makes_no_input_is_the_users_fault(wrong: object) -> None:
    def build(_options: object) -> object:
        return wrong

    spec = spec_of(parameters=Stay, input_builder=build)
    with pytest.raises(UserError, match="input_builder must return a str or a list"):
        await spec.read('{"hotel": "Ritz"}', "plan")


# ---- the port


async def test_a_call_outside_a_runner_goes_through_the_port() -> None:
    async def run(spec: AgentToolSpec, context: RunContextWrapper[Any], call: AgentCall) -> object:
        return (spec.agent.name, context.context, call.input)

    port = AgentToolPort()
    port.register(run)
    called = await port.invoke(spec_of(), CONTEXT, '{"input": "hi"}', "plan")
    assert called == ("Trip Planner", None, "hi")


async def test_without_a_runner_a_call_says_what_to_do() -> None:
    with pytest.raises(UserError, match=r"'Trip Planner' is used as a tool.*Import handfast"):
        await AgentToolPort().invoke(spec_of(), CONTEXT, '{"input": "hi"}', "plan")


async def test_a_tool_invoked_by_hand_runs_its_agent() -> None:
    model = ScriptedModel([[assistant_message("by train")]])
    planner = Agent(name="Planner", model=model)
    arguments = '{"input": "to Rome"}'
    context = ToolContext(None, tool_name="planner", tool_call_id="c1", tool_arguments=arguments)
    assert await planner.as_tool().on_invoke_tool(context, arguments) == "by train"
    seen = model.first_call
    assert seen is not None
    assert seen.input == [{"role": "user", "content": "to Rome"}]
