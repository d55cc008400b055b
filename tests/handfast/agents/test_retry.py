from __future__ import annotations

import pytest

from handfast.agents.retry import (
    PROVIDER_RETRIES_OFF,
    ModelRetryAdvice,
    ModelRetryNormalizedError,
    RetryDecision,
    RetryPolicyContext,
    ask_policy,
    replay_safety_of,
)


def failed(advice: ModelRetryAdvice | None = None) -> RetryPolicyContext:
    return RetryPolicyContext(
        OSError("gone"),
        attempt=1,
        max_retries=3,
        stream=False,
        normalized=ModelRetryNormalizedError(is_network_error=True),
        provider_advice=advice,
    )


def test_an_error_knows_which_fields_it_was_given() -> None:
    error = ModelRetryNormalizedError(status_code=None, is_timeout=False)
    assert error.given == ("status_code", "is_timeout")
    assert (error.message, error.is_abort) == (None, False)


def test_only_given_fields_override() -> None:
    error = ModelRetryNormalizedError(status_code=500, message="bad", is_timeout=True)
    merged = error.overridden_by(ModelRetryNormalizedError(status_code=None, is_abort=True))
    assert (merged.status_code, merged.message) == (None, "bad")
    assert (merged.is_timeout, merged.is_abort) == (True, True)
    assert error.status_code == 500


def test_nothing_to_override_with_changes_nothing() -> None:
    error = ModelRetryNormalizedError(status_code=500)
    assert vars(error.overridden_by(None)) == vars(error)


@pytest.mark.parametrize(
    ("said", "safety"),
    [("safe", "safe"), ("unsafe", "unsafe"), ("perhaps", "unknown"), (None, "unknown")],
)
def test_only_a_clear_word_makes_a_second_try_safe(said: str | None, safety: str) -> None:
    advice = ModelRetryAdvice(replay_safety=said)
    assert replay_safety_of(advice) == safety
    assert failed(advice).replay_safety == safety


def test_a_model_that_says_nothing_is_unknown() -> None:
    assert replay_safety_of(None) == "unknown"


async def test_a_policy_may_be_sync_or_async_and_answer_in_either_form() -> None:
    async def later(_context: RetryPolicyContext) -> RetryDecision:
        return RetryDecision(retry=True, delay=2.0)

    assert await ask_policy(lambda _: True, failed()) == RetryDecision(retry=True)
    assert await ask_policy(later, failed()) == RetryDecision(retry=True, delay=2.0)


async def test_a_policy_cannot_change_what_the_model_advised() -> None:
    advice = ModelRetryAdvice(suggested=False)

    def meddle(context: RetryPolicyContext) -> bool:
        assert context.provider_advice is not None
        context.provider_advice.suggested = True
        return False

    await ask_policy(meddle, failed(advice))
    assert advice.suggested is False


def test_adapters_retry_by_themselves_unless_the_runner_counts() -> None:
    assert PROVIDER_RETRIES_OFF.get() is False
