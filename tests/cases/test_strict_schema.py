"""What a function declares is what a model can fill in."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from cases.case_model import agent, outputs, play, scripted, shown, steps_of
from handfast import Agent, AgentOutputSchema, FunctionTool, Runner, UserError, function_tool
from handfast.testing.messages import assistant_message, function_call
from handfast.testing.scripted_model import ScriptedModel

got: list[object] = []


@pytest.fixture(autouse=True)
def _nothing_yet() -> None:
    got.clear()


def save_dict(fields: dict[str, Any]) -> str:
    """Save."""
    got.append(fields)
    return "saved"


def save_bare(fields: dict[str, Any]) -> str:
    """Save."""
    got.append(fields)
    return "saved"


save_bare.__annotations__["fields"] = dict  # as users write it, and type checkers do not like it


def save_mapping(fields: Mapping[str, int]) -> str:
    """Save."""
    got.append(dict(fields))
    return "saved"


def save_optional(fields: dict[str, int] | None = None) -> str:
    """Save."""
    got.append(fields)
    return "saved"


def save_free(**fields: Any) -> str:
    """Save."""
    got.append(fields.get("fields", fields))
    return "saved"


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")


def save_open(fields: Open) -> str:
    """Save."""
    got.append(fields.model_dump())
    return "saved"


def is_closed(schema: Any) -> bool:
    """True when some object in the schema can only be `{}`."""
    text = json.dumps(schema)
    found: list[bool] = []

    def see(part: dict[str, Any]) -> dict[str, Any]:
        found.append(part.get("additionalProperties") is False and not part.get("properties"))
        return part

    json.loads(text, object_hook=see)
    return any(found)


@pytest.mark.parametrize(
    "function",
    [save_dict, save_bare, save_mapping, save_optional, save_free, save_open],
)
async def test_free_keys_arrive_and_the_tool_says_that_it_is_not_strict(
    *,
    function: Callable[..., str],
    streamed: bool,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING, "handfast"):
        tool = function_tool(name_override="save")(function)
    model = scripted(steps_of("strict-schema-1"))
    result = await play(agent("A", model, tools=[tool]), streamed=streamed)
    assert result.final_output == "saved"
    assert got == [{"a": 1}]
    offered = model.calls[0].tools[0]
    assert isinstance(offered, FunctionTool)
    assert offered.strict_json_schema is False
    assert not is_closed(offered.params_json_schema)


def test_a_tool_that_cannot_be_strict_gives_notice_of_it(caplog: pytest.LogCaptureFixture) -> None:
    def fresh(fields: dict[str, int]) -> str:
        """Save."""
        return str(fields)

    with caplog.at_level(logging.WARNING, "handfast"):
        function_tool(fresh)
    assert "fresh" in caplog.text
    assert "strict" in caplog.text


class Free(BaseModel):
    fields: dict[str, int]


class FreeTyped(TypedDict):
    fields: dict[str, int]


@dataclass
class FreeData:
    fields: dict[str, int]


@pytest.mark.parametrize("kind", [Free, FreeTyped, FreeData, dict[str, dict[str, int]]])
async def test_an_output_with_free_keys_is_asked_for_and_read(*, kind: Any, streamed: bool) -> None:
    model = ScriptedModel([[assistant_message('{"fields": {"a": 1}}')]])
    result = await play(Agent("A", model=model, output_type=kind), streamed=streamed)
    output: Any = result.final_output
    assert (output.fields if hasattr(output, "fields") else output["fields"]) == {"a": 1}
    schema = model.calls[0].output_schema
    assert schema is not None
    assert not schema.is_strict_json_schema()
    assert not is_closed(schema.json_schema())


class Node(BaseModel):
    v: int
    children: list[Node] = Field(description="What hangs below.")


class Leaf(BaseModel):
    v: int
    left: Branch | None = Field(default=None, description="One side.")
    right: Branch | None = Field(default=None, description="The other.")


class Branch(BaseModel):
    leaf: Leaf = Field(description="Where it ends.")


@dataclass
class Tree:
    v: int
    children: list[Tree] = field(default_factory=list["Tree"])


TREE = steps_of("strict-schema-3")[0]["calls"][0]["args"]["node"]


def save_node(node: Node) -> str:
    """Save.

    Args:
        node: The root of it.
    """
    got.append(node.model_dump())
    return "saved"


def save_tree_data(node: Tree) -> str:
    """Save.

    Args:
        node: The root of it.
    """
    got.append(asdict(node))
    return "saved"


@pytest.mark.parametrize("function", [save_node, save_tree_data])
async def test_a_type_that_holds_itself_has_a_small_schema_and_arrives_whole(
    *,
    function: Callable[..., str],
    streamed: bool,
) -> None:
    tool = function_tool(name_override="save_tree")(function)
    assert "$ref" in json.dumps(tool.params_json_schema)
    assert len(json.dumps(tool.params_json_schema)) < 2_000
    model = scripted(steps_of("strict-schema-3"))
    result = await play(agent("A", model, tools=[tool]), streamed=streamed)
    assert result.final_output == "saved"
    assert got == [TREE]


@pytest.mark.parametrize("kind", [Node, Leaf, list[Branch]])
def test_an_output_that_holds_itself_has_a_small_schema(kind: object) -> None:
    assert len(json.dumps(AgentOutputSchema(kind).json_schema())) < 3_000


def test_a_schema_without_end_is_refused() -> None:
    endless: dict[str, Any] = {"type": "object", "properties": {}}
    endless["properties"]["again"] = endless
    with pytest.raises(UserError, match="deep"):
        FunctionTool("t", "", endless, _unused)
    circle: dict[str, object] = {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/A", "description": "x"}},
        "$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}},
    }
    with pytest.raises(UserError):
        FunctionTool("t", "", circle, _unused)


async def _unused(_context: object, _arguments: str) -> str:
    return ""


def count_dict(by_name: dict[str, int]) -> int:
    """Count."""
    got.append(by_name)
    return sum(by_name.values())


def count_nested(
    by_name: dict[str, int], more: dict[str, list[dict[str, int]]] | None = None
) -> int:
    """Count."""
    got.append(by_name)
    return sum(by_name.values()) + len(more or ())


@pytest.mark.parametrize("function", [count_dict, count_nested])
async def test_a_map_can_be_filled_in(*, function: Callable[..., int], streamed: bool) -> None:
    tool = function_tool(name_override="count")(function)
    assert tool.strict_json_schema is False
    assert not is_closed(tool.params_json_schema)
    model = scripted(steps_of("strict-schema-5"))
    await play(agent("A", model, tools=[tool]), streamed=streamed)
    assert got == [{"a": 1, "b": 2}]
    assert outputs(shown(model)) == {"c1": "3"}


def test_a_map_that_is_asked_to_be_strict_is_refused_at_once() -> None:
    with pytest.raises(UserError, match="strict"):
        function_tool(strict_mode=True)(count_dict)


def note_text(text: str | None) -> str:
    """Note."""
    got.append(text)
    return "noted"


def note_list(text: list[int] | None) -> str:
    """Note."""
    got.append(text)
    return "noted"


@pytest.mark.parametrize("function", [note_text, note_list])
@pytest.mark.parametrize("strict", [True, False])
async def test_null_is_a_value_and_a_missing_key_is_a_mistake(
    *,
    function: Callable[..., str],
    strict: bool,
    streamed: bool,
) -> None:
    tool = function_tool(name_override="note", strict_mode=strict)(function)
    assert tool.params_json_schema["required"] == ["text"]
    assert "null" in json.dumps(tool.params_json_schema)
    model = scripted(steps_of("strict-schema-7"))
    await play(agent("A", model, tools=[tool]), streamed=streamed)
    assert got == [None]
    got.clear()
    model = ScriptedModel([[function_call("note", "{}", call_id="c1")], [assistant_message("ok")]])
    await Runner.run(agent("A", model, tools=[tool]), "go")
    assert got == []
    assert "text: required" in outputs(shown(model))["c1"]
