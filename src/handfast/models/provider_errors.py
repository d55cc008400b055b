"""From what a provider says when it fails to the error that tells whose fault it is.

A failure comes as an HTTP status with a body, as an error inside a body with status 200, or as an
event in a stream. Its code, its status and, where both are useless, its words decide the class.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from handfast.agents.json_types import is_array, is_object
from handfast.errors import (
    AuthenticationError,
    BadRequestError,
    ContextWindowExceeded,
    ModelNotFoundError,
    ProviderError,
    ProviderUnavailable,
    RateLimitError,
)
from handfast.models.json_text import compact_json, read_json

MAX_MESSAGE_CHARS = 2_000
"""How much of a provider's own words an error repeats."""

_REQUEST_ID_HEADERS = ("x-request-id", "request-id", "x-amzn-requestid", "apim-request-id")

_CODES: Mapping[str, type[ProviderError]] = {
    "context_length_exceeded": ContextWindowExceeded,
    "invalid_api_key": AuthenticationError,
    "authentication_error": AuthenticationError,
    "permission_denied": AuthenticationError,
    "model_not_found": ModelNotFoundError,
    "rate_limit_exceeded": RateLimitError,
    "rate_limit_error": RateLimitError,
    "insufficient_quota": RateLimitError,
    "ratelimitreached": RateLimitError,
    "server_error": ProviderUnavailable,
    "internal_server_error": ProviderUnavailable,
    "overloaded_error": ProviderUnavailable,
    "service_unavailable": ProviderUnavailable,
    "content_filter": BadRequestError,
    "tool_use_failed": BadRequestError,
    "invalid_prompt": BadRequestError,
}
"""Codes that say more than the status; compared in lower case."""

_TOO_LONG = re.compile(
    r"maximum context length|context window|exceeds? the (available |maximum )?context|"
    r"prompt is too long|input is too long|maximum prompt length|input token count .{0,40}exceeds|"
    r"range of input length|too many input tokens|context length (was |is )?exceeded|"
    r"exceeds? (the )?(model's )?(max(imum)? )?(input|context) (length|tokens|size)",
    re.IGNORECASE,
)
_BAD_KEY = re.compile(
    r"(incorrect|invalid|missing|wrong|no valid|expired) api[ _-]?key|"
    r"api[ _-]?key (is )?(not valid|invalid|incorrect|missing|expired)|"
    r"did(n't| not) provide an api key",
    re.IGNORECASE,
)
_TRY_AGAIN = re.compile(
    r"(?:try again in|retry (?:after|in)) (\d{1,6}(?:\.\d{1,6})?) ?"
    r"(ms|s|sec|seconds?|m|minutes?)\b",
    re.IGNORECASE,
)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_HTTP_DATE = re.compile(
    rf"[A-Z][a-z]{{2}}, (\d{{2}}) ({'|'.join(_MONTHS)}) (\d{{4}}) "
    r"(\d{2}):(\d{2}):(\d{2}) GMT",
)
_UNIT_SECONDS = {"ms": 0.001, "m": 60.0, "minute": 60.0, "minutes": 60.0}


@dataclass(frozen=True, slots=True)
class ProviderSaid:
    """What a provider said about a failure, whatever form it took."""

    message: str
    """Its words; empty where it had none."""
    code: str | None = None
    """Its code, or its type where the code says nothing."""
    status: int | None = None
    """A status inside the body: some answer 200 and put it there."""
    request_id: str | None = None
    """The id of the request, where the body has it."""


def provider_error(
    status: int | None,
    headers: Mapping[str, str],
    body: bytes | Mapping[str, object],
    *,
    provider: str,
) -> ProviderError:
    """The error for a failed request.

    Args:
        status: The HTTP status; None, or 200, for an error inside an answer or a stream.
        headers: The answer's headers.
        body: The answer's body, or the JSON object that told of the error.
        provider: What the message calls the provider.

    Returns:
        An error with status, request id, code and seconds to wait, for the caller to raise.
    """
    said = what_was_said(body)
    actual = status if status is not None and status >= 400 else said.status  # noqa: PLR2004 - HTTP
    kind = _class_of(actual, said)
    answered = f"answered {actual}" if actual is not None else "reported an error"
    words = said.message or "without a word"
    code = f" ({said.code})" if said.code else ""
    return kind(
        f"{provider} {answered}{code}: {words}",
        status=actual,
        request_id=request_id_in(headers) or said.request_id,
        code=said.code,
        retry_after=seconds_to_wait(headers, said.message),
    )


def carries_error(body: Mapping[str, object]) -> bool:
    """True for a JSON object that tells of an error, whatever the HTTP status was."""
    error = body.get("error")
    return bool(error) and (is_object(error) or isinstance(error, str))


def request_id_in(headers: Mapping[str, str]) -> str | None:
    """The provider's id of the request, for its support."""
    return next((headers[name] for name in _REQUEST_ID_HEADERS if headers.get(name)), None)


