from __future__ import annotations

from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from handfast import Agent, UserError
from handfast.agents.agent_tool_input import (
    default_tool_input_builder,
    input_adapter,
    input_schema,
    schema_summary,
)


class Trip(BaseModel):
    city: str = Field(description="Where to")
    days: int = 1


@pytest.mark.parametrize("parameters", [int, "Trip", Trip(city="x"), list[str]])
def test_parameters_need_fields(parameters: Any) -> None:
    with pytest.raises(UserError, match="must be a pydantic model, a dataclass or a TypedDict"):
        Agent(name="planner").as_tool(parameters=parameters)


def test_the_schema_of_parameters_is_strict() -> None:
    schema = input_schema(input_adapter(Trip))
    assert schema["required"] == ["city", "days"]
    with pytest.raises(UserError):
        Agent(name="planner").as_tool(parameters=dict)


def test_a_summary_names_each_field_once_something_is_said_of_one() -> None:
    class Search(BaseModel):
        """What to look for."""

        words: list[str]
        kind: Literal["a", "b", "c", "d", "e", "f"]
        only: Literal["x"]
        near: str | None = None

    summary = schema_summary(Search.model_json_schema())
    assert summary == (
        "Description: What to look for.\n"
        "- words (array, required)\n"
        '- kind (enum("a" | "b" | "c" | "d" | "e" | ...), required)\n'
        '- only (literal("x"), required)\n'
        "- near (string | null, optional)"
    )


@pytest.mark.parametrize(
    ("field", "kind"),
    [({"type": ["string", "null"]}, "string | null"), ({"$ref": "#/$defs/X"}, "object")],
)
def test_any_form_of_field_has_a_kind(field: dict[str, object], kind: str) -> None:
    schema = {"properties": {"f": {**field, "description": "d"}}}
    assert schema_summary(schema) == f"- f ({kind}, optional) - d"


@pytest.mark.parametrize("schema", [{}, {"properties": {"f": {"type": "string"}}}])
def test_a_schema_that_says_nothing_has_no_summary(schema: dict[str, object]) -> None:
    assert schema_summary(schema) is None


def test_the_agent_is_told_what_the_data_means() -> None:
    told = default_tool_input_builder({"params": {"a": 1}, "summary": "- a (integer, required)"})
    assert "## Structured Input Data:" in told
    assert "## Input Schema Summary:\n- a (integer, required)" in told
    told = default_tool_input_builder({"params": {"a": 1}, "json_schema": {"type": "object"}})
    assert "## Input JSON Schema:" in told
    assert "Summary" not in told
