"""A deadline for guardrails: code of the user's that a run waits for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from handfast.errors import GuardrailTimeoutError
from handfast.runner.run import Run

T = TypeVar("T")


async def verdict_in_time(run: Run, name: str, check: Callable[[], Awaitable[T]]) -> T:
    """What a guardrail says, within `RunConfig.guardrail_timeout`.

    Args:
        run: The run.
        name: The guardrail's name.
        check: Begins its check.

    Raises:
        GuardrailTimeoutError: It took longer; the check was cancelled.
        Exception: Whatever the guardrail raised.
    """
    seconds = run.config.guardrail_timeout
    deadline = asyncio.timeout(seconds)
    try:
        async with deadline:
            return await check()
    except TimeoutError as error:
        if seconds is None or not deadline.expired():
            raise
        raise GuardrailTimeoutError(name, seconds) from error
