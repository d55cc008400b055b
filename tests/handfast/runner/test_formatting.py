from __future__ import annotations

from typing import Any

import pytest

from handfast import (
    Agent,
    RunConfig,
    Runner,
    UserError,
    function_tool,
)
from handfast.agents.items import ToolCallOutputItem
from handfast.runner.formatting import OutputGuardrailBlockedMessageArgs, ToolErrorFormatterArgs
from handfast.testing.messages import assistant_message, function_call
from handfast.testing.scripted_model import ScriptedModel


async def outputs(agent: Agent[Any], config: RunConfig) -> list[object]:
    result = await Runner.run(agent, "go", run_config=config)
    return [item.output for item in result.new_items if isinstance(item, ToolCallOutputItem)]


def words(given: ToolErrorFormatterArgs[Any]) -> str:
    return f"{given.kind} of {given.tool_name}: {given.default_message}"


async def unknown_words(given: ToolErrorFormatterArgs[Any]) -> str | None:
    return None if given.kind == "tool_exception" else "?"


def caller(name: str) -> Agent[Any]:
    @function_tool
    def burn() -> str:
        raise ValueError("fire")

    model = ScriptedModel([[function_call(name, {}, call_id="c1")], [assistant_message("done")]])
    return Agent(name="a", model=model, tools=[burn])


async def test_a_run_words_what_its_model_is_told_of_failures() -> None:
    (plain,) = await outputs(caller("burn"), RunConfig())
    (worded,) = await outputs(caller("burn"), RunConfig(tool_error_formatter=words))
    assert worded == f"tool_exception of burn: {plain}"
    (missing,) = await outputs(caller("bury"), RunConfig(tool_error_formatter=words))
    assert str(missing).startswith("tool_not_found of bury: ")


async def test_no_word_from_the_formatter_keeps_the_fixed_one() -> None:
    (plain,) = await outputs(caller("burn"), RunConfig())
    config = RunConfig(tool_error_formatter=unknown_words)
    assert await outputs(caller("burn"), config) == [plain]
    assert await outputs(caller("bury"), config) == ["?"]


def test_there_are_no_words_for_a_rejected_output() -> None:
    with pytest.raises(UserError, match="nothing stands in"):
        OutputGuardrailBlockedMessageArgs("withheld", guardrail_name="g")
