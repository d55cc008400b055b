"""Makes a failed model call again, where the settings ask for it and that can do no harm."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, TypeAlias

from handfast.agents.json_types import is_object
from handfast.agents.model import Model, ModelRequest, Observer
from handfast.agents.raw import ModelResponse
from handfast.agents.retry import (
    PROVIDER_RETRIES_OFF,
    ModelRetryAdvice,
    ModelRetryAdviceRequest,
    RetryDecision,
    RetryPolicy,
    RetryPolicyContext,
    ask_policy,
    replay_safety_of,
)
from handfast.agents.retry_policies import retry_policy_retries_safe_transport_errors
from handfast.agents.retry_settings import ModelRetryBackoffSettings, ModelRetrySettings
from handfast.agents.usage import InputTokensDetails, OutputTokensDetails, RequestUsage
from handfast.runner.retry_errors import advice_from, normalized

Attempt: TypeAlias = Callable[[Observer | None], Awaitable[ModelResponse]]
"""One try: asks the model, telling the observer of each event."""

Sleep: TypeAlias = Callable[[float], Awaitable[None]]

INITIAL_DELAY: Final = 0.25
MAX_DELAY: Final = 2.0
MULTIPLIER: Final = 2.0
LONGEST_ASKED_WAIT: Final = 60.0
"""Seconds that a provider's Retry-After is followed for, where the settings name no `max_delay`."""

CONVERSATION_LOCKED: Final = "conversation_locked"
"""The code of a provider whose conversation another request is still writing to."""
LOCKED_WAITS: Final = (1.0, 2.0, 4.0)
"""Seconds to wait for such a conversation, one more attempt after each."""

# Events before the first of them say nothing of the answer: a reader can see them twice.
_SILENT_EVENTS: Final = frozenset({"response.created", "response.in_progress", "response.queued"})


@dataclass(frozen=True, slots=True)
class Retrying:
    """What making a call again depends on."""

    model: Model
    request: ModelRequest
    stream: bool = False
    """Whether a reader sees the answer as it comes."""
    sleep: Sleep = asyncio.sleep
    spread: Callable[[], float] = random.random  # noqa: S311 - spreads load, keeps no secret
    """A number from 0 to 1, for waits that are spread at random."""


async def with_retries(
    retrying: Retrying,
    attempt: Attempt,
    observe: Observer | None,
) -> ModelResponse:
    """Try until an attempt succeeds or the settings say no more.

    A response counts the attempts that failed before it as requests.

    Args:
        retrying: The call.
        attempt: Makes one try.
        observe: Is told of the events of a streamed call.

    Raises:
        Exception: What the last attempt raised.
    """
    settings = retrying.request.settings.retry
    failed = locked = 0
    while True:
        watch = None if observe is None else _Watch(observe)
        try:
            with _provider_retries(settings, again=failed + locked > 0):
                response = await attempt(watch)
        except Exception as error:
            wait = _wait_for_lock(settings, error, locked)
            if wait is not None:
                locked += 1
            else:
                failed += 1
                started = watch is not None and watch.answer_begun
                wait = await _wait_before_retry(retrying, settings, error, failed, started=started)
            if wait is None:
                raise
        else:
            return _counting(response, failed + locked)
        if wait > 0:
            await retrying.sleep(wait)


class _Watch:
    """Passes events on, and notes when the answer itself has begun."""

    def __init__(self, observe: Observer) -> None:
        self._observe = observe
        self.answer_begun = False

    def __call__(self, event: object) -> None:
        kind = event.get("type") if is_object(event) else getattr(event, "type", None)
        if kind not in _SILENT_EVENTS:
            self.answer_begun = True
        self._observe(event)


@contextmanager
def _provider_retries(settings: ModelRetrySettings | None, *, again: bool) -> Generator[None]:
    """Switch an adapter's own retries off where ours cover them: two that count multiply."""
    ours = settings is not None and (
        again
        or settings.max_retries == 0
        or retry_policy_retries_safe_transport_errors(settings.policy)
    )
    if not ours:
        yield
        return
    token = PROVIDER_RETRIES_OFF.set(True)
    try:
        yield
    finally:
        PROVIDER_RETRIES_OFF.reset(token)