def what_was_said(body: bytes | Mapping[str, object]) -> ProviderSaid:
    """The message and code in an error's body, in any of the forms that providers use."""
    if isinstance(body, bytes):
        try:
            value = read_json(body)
        except ValueError:
            return ProviderSaid(_plain_words(body))
        if is_array(value) and value:
            value = value[0]  # Gemini sends the object inside a list
        if not is_object(value):
            return ProviderSaid(_plain_words(body))
        body = value
    error = body.get("error")
    if is_object(error):
        return ProviderSaid(
            _message(error) or _message(body),
            _code(error),
            _status(error),
            _text(body.get("request_id")),
        )
    words = error if isinstance(error, str) else _message(body)
    return ProviderSaid(_cut(words), _code(body), _status(body), _text(body.get("request_id")))


def seconds_to_wait(headers: Mapping[str, str], message: str = "") -> float | None:
    """How long a provider asks to wait, in seconds.

    `Retry-After` is a number of seconds or an HTTP date (RFC 9110, section 10.2.3);
    `retry-after-ms` is finer where it is there. Rate limits inside a stream have no headers and
    say it in words.

    Returns:
        A finite number of seconds, not negative; None where nothing usable was said.
    """
    millis = _number(headers.get("retry-after-ms"))
    if millis is not None and millis > 0:
        return millis / 1000
    given = headers.get("retry-after", "").strip()
    seconds = _number(given)
    if seconds is not None:
        return seconds if seconds >= 0 else None
    if given:
        return _until(given, headers.get("date"))
    asked = _TRY_AGAIN.search(message)
    if asked is None:
        return None
    return float(asked[1]) * _UNIT_SECONDS.get(asked[2].lower(), 1.0)


def _class_of(status: int | None, said: ProviderSaid) -> type[ProviderError]:
    known = _CODES.get((said.code or "").lower())
    if known is not None:
        return known
    if status not in {429, 413} and _TOO_LONG.search(said.message):
        return ContextWindowExceeded
    if _BAD_KEY.search(said.message):
        return AuthenticationError
    return ProviderUnavailable if status is None else _class_of_status(status)


def _class_of_status(status: int) -> type[ProviderError]:
    match status:
        case 401 | 403:
            return AuthenticationError
        case 404:
            return ModelNotFoundError
        case 402 | 429:  # 402: no money left, which is a quota too
            return RateLimitError
        case _ if status < 500 and status != 408:  # noqa: PLR2004 - HTTP; 408: it took too long
            return BadRequestError
        case _:
            return ProviderUnavailable


def _message(error: Mapping[str, object]) -> str:
    words = next(
        (error[key] for key in ("message", "detail", "msg", "error_msg") if error.get(key)),
        "",
    )
    text = words if isinstance(words, str) else compact_json(words)
    metadata = error.get("metadata")  # OpenRouter puts the words of the provider behind it there
    raw = metadata.get("raw") if is_object(metadata) else None
    failed = error.get("failed_generation")  # Groq shows what the model wrote
    parts = [text, *(part for part in (raw, failed) if isinstance(part, str) and part)]
    return _cut(" | ".join(part for part in parts if part))


def _code(error: Mapping[str, object]) -> str | None:
    """The code; its type where there is no code, or only a number or the type again."""
    code = error.get("code")
    if isinstance(code, str) and code:
        return code
    return _text(error.get("type"))


def _status(error: Mapping[str, object]) -> int | None:
    for key in ("status_code", "status", "code"):
        value = error.get(key)
        if isinstance(value, str) and value.isascii() and value.isdigit():
            value = int(value[:4])
        if isinstance(value, int) and 400 <= value <= 599:  # noqa: PLR2004 - HTTP
            return value
    return None


def _until(date: str, now: str | None) -> float | None:
    """Seconds from the provider's own clock, where it told it, to a date; None for a past one."""
    then = http_date(date)
    if then is None:
        return None
    start = (http_date(now) if now else None) or datetime.now(UTC)
    seconds = (then - start).total_seconds()
    return seconds if seconds > 0 else None


def http_date(text: str) -> datetime | None:
    """The time in an HTTP date (RFC 9110, section 5.6.7), without the two obsolete forms."""
    found = _HTTP_DATE.fullmatch(text.strip())
    if found is None:
        return None
    day, month, year, hour, minute, second = found.groups()
    try:
        return datetime(
            int(year),
            _MONTHS.index(month) + 1,
            int(day),
            int(hour),
            int(minute),
            min(int(second), 59),  # a leap second is written 60
            tzinfo=UTC,
        )
    except ValueError:
        return None


def _number(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _plain_words(body: bytes) -> str:
    """A body that is no JSON: a proxy's page, mostly; tags and blank space taken out."""
    text = body[: 4 * MAX_MESSAGE_CHARS].decode("utf-8", "replace")
    return _cut(" ".join(re.sub(r"<[^<>]{0,500}>", " ", text).split()))


def _cut(text: str) -> str:
    return text if len(text) <= MAX_MESSAGE_CHARS else text[:MAX_MESSAGE_CHARS] + " ..."


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
