"""From what a provider says to the error that tells whose fault it is."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast.errors import (
    AuthenticationError,
    BadRequestError,
    ContextWindowExceeded,
    ModelNotFoundError,
    ProviderError,
    ProviderUnavailable,
    RateLimitError,
)
from handfast.models.provider_errors import (
    carries_error,
    http_date,
    provider_error,
    request_id_in,
    seconds_to_wait,
    what_was_said,
)


def error_for(
    body: object,
    status: int | None = 400,
    headers: dict[str, str] | None = None,
) -> ProviderError:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return provider_error(status, headers or {}, data, provider="example")


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, BadRequestError),
        (401, AuthenticationError),
        (402, RateLimitError),
        (403, AuthenticationError),
        (404, ModelNotFoundError),
        (408, ProviderUnavailable),
        (409, BadRequestError),
        (422, BadRequestError),
        (429, RateLimitError),
        (500, ProviderUnavailable),
        (503, ProviderUnavailable),
        (529, ProviderUnavailable),
    ],
)
def test_a_status_alone_decides(status: int, kind: type[ProviderError]) -> None:
    error = error_for(b"", status)
    assert type(error) is kind
    assert error.status == status
    assert str(error) == f"example answered {status}: without a word"


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({"error": {"code": "context_length_exceeded", "message": "x"}}, ContextWindowExceeded),
        ({"error": {"message": "This model's maximum context length is 8"}}, ContextWindowExceeded),
        ({"error": {"message": "It exceeds the available context size"}}, ContextWindowExceeded),
        ({"error": {"message": "prompt is too long: 9 tokens > 8"}}, ContextWindowExceeded),
        ({"error": {"message": "Range of input length should be [1, 8]"}}, ContextWindowExceeded),
        ({"error": {"message": "This model's maximum prompt length is 8"}}, ContextWindowExceeded),
        ({"error": "Incorrect API key provided", "code": "invalid"}, AuthenticationError),
        ({"error": {"message": "API key not valid. Please pass one."}}, AuthenticationError),
        ({"error": {"code": "model_not_found", "message": "x"}}, ModelNotFoundError),
        ({"error": {"code": "insufficient_quota", "message": "x"}}, RateLimitError),
        ({"error": {"message": "max_tokens must be at least 1"}}, BadRequestError),
    ],
)  # fmt: skip
def test_code_and_words_say_more_than_a_400(body: object, kind: type[ProviderError]) -> None:
    assert type(error_for(body)) is kind


def test_a_rate_limit_on_tokens_is_no_context_limit() -> None:
    body = {"error": {"message": "Request exceeds the context window per minute"}}
    assert type(error_for(body, 429)) is RateLimitError


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        ({"error": {"message": "x", "code": 429}}, RateLimitError, 429),
        ({"error": {"message": "x", "status_code": 400}}, BadRequestError, 400),
        ({"error": {"message": "x", "code": "503"}}, ProviderUnavailable, 503),
        ({"error": {"message": "Provider returned error"}}, ProviderUnavailable, None),
        ({"error": {"message": "x", "code": "server_error"}}, ProviderUnavailable, None),
    ],
)
def test_an_error_inside_a_success_goes_by_what_it_says(
    body: dict[str, object],
    kind: type[ProviderError],
    status: int | None,
) -> None:
    error = provider_error(200, {}, body, provider="example")
    assert (type(error), error.status) == (kind, status)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"detail": "Invalid API Key"}, "Invalid API Key"),
        ({"detail": [{"msg": "field required"}]}, '[{"msg":"field required"}]'),
        ({"message": "plain"}, "plain"),
        ({"error": "text"}, "text"),
        ([{"error": {"message": "in a list"}}], "in a list"),
        ({"error": {"message": "a", "metadata": {"raw": "b"}}}, "a | b"),
        ({"error": {"message": "a", "failed_generation": "{x"}}, "a | {x"),
        ({}, ""),
        ([], "[]"),
    ],
)
def test_the_words_are_found_in_every_form(body: object, message: str) -> None:
    assert what_was_said(json.dumps(body).encode()).message == message


def test_a_proxy_s_page_is_reduced_to_its_words() -> None:
    page = b"<html><head><title>502 Bad Gateway</title></head><body><h1>nginx</h1></body></html>"
    error = error_for(page, 502)
    assert type(error) is ProviderUnavailable
    assert str(error) == "example answered 502: 502 Bad Gateway nginx"


def test_long_words_are_cut() -> None:
    assert len(str(error_for({"error": {"message": "x" * 9000}}))) < 2100


def test_facts_for_support_are_kept() -> None:
    body = {"error": {"message": "x", "code": "c"}, "request_id": "from-body"}
    assert error_for(body).request_id == "from-body"
    error = error_for(body, 429, {"x-request-id": "from-header", "retry-after": "3"})
    assert (error.request_id, error.code, error.retry_after) == ("from-header", "c", 3.0)
    assert request_id_in({}) is None


DATE = "Mon, 30 Nov 2026 10:00:00 GMT"


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after": "86400"}, 86400.0),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "1", "retry-after-ms": "20"}, 0.02),
        ({"retry-after": "1", "retry-after-ms": "0"}, 1.0),
        ({"retry-after": "Mon, 30 Nov 2026 10:00:07 GMT", "date": DATE}, 7.0),
        ({"retry-after": "Mon, 30 Nov 2026 09:59:00 GMT", "date": DATE}, None),
        ({"retry-after": "Mon, 30 Feb 2026 09:59:00 GMT", "date": DATE}, None),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, None),
    ],
)
def test_the_wait_is_read_or_left_out(headers: dict[str, str], seconds: float | None) -> None:
    assert seconds_to_wait(headers) == seconds


def test_a_date_far_ahead_is_measured_from_this_machine_s_clock() -> None:
    assert (seconds_to_wait({"retry-after": "Tue, 01 Jan 2199 00:00:00 GMT"}) or 0) > 10**9


@pytest.mark.parametrize(
    ("words", "seconds"),
    [
        ("Please try again in 1.2s.", 1.2),
        ("Please try again in 20ms.", 0.02),
        ("please retry after 3 seconds", 3.0),
        ("Retry in 2 minutes", 120.0),
        ("try again in a while", None),
    ],
)
def test_a_wait_in_words_is_read(words: str, seconds: float | None) -> None:
    assert seconds_to_wait({}, words) == pytest.approx(seconds)


def test_http_dates_are_read_and_nothing_else() -> None:
    read = http_date(DATE)
    assert read is not None
    assert read.isoformat() == "2026-11-30T10:00:00+00:00"
    assert http_date("2026-11-30") is None


@pytest.mark.parametrize(
    ("body", "carries"),
    [
        ({"error": {"message": "x"}}, True),
        ({"error": "x"}, True),
        ({"error": None}, False),
        ({"error": {}}, False),
        ({"choices": []}, False),
    ],
)
def test_an_empty_error_is_none(body: dict[str, object], carries: bool) -> None:  # noqa: FBT001 - a parameter of the test
    assert carries_error(body) == carries


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["error", "message", "code", "status", "detail", "type", "metadata", "x"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(JSON, st.integers(100, 599) | st.none())
def test_no_body_is_too_odd(body: object, status: int | None) -> None:
    error = provider_error(status, {}, json.dumps(body).encode(), provider="example")
    assert isinstance(error, ProviderError)
    assert str(error)


@given(st.binary(max_size=80))
def test_no_bytes_are_too_odd(body: bytes) -> None:
    assert isinstance(provider_error(500, {}, body, provider="example"), ProviderUnavailable)
