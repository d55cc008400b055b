"""When an agent's tools have answered: whether that is the output, or the model is asked again."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from typing_extensions import TypedDict

from handfast.agents.context import RunContextWrapper
from handfast.agents.items import RunItem
from handfast.agents.tool import Tool
from handfast.errors import UserError


@dataclass(eq=False)
class FunctionToolResult:
    """A tool that ran in this turn, and what it returned."""

    tool: Tool
    output: Any
    """What the tool returned, before it was made into text."""
    run_item: RunItem | None = None
    """The answer as an item of the run."""


@dataclass
class ToolsToFinalOutputResult:
    """Whether the results of a turn's tools are the output."""

    is_final_output: bool
    final_output: Any | None = None
    """The output; read only when it is final."""


class StopAtTools(TypedDict):
    """Stop at the first of these tools that was called; its result is the output."""

    stop_at_tool_names: list[str]


ToolsToFinalOutputFunction: TypeAlias = Callable[
    [RunContextWrapper, list[FunctionToolResult]],
    ToolsToFinalOutputResult | Awaitable[ToolsToFinalOutputResult],
]
"""`(context, results)`, sync or async."""

ToolUseBehavior: TypeAlias = (
    Literal["run_llm_again", "stop_on_first_tool"] | StopAtTools | ToolsToFinalOutputFunction
)
"""What happens after an agent's function tools have answered."""

_GO_ON = ToolsToFinalOutputResult(is_final_output=False)


async def judge_tools(
    behavior: ToolUseBehavior,
    context: RunContextWrapper,
    results: Sequence[FunctionToolResult],
) -> ToolsToFinalOutputResult:
    """What an agent's behaviour says about its tools' results.

    Args:
        behavior: `Agent.tool_use_behavior`.
        context: The run's context.
        results: In call order.

    Raises:
        UserError: A function returned something else than a `ToolsToFinalOutputResult`.
    """
    if not results or behavior == "run_llm_again":
        return _GO_ON
    if behavior == "stop_on_first_tool":
        return ToolsToFinalOutputResult(is_final_output=True, final_output=results[0].output)
    if not callable(behavior):
        stops = frozenset(behavior["stop_at_tool_names"])
        stopped = next((each for each in results if each.tool.name in stops), None)
        if stopped is None:
            return _GO_ON
        return ToolsToFinalOutputResult(is_final_output=True, final_output=stopped.output)
    said = behavior(context, list(results))
    return _checked(await said if inspect.isawaitable(said) else said)


def _checked(said: object) -> ToolsToFinalOutputResult:
    if not isinstance(said, ToolsToFinalOutputResult):
        raise UserError(
            "The tool_use_behavior callable must return ToolsToFinalOutputResult, "
            f"not {type(said).__name__}.",
        )
    return said


def is_tool_use_behavior(value: object) -> bool:
    """True for anything that `Agent.tool_use_behavior` may be."""
    if isinstance(value, str):
        return value in {"run_llm_again", "stop_on_first_tool"}
    return callable(value) or (isinstance(value, dict) and "stop_at_tool_names" in value)
