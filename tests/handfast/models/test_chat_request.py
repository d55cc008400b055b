"""The body of a chat completions request."""

from __future__ import annotations

import pytest
from openai.types.shared import Reasoning

from handfast.agents.agent import Agent
from handfast.agents.handoff import handoff
from handfast.agents.model import ModelRequest
from handfast.agents.model_settings import ModelSettings
from handfast.agents.output import AgentOutputSchema
from handfast.agents.tool import FunctionTool
from handfast.errors import UserError
from handfast.models.chat_dialect import LOCAL, OPENAI, ChatDialect
from handfast.models.chat_request import chat_request
from handfast.models.json_text import object_in, objects_in, text_in
from handfast.models.origin import Origin

HERE = Origin("example.com", "m")
COMMON = ChatDialect()
PARAMETERS: dict[str, object] = {
    "type": "object",
    "properties": {"a": {"type": "integer"}},
    "required": ["a"],
    "additionalProperties": False,
}


async def nothing(*_: object) -> str:
    return ""


ADD = FunctionTool("add", "Adds.", dict(PARAMETERS), nothing)
LOOSE = FunctionTool("loose", "", dict(PARAMETERS), nothing, strict_json_schema=False)


def body(
    settings: ModelSettings | None = None,
    dialect: ChatDialect = COMMON,
    *,
    tools: tuple[FunctionTool, ...] = (),
    output: type | None = None,
    stream: bool = False,
) -> dict[str, object]:
    request = ModelRequest(
        "Be brief.",
        "hi",
        settings or ModelSettings(),
        tools,
        AgentOutputSchema(output) if output else None,
    )
    return chat_request(request, HERE, dialect, stream=stream)


def test_a_plain_request_says_no_more_than_it_must() -> None:
    assert body() == {
        "model": "m",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "hi"},
        ],
    }


def test_tools_and_handoffs_are_functions() -> None:
    request = ModelRequest(
        None,
        "hi",
        tools=[ADD, LOOSE],
        handoffs=[handoff(Agent(name="Billing"))],
    )
    tools = objects_in(chat_request(request, HERE, COMMON, stream=False), "tools")
    assert tools[0] == {
        "type": "function",
        "function": {
            "name": "add",
            "description": "Adds.",
            "parameters": PARAMETERS,
            "strict": True,
        },
    }
    functions = [object_in(tool, "function") for tool in tools]
    names = [function["name"] for function in functions]
    assert names == ["add", "loose", "transfer_to_billing"]
    assert "strict" not in functions[1]


def test_strict_is_left_out_where_the_server_does_not_know_it() -> None:
    tools = body(tools=(ADD,), dialect=ChatDialect(strict_tools=False))
    assert "strict" not in object_in(objects_in(tools, "tools")[0], "function")


def test_a_choice_by_name_is_a_function() -> None:
    told = body(ModelSettings(tool_choice="add", parallel_tool_calls=False), tools=(ADD,))
    assert told["tool_choice"] == {"type": "function", "function": {"name": "add"}}
    assert told["parallel_tool_calls"] is False


def test_a_choice_by_mode_stays_a_word() -> None:
    assert body(ModelSettings(tool_choice="required"), tools=(ADD,))["tool_choice"] == "required"


def test_a_choice_of_an_unknown_tool_is_refused() -> None:
    with pytest.raises(UserError, match=r"'ad'.*add"):
        body(ModelSettings(tool_choice="ad"), tools=(ADD,))


def test_without_tools_nothing_is_said_about_tools() -> None:
    told = body(ModelSettings(tool_choice="required", parallel_tool_calls=True))
    assert not {"tools", "tool_choice", "parallel_tool_calls"} & set(told)


def test_settings_go_out_under_the_names_of_the_protocol() -> None:
    settings = ModelSettings(
        temperature=0.0,
        top_p=0.5,
        max_tokens=7,
        top_logprobs=2,
        reasoning={"effort": "low", "summary": "auto"},
        verbosity="low",
        truncation="auto",
        extra_args={"n": 1, "seed": 1, "stop": ["END"]},
        extra_body={"top_k": 5},
    )
    told = body(settings)
    assert {k: v for k, v in told.items() if k not in {"model", "messages"}} == {
        "temperature": 0.0,
        "top_p": 0.5,
        "max_tokens": 7,
        "seed": 1,
        "stop": ["END"],
        "top_logprobs": 2,
        "logprobs": True,
        "reasoning_effort": "low",
        "verbosity": "low",
        "n": 1,
        "top_k": 5,
    }


def test_the_limit_on_output_has_the_server_s_name() -> None:
    told = body(ModelSettings(max_tokens=7), OPENAI)
    assert told["max_completion_tokens"] == 7
    assert "max_tokens" not in told


def test_local_servers_get_a_limit_always() -> None:
    assert body(dialect=LOCAL)["max_tokens"] == 4096
    assert body(ModelSettings(max_tokens=9), LOCAL)["max_tokens"] == 9


def test_reasoning_goes_out_whole_where_the_server_takes_it() -> None:
    settings = ModelSettings(reasoning={"max_tokens": 100})
    assert body(settings, ChatDialect(reasoning_object=True))["reasoning"] == {"max_tokens": 100}
    assert "reasoning" not in body(settings)


def test_the_openai_package_s_own_object_says_it_too() -> None:
    reasoning = Reasoning(effort="high")
    settings = ModelSettings(reasoning=reasoning)
    assert body(settings)["reasoning_effort"] == "high"
    assert body(settings, ChatDialect(reasoning_object=True))["reasoning"] == {"effort": "high"}


def test_a_stream_asks_for_its_usage() -> None:
    told = body(stream=True)
    assert (told["stream"], told["stream_options"]) == (True, {"include_usage": True})
    assert "stream_options" not in body(ModelSettings(include_usage=False), stream=True)
    assert "stream_options" not in body(dialect=ChatDialect(usage_in_stream=False), stream=True)


def test_a_typed_output_is_a_schema() -> None:
    form = object_in(body(output=list[int]), "response_format")
    assert form["type"] == "json_schema"
    schema = object_in(form, "json_schema")
    assert (schema["name"], schema["strict"]) == ("final_output", True)


def test_a_server_without_schemas_is_told_in_words() -> None:
    told = body(output=list[int], dialect=ChatDialect(structured_output="json_object"))
    assert told["response_format"] == {"type": "json_object"}
    told = body(output=list[int], dialect=ChatDialect(structured_output="prompt"))
    assert "response_format" not in told
    instructions = text_in(objects_in(told, "messages")[0], "content")
    assert instructions.startswith("Be brief.")
    assert "JSON schema" in instructions


def test_plain_text_needs_no_format() -> None:
    assert "response_format" not in body(output=str)


@pytest.mark.parametrize("name", ["previous_response_id", "conversation_id", "prompt"])
def test_what_a_provider_would_have_to_remember_is_refused(name: str) -> None:
    request = ModelRequest(None, "hi", **{name: "x"})  # type: ignore[arg-type]  # any of three
    with pytest.raises(UserError, match=name):
        chat_request(request, HERE, COMMON, stream=False)
