"""The body of a request to the Responses API."""

from __future__ import annotations

import pytest

from handfast.agents.agent import Agent
from handfast.agents.handoff import handoff
from handfast.agents.model import ModelRequest
from handfast.agents.model_settings import ModelSettings
from handfast.agents.output import AgentOutputSchema
from handfast.agents.tool import FunctionTool
from handfast.errors import UserError
from handfast.models.json_text import object_in, objects_in
from handfast.models.origin import Origin
from handfast.models.responses_request import responses_request

HERE = Origin("api.openai.com", "gpt-5")
PARAMETERS: dict[str, object] = {"type": "object", "properties": {}, "additionalProperties": False}


async def nothing(*_: object) -> str:
    return ""


LOOSE = FunctionTool("loose", "Does.", dict(PARAMETERS), nothing, strict_json_schema=False)


def body(
    settings: ModelSettings | None = None,
    *,
    tools: tuple[FunctionTool, ...] = (),
    output: type | None = None,
    stream: bool = False,
) -> dict[str, object]:
    schema = AgentOutputSchema(output) if output else None
    request = ModelRequest(None, "hi", settings or ModelSettings(), tools, schema)
    return responses_request(request, HERE, stream=stream)


def test_a_plain_request_says_no_more_than_it_must() -> None:
    assert body() == {"model": "gpt-5", "input": [{"role": "user", "content": "hi"}]}
    assert body(stream=True)["stream"] is True


def test_instructions_and_stored_state_go_out() -> None:
    request = ModelRequest("Be brief.", "hi", previous_response_id="r", prompt={"id": "p"})
    told = responses_request(request, HERE, stream=False)
    assert told["instructions"] == "Be brief."
    assert told["previous_response_id"] == "r"
    assert told["prompt"] == {"id": "p"}
    request = ModelRequest(None, "hi", conversation_id="c")
    assert responses_request(request, HERE, stream=False)["conversation"] == "c"


def test_two_ways_of_going_on_are_refused() -> None:
    request = ModelRequest(None, "hi", previous_response_id="r", conversation_id="c")
    with pytest.raises(UserError, match="not both"):
        responses_request(request, HERE, stream=False)


def test_a_tool_says_that_it_is_not_strict() -> None:
    request = ModelRequest(None, "hi", tools=[LOOSE], handoffs=[handoff(Agent(name="B"))])
    tools = objects_in(responses_request(request, HERE, stream=False), "tools")
    assert tools[0] == {
        "type": "function",
        "name": "loose",
        "description": "Does.",
        "parameters": PARAMETERS,
        "strict": False,
    }
    assert (tools[1]["name"], tools[1]["strict"]) == ("transfer_to_b", True)


def test_a_choice_names_its_tool() -> None:
    told = body(ModelSettings(tool_choice="loose", parallel_tool_calls=True), tools=(LOOSE,))
    assert told["tool_choice"] == {"type": "function", "name": "loose"}
    assert told["parallel_tool_calls"] is True
    assert body(ModelSettings(tool_choice="auto"), tools=(LOOSE,))["tool_choice"] == "auto"
    assert "tool_choice" not in body(ModelSettings(tool_choice="required"))
    with pytest.raises(UserError, match="tool_choice"):
        body(ModelSettings(tool_choice="x"), tools=(LOOSE,))


def test_settings_go_out_under_the_names_of_the_api() -> None:
    settings = ModelSettings(
        temperature=0.5,
        max_tokens=9,
        truncation="auto",
        store=False,
        reasoning={"effort": "low", "summary": "auto"},
        response_include=("reasoning.encrypted_content",),
        top_logprobs=1,
        extra_args={"service_tier": "flex"},
        extra_body={"x": 1},
    )
    told = body(settings)
    assert {k: v for k, v in told.items() if k not in {"model", "input"}} == {
        "temperature": 0.5,
        "max_output_tokens": 9,
        "truncation": "auto",
        "store": False,
        "top_logprobs": 1,
        "reasoning": {"effort": "low", "summary": "auto"},
        "include": ["reasoning.encrypted_content", "message.output_text.logprobs"],
        "service_tier": "flex",
        "x": 1,
    }


def test_a_typed_output_and_verbosity_share_a_place() -> None:
    text = object_in(body(ModelSettings(verbosity="low"), output=list[int]), "text")
    assert text["verbosity"] == "low"
    form = object_in(text, "format")
    assert (form["type"], form["name"], form["strict"]) == ("json_schema", "final_output", True)
    assert "text" not in body(output=str)
