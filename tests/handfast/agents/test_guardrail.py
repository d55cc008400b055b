"""Guardrails."""

from __future__ import annotations

from typing import Any

import pytest

from handfast.agents.agent import Agent
from handfast.agents.context import RunContextWrapper
from handfast.agents.guardrail import (
    GuardrailFunctionOutput,
    InputGuardrail,
    OutputGuardrail,
    input_guardrail,
    output_guardrail,
)
from handfast.errors import UserError

AGENT = Agent(name="A")
CONTEXT: RunContextWrapper[None] = RunContextWrapper(None)


def trips_on_no(_context: object, _agent: object, text: object) -> GuardrailFunctionOutput:
    return GuardrailFunctionOutput(text, text == "no")


async def later(context: object, agent: object, text: object) -> GuardrailFunctionOutput:
    return trips_on_no(context, agent, text)


@pytest.mark.parametrize("function", [trips_on_no, later])
async def test_an_input_check_runs_sync_or_async(function: Any) -> None:
    guardrail: InputGuardrail[None] = InputGuardrail(guardrail_function=function)
    result = await guardrail.run(AGENT, "no", CONTEXT)
    assert result.guardrail is guardrail
    assert result.output == GuardrailFunctionOutput("no", tripwire_triggered=True)
    assert (await guardrail.run(AGENT, "yes", CONTEXT)).output.tripwire_triggered is False


@pytest.mark.parametrize("function", [trips_on_no, later])
async def test_an_output_check_runs_sync_or_async(function: Any) -> None:
    guardrail: OutputGuardrail[None] = OutputGuardrail(guardrail_function=function)
    result = await guardrail.run(CONTEXT, AGENT, "no")
    assert (result.agent_output, result.agent) == ("no", AGENT)
    assert result.output.tripwire_triggered is True


async def test_a_check_is_handed_context_agent_and_text() -> None:
    seen: list[object] = []

    def watch(*given: object) -> GuardrailFunctionOutput:
        seen.extend(given)
        return GuardrailFunctionOutput(None, tripwire_triggered=False)

    await InputGuardrail[None](watch).run(AGENT, "in", CONTEXT)
    await OutputGuardrail[None](watch).run(CONTEXT, AGENT, "out")
    assert seen == [CONTEXT, AGENT, "in", CONTEXT, AGENT, "out"]


def test_decorators_work_with_and_without_parentheses() -> None:
    @input_guardrail
    def plain(_c: RunContextWrapper[None], _a: Agent, _i: object) -> GuardrailFunctionOutput:
        return GuardrailFunctionOutput(None, tripwire_triggered=False)

    @input_guardrail(name="named", run_in_parallel=False)
    def other(_c: RunContextWrapper[None], _a: Agent, _i: object) -> GuardrailFunctionOutput:
        return GuardrailFunctionOutput(None, tripwire_triggered=False)

    @input_guardrail()
    def empty(_c: RunContextWrapper[None], _a: Agent, _i: object) -> GuardrailFunctionOutput:
        return GuardrailFunctionOutput(None, tripwire_triggered=False)

    assert [each.get_name() for each in (plain, other, empty)] == ["plain", "named", "empty"]
    assert [each.run_in_parallel for each in (plain, other, empty)] == [True, False, True]


def test_output_decorators_work_with_and_without_parentheses() -> None:
    @output_guardrail
    def plain(_c: RunContextWrapper[None], _a: Agent, _o: str) -> GuardrailFunctionOutput:
        return GuardrailFunctionOutput(None, tripwire_triggered=False)

    @output_guardrail(name="named")
    async def other(_c: RunContextWrapper[None], _a: Agent, _o: str) -> GuardrailFunctionOutput:
        return GuardrailFunctionOutput(None, tripwire_triggered=False)

    assert (plain.get_name(), other.get_name()) == ("plain", "named")


def test_an_object_that_is_called_lends_its_class_name() -> None:
    class Strict:
        def __call__(self, *_given: object) -> GuardrailFunctionOutput:
            return GuardrailFunctionOutput(None, tripwire_triggered=True)

    assert InputGuardrail[None](Strict()).get_name() == "Strict"


@pytest.mark.parametrize("make", [InputGuardrail, OutputGuardrail])
def test_what_cannot_be_called_is_refused(make: Any) -> None:
    with pytest.raises(UserError, match="guardrail_function must be callable"):
        make("not a function")


async def test_a_check_that_says_something_else_is_the_users_fault() -> None:
    def wrong(*_given: object) -> Any:
        return True

    with pytest.raises(UserError, match="must return a GuardrailFunctionOutput, not bool"):
        await InputGuardrail[None](wrong, name="odd").run(AGENT, "x", CONTEXT)
    with pytest.raises(UserError, match="'odd'"):
        await OutputGuardrail[None](wrong, name="odd").run(CONTEXT, AGENT, "x")
