"""Whether a failed model call is made again. The SDK keeps these names in a module of this name."""

from __future__ import annotations

from handfast.agents.retry import (
    ModelRetryAdvice,
    ModelRetryAdviceRequest,
    ModelRetryNormalizedError,
    RetryDecision,
    RetryPolicy,
    RetryPolicyContext,
)
from handfast.agents.retry_policies import (
    retry_policies,
    retry_policy_retries_all_transient_errors,
    retry_policy_retries_safe_transport_errors,
)
from handfast.agents.retry_settings import ModelRetryBackoffSettings, ModelRetrySettings

__all__ = [
    "ModelRetryAdvice",
    "ModelRetryAdviceRequest",
    "ModelRetryBackoffSettings",
    "ModelRetryNormalizedError",
    "ModelRetrySettings",
    "RetryDecision",
    "RetryPolicy",
    "RetryPolicyContext",
    "retry_policies",
    "retry_policy_retries_all_transient_errors",
    "retry_policy_retries_safe_transport_errors",
]
