"""Effect to outcome: one table for all drivers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from handfast.core.effects import (
    AskApproval,
    Authorize,
    CallModel,
    CallTool,
    CheckInput,
    CheckOutput,
    ConcludeTools,
    Effect,
    FilterHandoff,
    InvokeHandoff,
    Recover,
    RunAgent,
)
from handfast.core.outcomes import Failed, Outcome
from handfast.errors import ToolError
from handfast.runner.agent_call import run_agent
from handfast.runner.approval import ask_approval, authorize
from handfast.runner.checks import check_input, check_output, conclude_tools
from handfast.runner.failures import failure_of
from handfast.runner.handoff_call import filter_handoff, invoke_handoff
from handfast.runner.model_call import call_model
from handfast.runner.recovery import recover
from handfast.runner.run import Run
from handfast.runner.tool_call import call_tool
from handfast.runner.tool_slots import in_slot
from handfast.runner.traced import perform_traced

# Each performer takes its own kind of effect; the table is keyed by that kind.
Performer: TypeAlias = Callable[[Run, Any], Awaitable[Outcome | None]]

PERFORMERS: Final[Mapping[type[Effect], Performer]] = MappingProxyType(
    {
        CheckInput: check_input,
        CallModel: call_model,
        Authorize: authorize,
        AskApproval: ask_approval,
        CallTool: in_slot(call_tool),
        RunAgent: in_slot(run_agent),
        ConcludeTools: conclude_tools,
        InvokeHandoff: invoke_handoff,
        FilterHandoff: filter_handoff,
        CheckOutput: check_output,
        Recover: recover,
    },
)


async def perform(run: Run, effect: Effect) -> Outcome | None:
    """Perform one effect.

    Returns:
        What came of it; None where only a person could tell, and nobody answers now.
    """
    try:
        performer = PERFORMERS[type(effect)]
        if run.spans is None:
            return await performer(run, effect)
        return await perform_traced(run, run.spans, effect, performer)
    except asyncio.CancelledError as error:
        task = asyncio.current_task()
        if task is None or task.cancelling():
            raise
        # Nobody cancelled this task: user code raised the exception by itself.
        message = f"{type(effect).__name__} was cancelled from inside: {error}"
        return _failed(run, effect, ToolError(message))
    except Exception as error:  # noqa: BLE001 - the edge to user code: a failure is an outcome
        return _failed(run, effect, error)


def _failed(run: Run, effect: Effect, error: Exception) -> Failed:
    """The failure, with the answer that a call had before what came after it failed."""
    result, _ = run.ledger.ended.get(effect.id, (None, None))
    return Failed(effect.id, failure_of(error), result)
