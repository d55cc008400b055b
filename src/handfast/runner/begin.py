"""Where a run begins: input and settings to a first step."""

from __future__ import annotations

from handfast.core.items import Item
from handfast.core.loop import Step, start
from handfast.core.state import Rules
from handfast.core.usage import Limits
from handfast.errors import UserError
from handfast.runner.checks import input_guardrails
from handfast.runner.recovery import recoverable
from handfast.runner.run import Run


def first_step(run: Run, conversation: tuple[Item, ...], max_turns: int | None) -> Step:
    """The first state of a run and the effects it asks for.

    Args:
        run: The run.
        conversation: Its input, and what was said before.
        max_turns: How many model calls it may take; None sets no limit.

    Raises:
        UserError: A limit is no whole number.
    """
    limits = Limits(max_turns, run.config.max_calls, run.config.max_tokens)
    for name in ("max_turns", "max_calls", "max_tokens"):
        limit: object = getattr(limits, name)
        if limit is not None and type(limit) is not int:
            raise UserError(f"{name} is a whole number, or None for no limit, not {limit!r}.")
    return start(
        run.catalog.key_of(run.first),
        conversation,
        limits=limits,
        rules=Rules(
            run.config.multiple_handoffs,
            last_answer=run.config.max_turns_behavior == "answer_without_tools",
            recovers=recoverable(run.error_handlers),
        ),
        checks_before=bool(input_guardrails(run, blocking=True)),
        checks_beside=bool(input_guardrails(run, blocking=False)),
    )
