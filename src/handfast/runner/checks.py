"""Guardrails of the input and of the output, and the reading of a candidate output."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from functools import partial
from typing import Any, Final, TypeVar

from handfast.agents.agent import AnyAgent
from handfast.agents.guardrail import (
    InputGuardrail,
    InputGuardrailResult,
    OutputGuardrail,
    OutputGuardrailResult,
)
from handfast.agents.input_items import items_to_wire, user_message
from handfast.agents.output import output_schema_of
from handfast.agents.together import end_tasks
from handfast.agents.tool import FunctionTool
from handfast.agents.tool_use import FunctionToolResult, judge_tools
from handfast.core.effects import CheckInput, CheckOutput, ConcludeTools
from handfast.core.items import Message
from handfast.core.outcomes import (
    InputPassed,
    InputTripped,
    OutputAccepted,
    OutputDeclined,
    OutputTripped,
    OutputUnchecked,
    ToolsConcluded,
)
from handfast.core.state import Verdict
from handfast.errors import (
    InputGuardrailTripwireTriggered,
    InvalidFinalOutputError,
    ModelBehaviorError,
    ModelRefusalError,
    OutputGuardrailTripwireTriggered,
)
from handfast.runner.failures import failure_of
from handfast.runner.guardrail_deadline import verdict_in_time
from handfast.runner.run import Run
from handfast.runner.traced import traced_check

NO_OUTPUT: Final = "Model returned no final output for the structured output type."

R = TypeVar("R", InputGuardrailResult, OutputGuardrailResult)


def input_guardrails(run: Run, *, blocking: bool) -> list[InputGuardrail[Any]]:
    """The first agent's input guardrails and the run's, those that block or those that do not."""
    every = [*run.first.input_guardrails, *(run.config.input_guardrails or ())]
    return [each for each in every if each.run_in_parallel is not blocking]


async def check_input(run: Run, effect: CheckInput) -> InputPassed | InputTripped:
    """Run input guardrails side by side; the first that trips ends the others."""
    agent = run.catalog[effect.agent]
    shown = _shown_input(effect)
    guardrails = input_guardrails(run, blocking=effect.blocking)
    results = await _until_tripped(
        [
            _judged(run, each.get_name(), partial(each.run, agent, shown, run.context))
            for each in guardrails
        ],
        run.input_results,
    )
    verdicts = tuple(_verdict(each) for each in results)
    tripped = next((each for each in results if each.output.tripwire_triggered), None)
    if tripped is None:
        return InputPassed(effect.id, verdicts)
    failure = failure_of(InputGuardrailTripwireTriggered(tripped))
    return InputTripped(effect.id, verdicts, failure)


async def check_output(
    run: Run,
    effect: CheckOutput,
) -> OutputAccepted | OutputDeclined | OutputTripped | OutputUnchecked:
    """Read a candidate output and run the output guardrails on it.

    Raises:
        ModelRefusalError: The model refused.
        ModelBehaviorError: The text does not fit the agent's output type, and may not be repaired.
    """
    agent = run.catalog[effect.agent]
    value = effect.value if effect.from_tool else _read(run, agent, effect)
    if isinstance(value, OutputDeclined):
        return value
    guardrails: list[OutputGuardrail[Any]] = [
        *agent.output_guardrails,
        *(run.config.output_guardrails or ()),
    ]
    try:
        results = await _until_tripped(
            [
                _judged(run, each.get_name(), partial(each.run, run.context, agent, value))
                for each in guardrails
            ],
            run.output_results,
        )
        verdicts = tuple(_verdict(each) for each in results)
        tripped = next((each for each in results if each.output.tripwire_triggered), None)
        if tripped is not None:
            failure = failure_of(OutputGuardrailTripwireTriggered(tripped))
            return OutputTripped(effect.id, verdicts, failure)
        await _tell_end(run, agent, value)
    except Exception as error:  # noqa: BLE001 - the edge to user code: a failure is an outcome
        return OutputUnchecked(effect.id, failure_of(error))
    return OutputAccepted(effect.id, value, verdicts)


async def conclude_tools(run: Run, effect: ConcludeTools) -> ToolsConcluded:
    """Ask the agent whether its tools' results are the output."""
    agent = run.catalog[effect.agent]
    box = await run.toolboxes.of(agent, run.context)
    results = [
        FunctionToolResult(tool, result.value, run.public_item(result))
        for call, result in effect.results
        if isinstance(tool := box.by_name.get(call.name), FunctionTool)
    ]
    judged = await judge_tools(agent.tool_use_behavior, run.context, results)
    return ToolsConcluded(effect.id, judged.is_final_output, judged.final_output)


def _shown_input(effect: CheckInput) -> str | list[Any]:
    """What a guardrail sees: the words as they were given where that is all there is."""
    items = list(effect.input)
    if len(items) == 1 and isinstance(items[0], Message) and _is_plain_text(items[0]):
        return items[0].text
    return list(items_to_wire(items))


def _is_plain_text(message: Message) -> bool:
    return message.raw == user_message(message.text).raw


def _read(run: Run, agent: AnyAgent, effect: CheckOutput) -> object:
    """The output in an answer, or why there is none and the model goes on."""
    messages = [item for item in effect.fresh if isinstance(item, Message)]
    if messages and messages[-1].refusal and not effect.text:
        raise ModelRefusalError(messages[-1].refusal)
    schema = output_schema_of(agent.output_type)
    if schema is None or schema.is_plain_text():
        # An answer of no items is an empty text; one that only thought is asked to go on.
        return effect.text if messages or not effect.fresh else OutputDeclined(effect.id)
    if not effect.text:
        return OutputDeclined(effect.id, failure=failure_of(InvalidFinalOutputError(NO_OUTPUT)))
    try:
        return schema.validate_json(effect.text)
    except ModelBehaviorError as error:
        if run.output_repairs >= run.config.output_repairs:
            raise InvalidFinalOutputError(str(error)) from error
        run.output_repairs += 1
        note = user_message(f"{error} Answer again, with JSON of that form only.")
        return OutputDeclined(effect.id, (note,))


async def _tell_end(run: Run, agent: AnyAgent, value: object) -> None:
    if run.hooks is not None:
        await run.hooks.on_agent_end(run.context, agent, value)
    if agent.hooks is not None:
        await agent.hooks.on_end(run.context, agent, value)


def _judged(run: Run, name: str, check: Callable[[], Awaitable[R]]) -> Coroutine[Any, Any, R]:
    return traced_check(run, name, verdict_in_time(run, name, check))


def _verdict(result: InputGuardrailResult | OutputGuardrailResult) -> Verdict:
    tripped = result.output.tripwire_triggered
    return Verdict(result.guardrail.get_name(), tripped, result.output.output_info)


async def _until_tripped(checks: Sequence[Coroutine[Any, Any, R]], told: list[R]) -> list[R]:
    """Run checks side by side; none is left running after a trip or an error.

    Args:
        checks: The checks.
        told: Each result is added here as it comes, whatever the others do.

    Returns:
        The results, in order of completion.
    """
    results: list[R] = []
    tasks = [asyncio.ensure_future(check) for check in checks]
    try:
        for done in asyncio.as_completed(tasks):
            result = await done
            results.append(result)
            told.append(result)
            if result.output.tripwire_triggered:
                break
    finally:
        await end_tasks(tasks)
    return results
