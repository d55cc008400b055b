from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from handfast import retry_policies
from handfast.agents.retry import (
    ModelRetryAdvice,
    ModelRetryNormalizedError,
    RetryDecision,
    RetryPolicy,
    RetryPolicyContext,
    ask_policy,
)
from handfast.agents.retry_policies import (
    retry_policy_retries_all_transient_errors,
    retry_policy_retries_safe_transport_errors,
)


def context_of(
    error: ModelRetryNormalizedError,
    advice: ModelRetryAdvice | None = None,
) -> RetryPolicyContext:
    return RetryPolicyContext(
        error=ConnectionError("gone"),
        attempt=1,
        max_retries=2,
        stream=False,
        normalized=error,
        provider_advice=advice,
    )


NETWORK = context_of(ModelRetryNormalizedError(is_network_error=True))
SLOW = context_of(ModelRetryNormalizedError(is_timeout=True))
LIMITED = context_of(ModelRetryNormalizedError(status_code=429, retry_after=1.75))
BAD = context_of(ModelRetryNormalizedError(status_code=400))


@pytest.mark.parametrize(
    ("policy", "agrees_to"),
    [
        (retry_policies.never(), []),
        (retry_policies.network_error(), [NETWORK, SLOW]),
        (retry_policies.retry_after(), [LIMITED]),
        (retry_policies.http_status([429, 500]), [LIMITED]),
        (retry_policies.provider_suggested(), []),
        (
            retry_policies.any(retry_policies.network_error(), retry_policies.retry_after()),
            [NETWORK, SLOW, LIMITED],
        ),
        (
            retry_policies.all(retry_policies.http_status([429]), retry_policies.retry_after()),
            [LIMITED],
        ),
        (retry_policies.any(), []),
        (retry_policies.all(), []),
    ],
)
async def test_each_policy_agrees_to_its_own_failures(
    policy: RetryPolicy,
    agrees_to: list[RetryPolicyContext],
) -> None:
    for context in (NETWORK, SLOW, LIMITED, BAD):
        decision = await ask_policy(policy, context)
        assert decision.retry is any(context is each for each in agrees_to)


async def test_the_first_wait_that_is_named_counts() -> None:
    limited_network = replace(
        LIMITED,
        normalized=ModelRetryNormalizedError(is_network_error=True, retry_after=1.75),
    )
    both = retry_policies.any(retry_policies.network_error(), retry_policies.retry_after())
    assert (await ask_policy(both, limited_network)).delay == 1.75


@pytest.mark.parametrize("suggested", [True, False, None])
async def test_what_the_provider_suggests_is_done(suggested: bool | None) -> None:  # noqa: FBT001 - a case
    context = replace(NETWORK, provider_advice=ModelRetryAdvice(suggested, reason="busy"))
    decision = await ask_policy(retry_policies.provider_suggested(), context)
    assert decision.retry is (suggested is True)
    assert decision.reason == "busy"


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("combine", [retry_policies.any, retry_policies.all])
async def test_only_an_approval_outweighs_a_veto_of_the_provider(
    combine: Callable[..., RetryPolicy],
    *,
    first: bool,
) -> None:
    def approving(_context: RetryPolicyContext) -> RetryDecision:
        return RetryDecision(retry=True, approve_unsafe_replay=True)

    suggested = retry_policies.provider_suggested()
    order = (suggested, approving) if first else (approving, suggested)
    policy = combine(*order)
    veto = ModelRetryAdvice(suggested=False, replay_safety="unsafe")
    decision = await ask_policy(policy, replace(NETWORK, provider_advice=veto))
    assert (decision.retry, decision.approve_unsafe_replay) == (True, True)
    assert not (await ask_policy(suggested, replace(NETWORK, provider_advice=veto))).retry


def test_it_is_known_what_a_policy_covers() -> None:
    network, suggested = retry_policies.network_error(), retry_policies.provider_suggested()
    either = retry_policies.any(retry_policies.never(), suggested)
    both = retry_policies.all(network, suggested)
    covers = [
        (
            retry_policy_retries_safe_transport_errors(each),
            retry_policy_retries_all_transient_errors(each),
        )
        for each in (network, suggested, either, both, retry_policies.never(), None)
    ]
    assert covers == [
        (True, False),
        (True, True),
        (True, True),
        (True, False),
        (False, False),
        (False, False),
    ]
