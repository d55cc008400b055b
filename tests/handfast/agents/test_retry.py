from __future__ import annotations

from dataclasses import replace

import pytest

from handfast.agents.retry import (
    ModelRetryAdvice,
    ModelRetryNormalizedError,
    RetryDecision,
    RetryPolicyContext,
    ask_policy,
    replay_safety_of,
)

CONTEXT = RetryPolicyContext(
    error=ConnectionError("gone"),
    attempt=1,
    max_retries=2,
    stream=False,
    normalized=ModelRetryNormalizedError(is_network_error=True),
)


def test_a_field_that_was_not_given_says_nothing() -> None:
    empty = ModelRetryNormalizedError()
    assert (empty.status_code, empty.retry_after, empty.is_abort) == (None, None, False)
    known = ModelRetryNormalizedError(status_code=429, retry_after=2.0, is_timeout=True)
    assert known.overridden_by(None).status_code == 429
    merged = known.overridden_by(ModelRetryNormalizedError(retry_after=None, is_timeout=False))
    assert (merged.status_code, merged.retry_after, merged.is_timeout) == (429, None, False)
    assert (known.retry_after, known.is_timeout) == (2.0, True)


@pytest.mark.parametrize(
    ("said", "safety"),
    [("safe", "safe"), ("unsafe", "unsafe"), ("conditional", "unknown"), (None, "unknown")],
)
def test_only_a_clear_word_about_a_second_try_counts(said: str | None, safety: str) -> None:
    advice = ModelRetryAdvice(replay_safety=said)
    assert replay_safety_of(advice) == safety
    assert replace(CONTEXT, provider_advice=advice).replay_safety == safety
    assert CONTEXT.replay_safety == "unknown"


async def test_a_policy_answers_in_any_form_and_cannot_change_what_it_was_told() -> None:
    advice = ModelRetryAdvice(replay_safety="unsafe")

    def meddles(context: RetryPolicyContext) -> bool:
        assert context.provider_advice is not None
        context.provider_advice.replay_safety = "safe"
        return True

    async def later(_context: RetryPolicyContext) -> RetryDecision:
        return RetryDecision(retry=True, delay=3.0)

    context = replace(CONTEXT, provider_advice=advice)
    assert await ask_policy(meddles, context) == RetryDecision(retry=True)
    assert advice.replay_safety == "unsafe"
    assert await ask_policy(later, CONTEXT) == RetryDecision(retry=True, delay=3.0)