def _wait_for_lock(
    settings: ModelRetrySettings | None,
    error: Exception,
    locked: int,
) -> float | None:
    """Seconds until a locked conversation may be free; None for any other failure.

    Such a request was refused before anything came of it: it is made again whatever the policy,
    unless the settings forbid every retry.
    """
    if settings is not None and settings.max_retries == 0:
        return None
    if locked >= len(LOCKED_WAITS) or normalized(error).error_code != CONVERSATION_LOCKED:
        return None
    return LOCKED_WAITS[locked]


async def _wait_before_retry(
    retrying: Retrying,
    settings: ModelRetrySettings | None,
    error: Exception,
    failed: int,
    *,
    started: bool,
) -> float | None:
    """Seconds to wait before the next attempt; None where there is to be none."""
    if settings is None or settings.policy is None or failed > (settings.max_retries or 0):
        return None
    # What a reader has seen cannot be taken back.
    if started:
        return None
    advice = _advice(retrying, error, failed)
    context = _context(retrying, settings, error, failed, advice)
    if context.normalized.is_abort:
        return None
    policy: RetryPolicy = settings.policy
    safety = replay_safety_of(advice)
    decision = await ask_policy(policy, context)
    if not decision.retry or not _is_harmless(context, safety, decision):
        return None
    return _delay(settings.backoff, decision, context, retrying.spread)


def _advice(retrying: Retrying, error: Exception, failed: int) -> ModelRetryAdvice | None:
    request = retrying.request
    asked = ModelRetryAdviceRequest(
        error,
        failed,
        retrying.stream,
        request.previous_response_id,
        request.conversation_id,
    )
    return retrying.model.get_retry_advice(asked) or advice_from(error)


def _context(
    retrying: Retrying,
    settings: ModelRetrySettings,
    error: Exception,
    failed: int,
    advice: ModelRetryAdvice | None,
) -> RetryPolicyContext:
    request = retrying.request
    told = normalized(error)
    if advice is not None:
        if advice.retry_after is not None:
            told.retry_after = advice.retry_after
        told = told.overridden_by(advice.normalized)
    return RetryPolicyContext(
        error,
        failed,
        settings.max_retries or 0,
        retrying.stream,
        told,
        advice,
        request.previous_response_id,
        request.conversation_id,
    )


def _is_harmless(context: RetryPolicyContext, safety: str, decision: RetryDecision) -> bool:
    """False where a second try could do work twice that nobody approved of."""
    if safety == "unsafe":
        return decision.approve_unsafe_replay and not context.stream
    return safety == "safe" or not context.stateful_request


def _delay(
    backoff: ModelRetryBackoffSettings | None,
    decision: RetryDecision,
    context: RetryPolicyContext,
    spread: Callable[[], float],
) -> float:
    given = backoff or ModelRetryBackoffSettings()
    asked = context.normalized.retry_after
    if decision.delay is not None and decision.delay != asked:
        return max(decision.delay, 0.0)
    if asked is not None:
        longest = LONGEST_ASKED_WAIT if given.max_delay is None else given.max_delay
        return min(max(asked, 0.0), longest)
    first = INITIAL_DELAY if given.initial_delay is None else given.initial_delay
    factor = MULTIPLIER if given.multiplier is None else given.multiplier
    longest = MAX_DELAY if given.max_delay is None else given.max_delay
    # A power beyond any wait overflows a float; so far, every wait is the longest.
    wait = min(first * factor ** min(context.attempt - 1, 64), longest)
    return wait * (0.5 + spread() / 2) if given.jitter is not False else wait


def _counting(response: ModelResponse, failed: int) -> ModelResponse:
    """The response, with the attempts that failed before it counted as requests."""
    if failed == 0:
        return response
    usage = response.usage
    own = usage.request_usage_entries or [
        RequestUsage(
            usage.input_tokens,
            usage.output_tokens,
            usage.total_tokens,
            usage.input_tokens_details,
            usage.output_tokens_details,
        ),
    ]
    nothing = [
        RequestUsage(0, 0, 0, InputTokensDetails(), OutputTokensDetails()) for _ in range(failed)
    ]
    usage.request_usage_entries = [*nothing, *own]
    usage.requests = max(usage.requests, 1) + failed
    return response
