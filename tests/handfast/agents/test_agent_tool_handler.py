"""Agent tools that a program invokes by hand."""

from __future__ import annotations

import copy
import dataclasses
from typing import Any, cast

import pytest

from handfast import Agent, FunctionTool, RunContextWrapper, Runner, ToolContext
from handfast.errors import ModelBehaviorError
from handfast.testing.messages import assistant_message, function_call
from handfast.testing.scripted_model import ScriptedModel

ASK = '{"input": "q"}'


def context() -> ToolContext[Any]:
    return ToolContext("ctx", tool_name="ask", tool_call_id="c1", tool_arguments=ASK)


def helper(*steps: Any) -> Agent[Any]:
    return Agent(name="helper", model=ScriptedModel(list(steps)))


def told(context: RunContextWrapper[Any], error: Exception) -> str:
    return f"{type(context).__name__} {type(error).__name__}"


async def test_a_failure_becomes_what_the_tools_failure_function_makes_of_it() -> None:
    tool = helper(RuntimeError("down")).as_tool("ask", "Ask.", failure_error_function=told)
    assert await tool.on_invoke_tool(context(), ASK) == "ToolContext RuntimeError"
    ctx = cast("ToolContext[Any]", RunContextWrapper("ctx"))
    assert await tool.on_invoke_tool(ctx, "{}") == "ToolContext ModelBehaviorError"


async def test_without_a_failure_function_it_is_raised_and_names_the_tool_as_it_is() -> None:
    tool = helper().as_tool("ask", "Ask.", failure_error_function=None)
    renamed = dataclasses.replace(tool, name="enquire")
    with pytest.raises(ModelBehaviorError, match="Invalid JSON input for tool enquire: input"):
        await renamed.on_invoke_tool(context(), "{}")
    with pytest.raises(ModelBehaviorError, match="for tool ask:"):
        await copy.deepcopy(tool).on_invoke_tool(context(), "{}")


async def test_any_context_will_do() -> None:
    tool = helper([assistant_message("a")]).as_tool("ask", "Ask.", failure_error_function=None)
    assert await tool.on_invoke_tool(cast("ToolContext[Any]", None), ASK) == "a"


async def test_a_handler_in_its_place_is_what_runs() -> None:
    tool = helper([assistant_message("inner")]).as_tool("ask", "Ask.")
    inner = tool.on_invoke_tool

    async def shouting(ctx: ToolContext[Any], arguments: str) -> str:
        return str(await inner(ctx, arguments)).upper()

    tool.on_invoke_tool = shouting
    model = ScriptedModel([[function_call("ask", {"input": "q"})], [assistant_message("done")]])
    result = await Runner.run(Agent(name="caller", model=model, tools=[tool]), "go")
    assert isinstance(tool, FunctionTool)
    assert "INNER" in str(result.to_input_list())
    assert result.context_wrapper.usage.requests == 3


def test_it_wraps_no_function() -> None:
    assert not hasattr(helper().as_tool("ask", "Ask."), "__wrapped__")
