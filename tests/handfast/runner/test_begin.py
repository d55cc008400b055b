from __future__ import annotations

from typing import Any

from handfast import (
    Agent,
    GuardrailFunctionOutput,
    InputGuardrail,
    RunConfig,
    RunContextWrapper,
)
from handfast.core.effects import CallModel, CheckInput
from handfast.runner.begin import first_step
from handfast.runner.drive import drive
from handfast.runner.run import Run


def passes(context: Any, agent: Any, given: Any) -> GuardrailFunctionOutput:
    del context, agent, given
    return GuardrailFunctionOutput(None, tripwire_triggered=False)


def begun(*guards: InputGuardrail[Any]) -> list[type]:
    agent = Agent(name="a", input_guardrails=list(guards))
    run = Run(agent, RunContextWrapper(None), RunConfig(max_calls=7), drive)
    state, effects = first_step(run, (), 3)
    assert state.limits.max_turns == 3
    assert state.limits.max_calls == 7
    return [type(effect) for effect in effects]


def test_a_run_without_checks_begins_with_the_model() -> None:
    assert begun() == [CallModel]


def test_checks_that_block_come_first_and_others_beside() -> None:
    blocking = InputGuardrail(passes, run_in_parallel=False)
    assert begun(blocking) == [CheckInput]
    assert begun(InputGuardrail(passes)) == [CheckInput, CallModel]
    assert begun(blocking, InputGuardrail(passes)) == [CheckInput]
