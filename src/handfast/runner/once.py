"""No call twice: what is known of a call that a run began before it failed."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from handfast.core.effects import CallTool, RunAgent
from handfast.core.items import Result
from handfast.core.outcomes import ToolReturned
from handfast.core.usage import NOTHING_SPENT, Spend
from handfast.runner.as_returned import as_returned
from handfast.runner.run import Run
from handfast.runner.tool_answer import refusal_of

UNKNOWN: Final = (
    "It is not known whether this call took effect: the run stopped while it was under way, and "
    "the call was not made again. Find out before you repeat it."
)


def recalled(run: Run, effect: CallTool | RunAgent, *, idempotent: bool) -> ToolReturned | None:
    """What came of a call that began before, or that nobody knows; None for one to make now.

    Args:
        run: The run.
        effect: The call.
        idempotent: True when it may be made again without harm.
    """
    ended = run.ledger.ended.get(effect.id)
    if ended is not None:
        return ToolReturned(effect.id, *ended)
    if run.ledger.is_unknown(effect.id) and not idempotent:
        return ToolReturned(effect.id, refusal_of(effect.call, UNKNOWN))
    return None


def answered(
    run: Run,
    effect: CallTool | RunAgent,
    result: Result,
    spend: Spend = NOTHING_SPENT,
) -> ToolReturned:
    """The outcome of a call, noted before anybody is told of it."""
    kept = replace(result, value=as_returned(result.value))
    run.ledger.end(effect.id, kept, spend)
    return ToolReturned(effect.id, kept, spend)
