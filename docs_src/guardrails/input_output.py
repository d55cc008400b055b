from __future__ import annotations

import asyncio
from typing import Any

from handfast import (
    Agent,
    GuardrailFunctionOutput,
    InputGuardrailResult,
    InputGuardrailTripwireTriggered,
    OutputGuardrailResult,
    OutputGuardrailTripwireTriggered,
    RunContextWrapper,
    Runner,
    TResponseInputItem,
    input_guardrail,
    output_guardrail,
)
from handfast.testing import ScriptedModel, assistant_message


@input_guardrail
async def no_homework(
    _context: RunContextWrapper,
    _agent: Agent[Any],
    words: str | list[TResponseInputItem],
) -> GuardrailFunctionOutput:
    """Beside the model call: its answer waits for this verdict."""
    return GuardrailFunctionOutput({"looked at": words}, "homework" in str(words))


@output_guardrail
def no_prices(
    _context: RunContextWrapper,
    _agent: Agent[Any],
    output: str,
) -> GuardrailFunctionOutput:
    return GuardrailFunctionOutput(output, "EUR" in output)


def tutor() -> Agent:
    return Agent(
        name="Tutor",
        input_guardrails=[no_homework],
        output_guardrails=[no_prices],
        model=ScriptedModel([[assistant_message("A lesson costs 30 EUR.")]]),
    )


async def main() -> None:
    try:
        await Runner.run(tutor(), "Do my homework.")
    except InputGuardrailTripwireTriggered as stop:
        tripped = stop.guardrail_result
        if isinstance(tripped, InputGuardrailResult):
            print(tripped.guardrail.get_name(), tripped.output.output_info)
    try:
        await Runner.run(tutor(), "What does a lesson cost?")
    except OutputGuardrailTripwireTriggered as stop:
        refused = stop.guardrail_result
        if isinstance(refused, OutputGuardrailResult):
            print(refused.guardrail.get_name(), refused.agent_output)


if __name__ == "__main__":
    asyncio.run(main())
