"""Policies that say whether a failed model call is made again, and what they are told.

    ModelSettings(
        retry=ModelRetrySettings(
            max_retries=3,
            policy=retry_policies.any(
                retry_policies.network_error(),
                retry_policies.http_status([429, 500, 502, 503, 504]),
            ),
        ),
    )

Nothing is retried unless a policy is set. Names are those of the OpenAI Agents SDK.
"""

from __future__ import annotations

from collections.abc import Awaitable, Collection
from dataclasses import dataclass, replace
from typing import Final

from handfast.agents.retry import (
    RetryDecision,
    RetryPolicy,
    RetryPolicyContext,
    ask_policy,
    replay_safety_of,
)


@dataclass(frozen=True)
class _Capable:
    """A policy of which it is known what it covers."""

    judge: RetryPolicy
    retries_safe_transport_errors: bool = False
    retries_all_transient_errors: bool = False

    def __call__(
        self,
        context: RetryPolicyContext,
    ) -> bool | RetryDecision | Awaitable[bool | RetryDecision]:
        return self.judge(context)


class RetryPolicies:
    """Ready policies, to be combined: `retry_policies`."""

    def never(self) -> RetryPolicy:
        """Make no call again, whatever a wider setting says."""
        return _never

    def provider_suggested(self) -> RetryPolicy:
        """Do what the model suggests; where it suggests nothing, do not try again."""
        return _Capable(
            _provider_suggested,
            retries_safe_transport_errors=True,
            retries_all_transient_errors=True,
        )

    def retry_after(self) -> RetryPolicy:
        """Try again when the provider said how long to wait, and wait for that long."""
        return _retry_after

    def network_error(self) -> RetryPolicy:
        """Try again when the provider was not reached, the connection broke or time ran out."""
        return _Capable(_network_error, retries_safe_transport_errors=True)

    def http_status(self, statuses: Collection[int]) -> RetryPolicy:
        """Try again on these HTTP statuses.

        Args:
            statuses: For example `[429, 500, 502, 503, 504]`.
        """
        wanted = frozenset(statuses)

        def policy(context: RetryPolicyContext) -> RetryDecision:
            status = context.normalized.status_code
            return RetryDecision(status in wanted, _wait(context), f"HTTP status {status}")

        return policy

    def any(self, *policies: RetryPolicy) -> RetryPolicy:
        """Try again when one of the policies would; the first wait that one names counts."""

        async def policy(context: RetryPolicyContext) -> RetryDecision:
            decisions = [await ask_policy(each, context) for each in policies]
            return _merged(decisions, [each for each in decisions if each.retry])

        return _Capable(
            policy,
            any(map(retry_policy_retries_safe_transport_errors, policies)),
            any(map(retry_policy_retries_all_transient_errors, policies)),
        )

    def all(self, *policies: RetryPolicy) -> RetryPolicy:
        """Try again when all of the policies would; the first wait that one names counts."""

        async def policy(context: RetryPolicyContext) -> RetryDecision:
            decisions = [await ask_policy(each, context) for each in policies]
            approved = any(each.retry and each.approve_unsafe_replay for each in decisions)
            against = [
                each
                for each in decisions
                if not each.retry and not (approved and each.vetoes_replay)
            ]
            return _merged(decisions, [] if against else [each for each in decisions if each.retry])

        return _Capable(
            policy,
            all(map(retry_policy_retries_safe_transport_errors, policies)),
            all(map(retry_policy_retries_all_transient_errors, policies)),
        )


retry_policies: Final = RetryPolicies()
"""Ready policies for `ModelRetrySettings(policy=...)`."""


def retry_policy_retries_safe_transport_errors(policy: RetryPolicy | None) -> bool:
    """True for a policy that makes calls again which never reached the provider."""
    return bool(getattr(policy, "retries_safe_transport_errors", False))


def retry_policy_retries_all_transient_errors(policy: RetryPolicy | None) -> bool:
    """True for a policy that makes every call again which could succeed the next time."""
    return bool(getattr(policy, "retries_all_transient_errors", False))


# ---- the ready ones ------------------------------------------------------------------------------


def _never(_context: RetryPolicyContext) -> RetryDecision:
    return RetryDecision(retry=False, reason="never")


def _provider_suggested(context: RetryPolicyContext) -> RetryDecision:
    advice = context.provider_advice
    if advice is None:
        return RetryDecision(retry=False, reason="The provider suggests nothing.")
    vetoes = advice.suggested is False and replay_safety_of(advice) == "unsafe"
    return RetryDecision(
        advice.suggested is True,
        _wait(context),
        advice.reason,
        vetoes_replay=vetoes,
    )


def _retry_after(context: RetryPolicyContext) -> RetryDecision:
    wait = _wait(context)
    return RetryDecision(wait is not None, wait, "The provider said how long to wait.")


def _network_error(context: RetryPolicyContext) -> RetryDecision:
    error = context.normalized
    return RetryDecision(error.is_network_error or error.is_timeout, None, "network error")


def _wait(context: RetryPolicyContext) -> float | None:
    return context.normalized.retry_after


def _merged(decisions: list[RetryDecision], for_it: list[RetryDecision]) -> RetryDecision:
    if not for_it:
        against = next((each for each in decisions if not each.retry), RetryDecision(retry=False))
        return replace(against, retry=False)
    return RetryDecision(
        retry=True,
        delay=next((each.delay for each in for_it if each.delay is not None), None),
        reason=next((each.reason for each in for_it if each.reason is not None), None),
        approve_unsafe_replay=any(each.approve_unsafe_replay for each in for_it),
    )
