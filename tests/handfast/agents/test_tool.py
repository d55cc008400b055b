from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

from handfast.agents.context import RunContextWrapper, ToolContext
from handfast.agents.strict_schema import JsonSchema
from handfast.agents.tool import (
    FunctionTool,
    is_enabled,
    needs_approval,
    run_tool_error_function,
)
from handfast.errors import UserError

SCHEMA: JsonSchema = {"type": "object", "properties": {"a": {"type": "string"}}}
FIXED_TEXT = "An error occurred while running the tool. Please try again."


def context(arguments: str = "{}") -> ToolContext[None]:
    return ToolContext(None, tool_name="t", tool_call_id="c1", tool_arguments=arguments)


async def echo(ctx: ToolContext[None], text: str) -> object:
    return f"{ctx.tool_call_id} {text}"


def raising(error: BaseException) -> Callable[..., Any]:
    async def handler(ctx: ToolContext[None], text: str) -> object:
        del ctx, text
        raise error

    return handler


def tool(handler: Callable[..., Any] = echo, **options: Any) -> FunctionTool:
    return FunctionTool("t", "does it", SCHEMA, handler, **options)


def test_a_tool_written_by_hand_gets_a_strict_schema_of_its_own() -> None:
    made = tool()
    assert made.params_json_schema == {
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "additionalProperties": False,
        "required": ["a"],
    }
    assert SCHEMA == {"type": "object", "properties": {"a": {"type": "string"}}}


def test_a_schema_with_free_keys_is_refused_unless_strict_is_off() -> None:
    free: JsonSchema = {"type": "object", "additionalProperties": True}
    with pytest.raises(UserError, match="strict_json_schema=False"):
        FunctionTool("t", "", free, echo)
    assert FunctionTool("t", "", free, echo, strict_json_schema=False).params_json_schema is free


def test_defaults_are_the_sdks_and_finite() -> None:
    made = tool()
    assert made.is_enabled is True
    assert made.needs_approval is False
    assert made.timeout_seconds is None
    assert made.timeout_behavior == "error_as_result"
    assert made.tool_input_guardrails is None
    assert made.max_output_chars == 100_000
    assert made.idempotent is False
    assert made.failure_error_function is run_tool_error_function


def test_a_tool_can_be_copied_with_changes() -> None:
    made = dataclasses.replace(tool(), name="other", idempotent=True)
    assert (made.name, made.idempotent, made.on_invoke_tool) == ("other", True, echo)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"timeout_seconds": 0}, ValueError),
        ({"timeout_seconds": -1.5}, ValueError),
        ({"timeout_seconds": float("inf")}, ValueError),
        ({"timeout_seconds": float("nan")}, ValueError),
        ({"timeout_seconds": True}, TypeError),
        ({"timeout_seconds": "1"}, TypeError),
        ({"timeout_behavior": "explode"}, ValueError),
        ({"max_output_chars": 0}, ValueError),
    ],
)
def test_settings_that_cannot_be_are_refused(
    options: dict[str, Any],
    error: type[Exception],
) -> None:
    with pytest.raises(error):
        tool(**options)


async def test_a_tool_is_enabled_by_a_bool_or_a_function() -> None:
    agent = object()

    async def later(ctx: RunContextWrapper[str], given: object) -> bool:
        return ctx.context == "yes" and given is agent

    def now(ctx: RunContextWrapper[str], given: object) -> bool:
        return ctx.context == "yes" and given is agent

    run = RunContextWrapper("yes")
    assert await is_enabled(tool(), run, agent)
    assert not await is_enabled(tool(is_enabled=False), run, agent)
    assert await is_enabled(tool(is_enabled=now), run, agent)
    assert await is_enabled(tool(is_enabled=later), run, agent)
    assert not await is_enabled(tool(is_enabled=later), RunContextWrapper("no"), agent)


def always(ctx: RunContextWrapper[None], arguments: dict[str, Any], call_id: str) -> bool:
    return call_id == "c1" and not arguments and ctx.tool_input is None


def never(ctx: RunContextWrapper[None], arguments: dict[str, Any], call_id: str) -> bool:
    return not always(ctx, {}, call_id) and bool(arguments)


async def test_approval_is_asked_for_by_a_bool_or_a_function() -> None:
    async def large(ctx: RunContextWrapper[None], arguments: dict[str, Any], call_id: str) -> bool:
        del ctx
        return call_id == "c1" and arguments.get("amount", 0) > 10

    run = RunContextWrapper(None)
    careful = tool(needs_approval=large)
    assert not await needs_approval(tool(), run, "{}", "c1")
    assert await needs_approval(tool(needs_approval=True), run, "{}", "c1")
    assert await needs_approval(careful, run, '{"amount": 11}', "c1")
    assert not await needs_approval(careful, run, '{"amount": 11}', "c2")
    assert await needs_approval(careful, run, "", "c1")
    assert await needs_approval(tool(needs_approval=always), run, "{}", "c1")


@pytest.mark.parametrize("arguments", ['{"amount": ', "[1]", "null", "[" * 100_000])
async def test_arguments_that_cannot_be_judged_need_approval(arguments: str) -> None:
    careful = tool(needs_approval=never)
    assert await needs_approval(careful, RunContextWrapper(None), arguments, "c1")
