"""When tools' results are the output."""

from __future__ import annotations

from typing import Any

import pytest

from handfast.agents.context import RunContextWrapper
from handfast.agents.tool import FunctionTool
from handfast.agents.tool_use import (
    FunctionToolResult,
    ToolsToFinalOutputResult,
    is_tool_use_behavior,
    judge_tools,
)
from handfast.errors import UserError

CONTEXT: RunContextWrapper[None] = RunContextWrapper(None)


async def nothing(_context: object, _arguments: str) -> object:
    return None


def result(name: str, output: object) -> FunctionToolResult:
    return FunctionToolResult(FunctionTool(name, "", {}, nothing), output)


RESULTS = [result("a", 1), result("b", 2), result("c", 3)]
GO_ON = ToolsToFinalOutputResult(is_final_output=False)


def final(output: object) -> ToolsToFinalOutputResult:
    return ToolsToFinalOutputResult(is_final_output=True, final_output=output)


def count(_context: object, results: list[FunctionToolResult]) -> ToolsToFinalOutputResult:
    return final(len(results))


@pytest.mark.parametrize(
    ("behavior", "expected"),
    [
        ("run_llm_again", GO_ON),
        ("stop_on_first_tool", final(1)),
        ({"stop_at_tool_names": ["c", "b"]}, final(2)),
        ({"stop_at_tool_names": ["x"]}, GO_ON),
        (count, final(3)),
    ],
)
async def test_each_behaviour_decides_by_its_rule(
    behavior: Any,
    expected: ToolsToFinalOutputResult,
) -> None:
    assert await judge_tools(behavior, CONTEXT, RESULTS) == expected


async def test_a_function_may_be_async_and_is_handed_the_context() -> None:
    async def decide(
        context: RunContextWrapper[Any],
        results: list[FunctionToolResult],
    ) -> ToolsToFinalOutputResult:
        return final((context, [each.output for each in results]))

    assert await judge_tools(decide, CONTEXT, RESULTS) == final((CONTEXT, [1, 2, 3]))


async def test_without_results_there_is_nothing_to_stop_for() -> None:
    assert await judge_tools("stop_on_first_tool", CONTEXT, []) == GO_ON


async def test_a_function_that_returns_something_else_is_the_users_fault() -> None:
    def forgets(*_given: object) -> Any:
        return "done"

    with pytest.raises(UserError, match="must return ToolsToFinalOutputResult, not str"):
        await judge_tools(forgets, CONTEXT, RESULTS)


def test_only_a_behaviour_passes_for_one() -> None:
    right: tuple[object, ...] = (
        "run_llm_again",
        "stop_on_first_tool",
        {"stop_at_tool_names": []},
        print,
    )
    wrong: tuple[object, ...] = ("stop", {}, None, 5)
    assert all(is_tool_use_behavior(value) for value in right)
    assert not any(is_tool_use_behavior(value) for value in wrong)
