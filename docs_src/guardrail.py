from __future__ import annotations

from typing import Any

from handfast import (
    Agent,
    GuardrailFunctionOutput,
    InputGuardrailTripwireTriggered,
    RunContextWrapper,
    Runner,
    input_guardrail,
)
from handfast.testing import ScriptedModel


@input_guardrail(run_in_parallel=False)
def no_card_numbers(
    context: RunContextWrapper[Any],
    agent: Agent[Any],
    user_input: str | list[Any],
) -> GuardrailFunctionOutput:
    digits = sum(character.isdigit() for character in str(user_input))
    return GuardrailFunctionOutput(output_info={"digits": digits}, tripwire_triggered=digits > 12)


model = ScriptedModel()
clerk = Agent(name="Clerk", input_guardrails=[no_card_numbers], model=model)

try:
    Runner.run_sync(clerk, "My card is 4111 1111 1111 1111.")
except InputGuardrailTripwireTriggered as stop:
    print(stop, "Model calls:", len(model.calls))
