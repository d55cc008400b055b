from __future__ import annotations

from typing import Any

import pytest

from handfast.agents.context import ToolContext
from handfast.agents.tool_guardrail import (
    ToolGuardrailFunctionOutput,
    ToolInputGuardrail,
    ToolInputGuardrailData,
    ToolInputGuardrailResult,
    ToolOutputGuardrail,
    ToolOutputGuardrailData,
    ToolOutputGuardrailResult,
    tool_input_guardrail,
    tool_output_guardrail,
)
from handfast.errors import UserError

CONTEXT = ToolContext(None, tool_name="t", tool_call_id="c1", tool_arguments='{"a": "secret"}')
INPUT = ToolInputGuardrailData(CONTEXT, "agent")
OUTPUT = ToolOutputGuardrailData(CONTEXT, "agent", "secret")


@tool_input_guardrail
def no_secrets(data: ToolInputGuardrailData) -> ToolGuardrailFunctionOutput:
    if "secret" in data.context.tool_arguments:
        return ToolGuardrailFunctionOutput.reject_content("No secrets.", {"found": 1})
    return ToolGuardrailFunctionOutput.allow()


@tool_output_guardrail(name="leak check")
async def no_leaks(data: ToolOutputGuardrailData) -> ToolGuardrailFunctionOutput:
    if data.output == "secret":
        return ToolGuardrailFunctionOutput.raise_exception("leak")
    return ToolGuardrailFunctionOutput.allow()


def test_the_three_answers() -> None:
    assert ToolGuardrailFunctionOutput().behavior == {"type": "allow"}
    allowed = ToolGuardrailFunctionOutput.allow("info")
    assert (allowed.behavior, allowed.output_info) == ({"type": "allow"}, "info")
    rejected = ToolGuardrailFunctionOutput.reject_content("no", "info")
    assert rejected.behavior == {"type": "reject_content", "message": "no"}
    assert ToolGuardrailFunctionOutput.raise_exception().behavior == {"type": "raise_exception"}


async def test_a_decorated_function_is_a_guardrail() -> None:
    assert isinstance(no_secrets, ToolInputGuardrail)
    assert no_secrets.get_name() == "no_secrets"
    found = await no_secrets.run(INPUT)
    assert found.behavior == {"type": "reject_content", "message": "No secrets."}
    assert found.output_info == {"found": 1}


async def test_a_guardrail_may_be_async_and_have_a_name() -> None:
    assert isinstance(no_leaks, ToolOutputGuardrail)
    assert no_leaks.get_name() == "leak check"
    assert (await no_leaks.run(OUTPUT)).behavior == {"type": "raise_exception"}
    harmless = ToolOutputGuardrailData(CONTEXT, "agent", "fine")
    assert (await no_leaks.run(harmless)).behavior == {"type": "allow"}


def test_both_decorators_work_with_and_without_parentheses() -> None:
    def allow(data: ToolInputGuardrailData) -> ToolGuardrailFunctionOutput:
        return ToolGuardrailFunctionOutput.allow(data)

    assert tool_input_guardrail(name="x")(allow).get_name() == "x"
    assert tool_input_guardrail()(allow).get_name() == "allow"
    assert tool_output_guardrail(allow).get_name() == "allow"


async def test_the_type_of_the_context_may_be_named() -> None:
    def allow(data: ToolInputGuardrailData) -> ToolGuardrailFunctionOutput:
        return ToolGuardrailFunctionOutput.allow(data)

    assert await ToolInputGuardrail[str](allow).run(INPUT) == ToolGuardrailFunctionOutput(INPUT)
    assert ToolOutputGuardrail[str](allow).get_name() == "allow"


async def test_a_callable_object_can_be_a_guardrail() -> None:
    class Check:
        def __call__(self, data: ToolInputGuardrailData) -> ToolGuardrailFunctionOutput:
            return ToolGuardrailFunctionOutput.allow(data.agent)

    guardrail = ToolInputGuardrail(Check())
    assert guardrail.get_name() == "Check"
    assert (await guardrail.run(INPUT)).output_info == "agent"


@pytest.mark.parametrize("said", [None, True, "allow"])
async def test_any_other_answer_is_the_users_mistake(said: Any) -> None:
    guardrail = ToolInputGuardrail(lambda _: said, "odd")
    with pytest.raises(UserError, match="Tool guardrail odd returned"):
        await guardrail.run(INPUT)


async def test_what_cannot_be_called_is_the_users_mistake() -> None:
    broken: Any = "no function"
    with pytest.raises(UserError, match="must be callable"):
        await ToolOutputGuardrail(broken).run(OUTPUT)


async def test_results_pair_a_guardrail_with_what_it_found() -> None:
    found = await no_secrets.run(INPUT)
    assert ToolInputGuardrailResult(no_secrets, found).output is found
    leak = await no_leaks.run(OUTPUT)
    assert ToolOutputGuardrailResult(no_leaks, leak).guardrail is no_leaks
