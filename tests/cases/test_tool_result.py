"""Whatever a tool returns, the model gets something that it can read."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cases.case_model import (
    agent,
    called,
    chat_answer,
    chat_stream,
    outputs,
    play,
    responses_answer,
    responses_stream,
    scripted,
    shown,
    step,
    steps_of,
)
from handfast import SQLiteSession, ToolCallOutputItem, ToolOutputText, function_tool
from handfast.models.openai_chat import OpenAIChatCompletionsModel
from handfast.models.openai_responses import OpenAIResponsesModel
from provider_server import provider_server

NOTHING: list[tuple[Any, str]] = [
    ([], "[]"),
    ((), "[]"),
    ({}, "{}"),
    (set(), "[]"),
    (0, "0"),
    (0.0, "0.0"),
    (False, "false"),
    (None, "null"),
]


def giving(name: str, value: Any, *, sync: bool = True) -> Any:
    if sync:

        @function_tool(name_override=name)
        def give() -> Any:
            """Give."""
            return value

        return give

    @function_tool(name_override=name)
    async def give_later() -> Any:
        """Give."""
        return value

    return give_later


async def test_each_value_that_looks_like_nothing_reaches_its_call(*, streamed: bool) -> None:
    first, last = steps_of("tool-result-1")
    tools = [giving("empty_list", []), giving("zero", 0), giving("none", None)]
    model = scripted([first, last])
    result = await play(agent("A", model, tools=tools), streamed=streamed)
    assert outputs(shown(model)) == {"c1": "[]", "c2": "0", "c3": "null"}
    kept = [item.output for item in result.new_items if isinstance(item, ToolCallOutputItem)]
    assert kept == [[], 0, None]


@pytest.mark.parametrize(("value", "text"), NOTHING)
@pytest.mark.parametrize("sync", [True, False])
async def test_falsy_values_are_values(
    *, value: Any, text: str, sync: bool, streamed: bool
) -> None:
    model = scripted([step("A", called("c1", "give")), step("A", text="done")])
    tool = giving("give", value, sync=sync)
    await play(agent("A", model, tools=[tool]), streamed=streamed)
    assert outputs(shown(model)) == {"c1": text}


@pytest.mark.parametrize(("value", "text"), NOTHING)
@pytest.mark.parametrize("behavior", ["stop_on_first_tool", {"stop_at_tool_names": ["give"]}])
async def test_a_falsy_value_can_be_the_final_output(
    *,
    value: Any,
    text: str,  # noqa: ARG001 - the same table
    behavior: Any,
    streamed: bool,
) -> None:
    model = scripted([step("A", called("c1", "give"))])
    a = agent("A", model, tools=[giving("give", value)], tool_use_behavior=behavior)
    result = await play(a, streamed=streamed)
    assert result.final_output == value
    assert type(result.final_output) is type(value)


@pytest.mark.parametrize("protocol", ["chat", "responses"])
@pytest.mark.parametrize("value", ["", ToolOutputText(""), [ToolOutputText("")], "  ", [], None])
async def test_an_empty_output_goes_out_in_a_form_that_strict_servers_take(
    *,
    protocol: str,
    value: Any,
    streamed: bool,
) -> None:
    script = steps_of("tool-result-3")
    chat = chat_stream if streamed else chat_answer
    responses = responses_stream if streamed else responses_answer
    answer = chat if protocol == "chat" else responses
    async with provider_server(*map(answer, script)) as server:
        kind: Callable[..., Any] = (
            OpenAIChatCompletionsModel if protocol == "chat" else OpenAIResponsesModel
        )
        model = kind("m", base_url=server.url, api_key="k")
        await play(agent("A", model, tools=[giving("touch", value)]), streamed=streamed)
        await model.close()
    body: Any = server.asked[1].json()
    if protocol == "chat":
        told = [message for message in body["messages"] if message["role"] == "tool"]
        assert [message["tool_call_id"] for message in told] == ["c1"]
        assert isinstance(told[0]["content"], str)
        assert told[0]["content"]
    else:
        told = [item for item in body["input"] if item.get("type") == "function_call_output"]
        assert [item["call_id"] for item in told] == ["c1"]
        assert isinstance(told[0]["output"], str | list)
        assert told[0]["output"] != []


SIZE = 800_000


def big_text() -> str:
    """Big."""
    return "x" * SIZE


def big_parts() -> list[ToolOutputText]:
    """Big."""
    return [ToolOutputText("x" * (SIZE // 2)), ToolOutputText("y" * (SIZE // 2))]


def big_data() -> dict[str, list[str]]:
    """Big."""
    return {"lines": ["x" * 100] * (SIZE // 100)}


def big_wide() -> str:
    """Big."""
    return "規" * SIZE


@pytest.mark.parametrize("function", [big_text, big_parts, big_data, big_wide])
async def test_an_output_is_cut_before_it_is_stored_and_sent(
    *,
    function: Callable[..., Any],
    streamed: bool,
    tmp_path: Path,
) -> None:
    def sh(cmd: str) -> Any:  # noqa: ARG001 - the model's
        """Run."""
        return function()

    model = scripted(steps_of("tool-result-5"))
    session = SQLiteSession("s", tmp_path / "db")
    a = agent("A", model, tools=[function_tool(sh)])
    await play(a, streamed=streamed, session=session)
    sent = json.dumps(outputs(shown(model))["c1"], ensure_ascii=False)
    assert len(sent) < 103_000
    assert "characters cut]" in sent
    stored = json.dumps(await session.get_items(), ensure_ascii=False)
    assert len(stored) < 106_000
    model.enqueue([])
    model = scripted([step("A", text="and on")])
    result = await play(agent("A", model), streamed=streamed, session=session)
    assert result.final_output == "and on"
    assert len(json.dumps(shown(model), ensure_ascii=False)) < 106_000
    session.close()


async def test_a_tool_can_have_a_bound_of_its_own(*, streamed: bool) -> None:
    def sh(cmd: str) -> str:  # noqa: ARG001 - the model's
        """Run."""
        return "x" * 1_000

    model = scripted(steps_of("tool-result-5"))
    tool = function_tool(max_output_chars=10)(sh)
    await play(agent("A", model, tools=[tool]), streamed=streamed)
    assert outputs(shown(model))["c1"] == f"{'x' * 10}\n[990 of 1,000 characters cut]"


async def test_what_an_error_says_is_cut_too(*, streamed: bool) -> None:
    def tell(_context: object, error: Exception) -> str:
        return str(error)

    def sh(cmd: str) -> str:  # noqa: ARG001 - the model's
        """Run."""
        raise ValueError("x" * SIZE)

    model = scripted(steps_of("tool-result-5"))
    tool = function_tool(failure_error_function=tell)(sh)
    await play(agent("A", model, tools=[tool]), streamed=streamed)
    assert len(outputs(shown(model))["c1"]) < 101_000


async def test_the_output_of_an_agent_used_as_a_tool_is_cut_too(*, streamed: bool) -> None:
    script = [
        step("A", called("c1", "b", input="x")),
        step("B", text="x" * SIZE),
        step("A", text="done"),
    ]
    model = scripted(script)
    a = agent("A", model, tools=[agent("B", model).as_tool(None, "asks B")])
    await play(a, streamed=streamed)
    assert len(outputs(shown(model))["c1"]) < 101_000
