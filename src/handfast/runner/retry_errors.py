"""What a failed model call looks like to a retry policy, whichever library it failed in."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final

from handfast.agents.json_types import is_object
from handfast.agents.retry import ModelRetryAdvice, ModelRetryNormalizedError
from handfast.errors import (
    ModelTimeoutError,
    ProviderError,
    ProviderProtocolError,
    ProviderUnavailable,
    RateLimitError,
)
from handfast.models.provider_errors import request_id_in, seconds_to_wait
from handfast.runner.spans import words_of

# Classes of foreign client libraries, known by name: none of them need be installed.
_NETWORK: Final = frozenset(
    {"APIConnectionError", "NetworkError", "TransportError", "ConnectError"}
)
_TIMEOUT: Final = frozenset({"APITimeoutError", "TimeoutException"})


def normalized(error: BaseException) -> ModelRetryNormalizedError:
    """The failure in the words that policies are written in."""
    if isinstance(error, ProviderError):
        return ModelRetryNormalizedError(
            status_code=error.status,
            error_code=error.code,
            message=str(error),
            request_id=error.request_id,
            retry_after=error.retry_after,
            is_network_error=isinstance(error, ProviderProtocolError)
            or (error.status is None and isinstance(error, ProviderUnavailable)),
        )
    headers = _headers(error)
    kinds = {kind.__name__ for kind in type(error).__mro__}
    timeout = isinstance(error, ModelTimeoutError | TimeoutError) or bool(kinds & _TIMEOUT)
    return ModelRetryNormalizedError(
        status_code=_status(error),
        error_code=_code(error),
        message=words_of(error, sensitive=True),
        request_id=_text(getattr(error, "request_id", None)) or request_id_in(headers),
        retry_after=seconds_to_wait(headers, ""),
        is_abort=isinstance(error, asyncio.CancelledError),
        is_network_error=timeout or isinstance(error, ConnectionError) or bool(kinds & _NETWORK),
        is_timeout=timeout,
    )


def advice_from(error: BaseException) -> ModelRetryAdvice | None:
    """What our own error classes say about a second try; None for any other error.

    A provider that answered with an HTTP failure has not done the work; one whose connection broke
    may have done all of it.
    """
    if isinstance(error, ModelTimeoutError):
        return ModelRetryAdvice(suggested=True, reason="The model took too long.")
    if not isinstance(error, ProviderError):
        return None
    again = isinstance(error, ProviderUnavailable | RateLimitError)
    if error.code == "insufficient_quota":
        again = False
    safe = again and error.status is not None
    return ModelRetryAdvice(
        suggested=again,
        retry_after=error.retry_after,
        replay_safety="safe" if safe else None,
        reason=type(error).__name__,
    )


def _headers(error: BaseException) -> Mapping[str, str]:
    response: object = getattr(error, "response", None)
    headers: object = getattr(response, "headers", None)
    if not is_object(headers):
        return {}
    return {str(name).lower(): str(value) for name, value in headers.items()}


def _status(error: BaseException) -> int | None:
    status: object = getattr(error, "status_code", None)
    return status if isinstance(status, int) else None


def _code(error: BaseException) -> str | None:
    code = _text(getattr(error, "code", None))
    body: object = getattr(error, "body", None)
    if code is not None or not is_object(body):
        return code
    inner = body.get("error")
    return _text(inner.get("code") if is_object(inner) else body.get("code"))


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
