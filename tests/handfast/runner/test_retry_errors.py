from __future__ import annotations

import asyncio
from typing import Any

import httpx
import openai
import pytest

from handfast import (
    BadRequestError,
    ModelTimeoutError,
    ProviderProtocolError,
    ProviderUnavailable,
    RateLimitError,
)
from handfast.runner.retry_errors import advice_from, normalized
from handfast.runner.spans import UNAVAILABLE

# Which HTTP library the client is typed with depends on its version.
REQUEST: Any = httpx.Request("POST", "https://example.com")


def test_our_own_errors_are_told_by_their_fields() -> None:
    limited = normalized(
        RateLimitError("slow", status=429, request_id="r", code="rate_limit", retry_after=3.0),
    )
    assert (limited.status_code, limited.error_code, limited.request_id) == (429, "rate_limit", "r")
    assert (limited.retry_after, limited.is_network_error) == (3.0, False)
    assert normalized(ProviderUnavailable("gone")).is_network_error
    assert normalized(ProviderProtocolError("cut", status=200)).is_network_error
    assert not normalized(ProviderUnavailable("down", status=503)).is_network_error
    slow = normalized(ModelTimeoutError(1))
    assert (slow.is_timeout, slow.is_network_error) == (True, True)


def test_errors_of_foreign_clients_are_told_by_their_names_and_headers() -> None:
    response: Any = httpx.Response(
        429,
        request=REQUEST,
        headers={"Retry-After-Ms": "1250", "X-Request-Id": "r"},
    )
    body = {"error": {"code": "rate_limit"}}
    limited = normalized(openai.APIStatusError("slow", response=response, body=body))
    assert (limited.status_code, limited.error_code) == (429, "rate_limit")
    assert (limited.retry_after, limited.request_id) == (1.25, "r")
    assert normalized(openai.APIConnectionError(request=REQUEST)).is_network_error
    assert normalized(openai.APITimeoutError(request=REQUEST)).is_timeout
    assert normalized(httpx.ReadTimeout("slow")).is_timeout
    assert normalized(httpx.ConnectError("gone")).is_network_error
    assert normalized(ConnectionResetError()).is_network_error
    assert normalized(TimeoutError()).is_timeout
    assert normalized(asyncio.CancelledError()).is_abort
    odd = normalized(ValueError("odd"))
    assert not (odd.is_network_error)
    assert not (odd.is_timeout)
    assert not (odd.is_abort)


@pytest.mark.parametrize(
    ("error", "suggested", "safety"),
    [
        (RateLimitError("slow", status=429), True, "safe"),
        (RateLimitError("no money", status=429, code="insufficient_quota"), False, None),
        (ProviderUnavailable("down", status=503), True, "safe"),
        (ProviderUnavailable("gone"), True, None),
        (ProviderProtocolError("cut"), False, None),
        (BadRequestError("bad", status=400), False, None),
        (ModelTimeoutError(1), True, None),
    ],
)
def test_our_own_errors_say_whether_a_second_try_makes_sense(
    error: Exception,
    suggested: bool,  # noqa: FBT001 - a case
    safety: str | None,
) -> None:
    advice = advice_from(error)
    assert advice is not None
    assert (advice.suggested, advice.replay_safety) == (suggested, safety)


def test_nothing_is_said_about_the_errors_of_others() -> None:
    assert advice_from(ValueError("odd")) is None


class _Unspeakable(Exception):
    def __str__(self) -> str:
        raise ValueError("no words")


def test_an_error_without_words_is_an_error_all_the_same() -> None:
    assert normalized(_Unspeakable()).message == UNAVAILABLE
