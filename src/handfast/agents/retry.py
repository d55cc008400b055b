"""What retry policies are told of a failed model call, and what they answer.

Names are those of the OpenAI Agents SDK.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

ReplaySafety: TypeAlias = Literal["safe", "unsafe", "unknown"]
"""Whether a second try could do the work twice."""


class _Unset:
    """Stands for a field that nobody gave."""


_UNSET: Final = _Unset()


@dataclass(init=False, eq=False)
class ModelRetryNormalizedError:
    """A failed call, whichever provider it failed at. A field that was not given says nothing."""

    status_code: int | None
    """The HTTP status."""
    error_code: str | None
    """The provider's own code."""
    message: str | None
    request_id: str | None
    retry_after: float | None
    """Seconds that the provider asked to wait."""
    is_abort: bool
    """Somebody stopped the call on purpose."""
    is_network_error: bool
    """The provider could not be reached, or the connection broke."""
    is_timeout: bool

    def __init__(  # noqa: PLR0913 - the SDK's fields, all by name
        self,
        *,
        status_code: int | _Unset | None = _UNSET,
        error_code: str | _Unset | None = _UNSET,
        message: str | _Unset | None = _UNSET,
        request_id: str | _Unset | None = _UNSET,
        retry_after: float | _Unset | None = _UNSET,
        is_abort: bool | _Unset = _UNSET,
        is_network_error: bool | _Unset = _UNSET,
        is_timeout: bool | _Unset = _UNSET,
    ) -> None:
        self.status_code = None if isinstance(status_code, _Unset) else status_code
        self.error_code = None if isinstance(error_code, _Unset) else error_code
        self.message = None if isinstance(message, _Unset) else message
        self.request_id = None if isinstance(request_id, _Unset) else request_id
        self.retry_after = None if isinstance(retry_after, _Unset) else retry_after
        self.is_abort = not isinstance(is_abort, _Unset) and is_abort
        self.is_network_error = not isinstance(is_network_error, _Unset) and is_network_error
        self.is_timeout = not isinstance(is_timeout, _Unset) and is_timeout
        given = {
            "status_code": status_code,
            "error_code": error_code,
            "message": message,
            "request_id": request_id,
            "retry_after": retry_after,
            "is_abort": is_abort,
            "is_network_error": is_network_error,
            "is_timeout": is_timeout,
        }
        self.given = tuple(name for name, value in given.items() if not isinstance(value, _Unset))
        """The fields that say something."""

    def overridden_by(self, other: ModelRetryNormalizedError | None) -> ModelRetryNormalizedError:
        """This error with every field that the other was given."""
        merged = ModelRetryNormalizedError()
        for name in vars(self):
            setattr(merged, name, getattr(self, name))
        for name in () if other is None else other.given:
            setattr(merged, name, getattr(other, name))
        return merged


@dataclass
class ModelRetryAdvice:
    """What a model knows about a failure of its own."""

    suggested: bool | None = None
    """Whether the provider would have the call made again; None where it says nothing."""
    retry_after: float | None = None
    """Seconds to wait."""
    replay_safety: str | None = None
    """`safe`, `unsafe`, or anything else for a model that cannot tell."""
    reason: str | None = None
    normalized: ModelRetryNormalizedError | None = None
    """Fields that it knows better than the runner."""
    response_started: bool = False
    """Whether the provider had begun to answer."""


@dataclass(frozen=True)
class ModelRetryAdviceRequest:
    """Asks a model about a failure of its own."""

    error: BaseException
    attempt: int
    """How many attempts have failed, this one included."""
    stream: bool
    previous_response_id: str | None = None
    conversation_id: str | None = None


@dataclass
class RetryDecision:
    """What a policy says of a failed call."""

    retry: bool
    delay: float | None = None
    """Seconds to wait; None takes what the provider asked for, else the back-off."""
    reason: str | None = None
    approve_unsafe_replay: bool = False
    """Try again though the provider cannot promise that the work is not done twice."""
    vetoes_replay: bool = False
    """The provider says that the work could be done twice; only an approval outweighs that."""


@dataclass(frozen=True)
class RetryPolicyContext:
    """What a policy is told."""

    error: BaseException
    attempt: int
    """How many attempts have failed, this one included."""
    max_retries: int
    stream: bool
    normalized: ModelRetryNormalizedError
    provider_advice: ModelRetryAdvice | None = None
    previous_response_id: str | None = None
    """The response that the request continues."""
    conversation_id: str | None = None
    """The provider's conversation that it belongs to."""

    @property
    def response_started(self) -> bool:
        """True where the model knows that the provider had begun to answer."""
        return self.provider_advice is not None and self.provider_advice.response_started

    @property
    def stateful_request(self) -> bool:
        """True for a request that continues what the provider keeps."""
        return bool(self.previous_response_id or self.conversation_id)

    @property
    def replay_safety(self) -> ReplaySafety:
        """Whether a second try could do the work twice, as far as the model knows."""
        return replay_safety_of(self.provider_advice)


RetryPolicy: TypeAlias = Callable[
    [RetryPolicyContext],
    "bool | RetryDecision | Awaitable[bool | RetryDecision]",
]
"""Says of each failure whether to try again; sync or async."""


def replay_safety_of(advice: ModelRetryAdvice | None) -> ReplaySafety:
    """What a model says about a second try; anything that is no clear word is `unknown`."""
    said = None if advice is None else advice.replay_safety
    if said == "safe":
        return "safe"
    return "unsafe" if said == "unsafe" else "unknown"


async def ask_policy(policy: RetryPolicy, context: RetryPolicyContext) -> RetryDecision:
    """A policy's word, whichever form it has; the context it is given is its own copy."""
    advice = context.provider_advice
    told = replace(context, provider_advice=None if advice is None else replace(advice))
    said = policy(told)
    if inspect.isawaitable(said):
        said = await said
    return said if isinstance(said, RetryDecision) else RetryDecision(bool(said))


PROVIDER_RETRIES_OFF: Final[ContextVar[bool]] = ContextVar("provider_retries_off", default=False)
"""True while the runner counts the retries: an adapter then makes none of its own."""
