"""What the fields of an agent may be."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel

from handfast.agents.agent import Agent
from handfast.agents.agent_fields import check_fields, model_settings_of
from handfast.agents.hooks import AgentHooks
from handfast.agents.model import Model
from handfast.agents.model_settings import ModelSettings
from handfast.agents.output import AgentOutputSchemaBase


class Text(str):
    """A str of a kind of its own."""

    __slots__ = ()


class Answer(BaseModel):
    text: str


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("name", 5),
        ("name", None),
        ("handoff_description", 5),
        ("tools", "tool"),
        ("tools", ()),
        ("tools", None),
        ("mcp_servers", None),
        ("mcp_config", []),
        ("instructions", 5),
        ("instructions", ["a"]),
        ("prompt", 5),
        ("handoffs", None),
        ("handoffs", (1,)),
        ("model", 5),
        ("model", object()),
        ("model_settings", None),
        ("model_settings", "hot"),
        ("input_guardrails", None),
        ("output_guardrails", "x"),
        ("output_type", "str"),
        ("output_type", 5),
        ("hooks", object()),
        ("hooks", AgentHooks),
        ("tool_use_behavior", "stop"),
        ("tool_use_behavior", None),
        ("tool_use_behavior", {"stop": []}),
        ("reset_tool_choice", 1),
        ("reset_tool_choice", None),
    ],
)
def test_a_wrong_type_is_refused_and_the_field_named(field: str, wrong: object) -> None:
    fields: dict[str, Any] = {"name": "A", field: wrong}
    with pytest.raises(TypeError, match=f"Agent {field} must be .*, got {type(wrong).__name__}"):
        Agent(**fields)


def write(_context: object, _agent: object) -> Any:
    return None


@pytest.mark.parametrize(
    ("field", "right"),
    [
        ("name", Text("A")),
        ("name", ""),
        ("handoff_description", Text("d")),
        ("instructions", write),
        ("prompt", {"id": "pmpt_1"}),
        ("prompt", write),
        ("model", "gpt"),
        ("model", Model()),
        ("model_settings", ModelSettings(temperature=0.0)),
        ("output_type", Answer),
        ("output_type", list[str]),
        ("output_type", int | None),
        ("hooks", AgentHooks()),
        ("tool_use_behavior", {"stop_at_tool_names": ["a"]}),
        ("tool_use_behavior", print),
        ("reset_tool_choice", False),
    ],
)
def test_every_type_that_can_work_is_taken(field: str, right: object) -> None:
    fields: dict[str, Any] = {"name": "A", field: right}
    assert getattr(Agent(**fields), field) == right


def test_an_output_schema_of_ones_own_is_taken() -> None:
    class Anything(AgentOutputSchemaBase):
        def is_plain_text(self) -> bool:
            return False

        def name(self) -> str:
            return "anything"

        def json_schema(self) -> dict[str, object]:
            return {}

        def is_strict_json_schema(self) -> bool:
            return False

        def validate_json(self, json_str: str) -> object:
            return json_str

    schema = Anything()
    assert Agent(name="A", output_type=schema).output_type is schema


def test_fields_that_were_changed_can_be_checked_again() -> None:
    agent = Agent(name="A")
    check_fields(agent)
    wrong: Any = 5
    agent.name = wrong
    with pytest.raises(TypeError, match="Agent name must be a string, got int"):
        check_fields(agent)


def test_model_settings_may_be_a_dict() -> None:
    settings: Any = {"temperature": 0.5}
    assert Agent(name="A", model_settings=settings).model_settings == ModelSettings(temperature=0.5)
    assert model_settings_of(5) == 5


def test_a_setting_that_does_not_exist_is_named() -> None:
    with pytest.raises(TypeError, match="Unknown model settings: temprature"):
        model_settings_of({"temprature": 1})
