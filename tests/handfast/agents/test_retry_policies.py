from __future__ import annotations

import pytest

from handfast.agents.retry import (
    ModelRetryAdvice,
    ModelRetryNormalizedError,
    RetryDecision,
    RetryPolicy,
    RetryPolicyContext,
    ask_policy,
)
from handfast.agents.retry_policies import (
    retry_policies,
    retry_policy_retries_all_transient_errors,
    retry_policy_retries_safe_transport_errors,
)


async def asked(
    policy: RetryPolicy,
    error: ModelRetryNormalizedError | None = None,
    advice: ModelRetryAdvice | None = None,
) -> RetryDecision:
    context = RetryPolicyContext(
        OSError("gone"),
        attempt=1,
        max_retries=3,
        stream=False,
        normalized=error or ModelRetryNormalizedError(),
        provider_advice=advice,
    )
    return await ask_policy(policy, context)


UNREACHED = ModelRetryNormalizedError(is_network_error=True)
BUSY = ModelRetryNormalizedError(status_code=429, retry_after=5.0)


async def test_never_is_never() -> None:
    assert not (await asked(retry_policies.never(), UNREACHED)).retry


@pytest.mark.parametrize(
    ("error", "again"),
    [
        (UNREACHED, True),
        (ModelRetryNormalizedError(is_timeout=True), True),
        (BUSY, False),
        (ModelRetryNormalizedError(), False),
    ],
)
async def test_a_network_error_is_one_that_did_not_reach_the_provider(
    error: ModelRetryNormalizedError,
    again: bool,  # noqa: FBT001 - an expected value
) -> None:
    assert (await asked(retry_policies.network_error(), error)).retry is again


async def test_a_status_is_retried_only_if_listed_and_waits_as_asked() -> None:
    policy = retry_policies.http_status([429, 503])
    assert await asked(policy, BUSY) == RetryDecision(
        retry=True, delay=5.0, reason="HTTP status 429"
    )
    assert not (await asked(policy, ModelRetryNormalizedError(status_code=500))).retry
    assert not (await asked(policy, UNREACHED)).retry


async def test_retry_after_needs_a_time_to_wait() -> None:
    assert (await asked(retry_policies.retry_after(), BUSY)).delay == 5.0
    assert not (await asked(retry_policies.retry_after(), UNREACHED)).retry


@pytest.mark.parametrize(("suggested", "again"), [(True, True), (False, False), (None, False)])
async def test_the_provider_has_to_suggest_it(suggested: object, *, again: bool) -> None:
    advice = ModelRetryAdvice(suggested=suggested if isinstance(suggested, bool) else None)
    assert (await asked(retry_policies.provider_suggested(), advice=advice)).retry is again


async def test_a_provider_that_says_nothing_is_not_asked_twice() -> None:
    assert not (await asked(retry_policies.provider_suggested())).retry


async def test_an_unsafe_replay_is_vetoed() -> None:
    advice = ModelRetryAdvice(suggested=False, replay_safety="unsafe")
    decision = await asked(retry_policies.provider_suggested(), advice=advice)
    assert decision.vetoes_replay


async def test_any_needs_one_and_takes_the_first_wait_that_is_named() -> None:
    policy = retry_policies.any(
        retry_policies.never(),
        retry_policies.http_status([429]),
        retry_policies.retry_after(),
    )
    assert (await asked(policy, BUSY)).delay == 5.0
    assert not (await asked(policy, ModelRetryNormalizedError(status_code=400))).retry


async def test_all_needs_every_one() -> None:
    both = retry_policies.all(retry_policies.http_status([429]), retry_policies.retry_after())
    assert (await asked(both, BUSY)).retry
    assert not (await asked(both, ModelRetryNormalizedError(status_code=429))).retry


async def test_an_approval_outweighs_a_veto_in_all_but_no_other_refusal() -> None:
    advice = ModelRetryAdvice(suggested=False, replay_safety="unsafe")

    def approve(_context: RetryPolicyContext) -> RetryDecision:
        return RetryDecision(retry=True, approve_unsafe_replay=True)

    vetoed = retry_policies.all(approve, retry_policies.provider_suggested())
    refused = retry_policies.all(approve, retry_policies.never())
    assert (await asked(vetoed, advice=advice)).retry
    assert not (await asked(refused, advice=advice)).retry


async def test_no_policies_at_all_retry_nothing() -> None:
    assert not (await asked(retry_policies.any(), UNREACHED)).retry
    assert not (await asked(retry_policies.all(), UNREACHED)).retry


def test_it_is_known_what_a_policy_covers() -> None:
    network, status = retry_policies.network_error(), retry_policies.http_status([500])
    assert retry_policy_retries_safe_transport_errors(retry_policies.any(network, status))
    assert not retry_policy_retries_safe_transport_errors(retry_policies.all(network, status))
    assert not retry_policy_retries_all_transient_errors(network)
    assert retry_policy_retries_all_transient_errors(retry_policies.provider_suggested())
    assert not retry_policy_retries_all_transient_errors(None)
