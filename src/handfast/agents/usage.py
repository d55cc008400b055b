"""`Usage`: the public count of requests and tokens, added up by the runner."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

from handfast.agents.json_types import is_array, is_object
from handfast.core.usage import Spend


@dataclass
class InputTokensDetails:
    """Parts of the input tokens."""

    cached_tokens: int = 0
    """Read from the provider's prompt cache."""
    cache_write_tokens: int = 0
    """Written to it."""


@dataclass
class OutputTokensDetails:
    """Parts of the output tokens."""

    reasoning_tokens: int = 0
    """Spent on reasoning that is not shown."""


@dataclass
class RequestUsage:
    """The tokens of one request."""

    input_tokens: int
    output_tokens: int
    total_tokens: int
    input_tokens_details: InputTokensDetails
    output_tokens_details: OutputTokensDetails

    def __post_init__(self) -> None:
        self.input_tokens_details = input_details_of(self.input_tokens_details)
        self.output_tokens_details = output_details_of(self.output_tokens_details)


@dataclass
class Usage:
    """Requests and tokens of a model call, an agent or a run.

    Details are taken in any provider's form (the `openai` package's objects, mappings, None) and
    kept in ours.
    """

    requests: int = 0
    input_tokens: int = 0
    input_tokens_details: InputTokensDetails = field(default_factory=InputTokensDetails)
    output_tokens: int = 0
    output_tokens_details: OutputTokensDetails = field(default_factory=OutputTokensDetails)
    total_tokens: int = 0
    request_usage_entries: list[RequestUsage] = field(default_factory=list[RequestUsage])
    """One entry a request, for prices that depend on the size of each."""

    def __post_init__(self) -> None:
        self.input_tokens_details = input_details_of(self.input_tokens_details)
        self.output_tokens_details = output_details_of(self.output_tokens_details)

    def add(self, other: Usage) -> None:
        """Add another count to this one, in place; nothing of the other is shared."""
        self.requests += other.requests
        self.input_tokens += other.input_tokens
        self.output_tokens += other.output_tokens
        self.total_tokens += other.total_tokens
        mine, theirs = self.input_tokens_details, other.input_tokens_details
        self.input_tokens_details = InputTokensDetails(
            mine.cached_tokens + theirs.cached_tokens,
            mine.cache_write_tokens + theirs.cache_write_tokens,
        )
        self.output_tokens_details = OutputTokensDetails(
            self.output_tokens_details.reasoning_tokens
            + other.output_tokens_details.reasoning_tokens,
        )
        if other.request_usage_entries:
            self.request_usage_entries.extend(map(_copied, other.request_usage_entries))
        elif other.requests == 1 and other.total_tokens > 0:
            self.request_usage_entries.append(
                RequestUsage(
                    other.input_tokens,
                    other.output_tokens,
                    other.total_tokens,
                    replace(other.input_tokens_details),
                    replace(other.output_tokens_details),
                ),
            )

    def to_spend(self) -> Spend:
        """The same count as the core keeps it."""
        return Spend(
            self.requests,
            self.input_tokens,
            self.output_tokens,
            self.total_tokens,
            self.input_tokens_details.cached_tokens,
            self.output_tokens_details.reasoning_tokens,
        )


def _copied(entry: RequestUsage) -> RequestUsage:
    return replace(
        entry,
        input_tokens_details=replace(entry.input_tokens_details),
        output_tokens_details=replace(entry.output_tokens_details),
    )


# ---- any provider's details ---------------------------------------------------------------------


def input_details_of(given: object) -> InputTokensDetails:
    """Our form of the details of input tokens; what they do not say is 0."""
    if isinstance(given, InputTokensDetails):
        return given
    return InputTokensDetails(_count(given, "cached_tokens"), _count(given, "cache_write_tokens"))


def output_details_of(given: object) -> OutputTokensDetails:
    """Our form of the details of output tokens; what they do not say is 0."""
    if isinstance(given, OutputTokensDetails):
        return given
    return OutputTokensDetails(_count(given, "reasoning_tokens"))


def _count(given: object, name: str) -> int:
    value = given.get(name) if is_object(given) else getattr(given, name, None)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


# ---- as JSON ------------------------------------------------------------------------------------


def serialize_usage(usage: Usage) -> dict[str, Any]:
    """The count as JSON data; the details stand in lists of one, as the SDK stores them."""
    return {
        "requests": usage.requests,
        "input_tokens": usage.input_tokens,
        "input_tokens_details": [dict(vars(usage.input_tokens_details))],
        "output_tokens": usage.output_tokens,
        "output_tokens_details": [dict(vars(usage.output_tokens_details))],
        "total_tokens": usage.total_tokens,
        "request_usage_entries": [_entry_data(each) for each in usage.request_usage_entries],
    }


def deserialize_usage(data: Mapping[str, Any]) -> Usage:
    """The count that `serialize_usage` wrote; what is missing is 0."""
    entries: object = data.get("request_usage_entries")
    return Usage(
        _count(data, "requests"),
        _count(data, "input_tokens"),
        input_details_of(_only(data.get("input_tokens_details"))),
        _count(data, "output_tokens"),
        output_details_of(_only(data.get("output_tokens_details"))),
        _count(data, "total_tokens"),
        [_entry_of(each) for each in entries] if is_array(entries) else [],
    )


def model_usage_to_span_usage(usage: Usage) -> dict[str, Any]:
    """The count as spans of a trace hold it."""
    return {
        "requests": usage.requests,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "total_tokens": usage.total_tokens,
        "input_tokens_details": dict(vars(usage.input_tokens_details)),
        "output_tokens_details": dict(vars(usage.output_tokens_details)),
    }


def _entry_data(entry: RequestUsage) -> dict[str, Any]:
    return {
        **vars(entry),
        "input_tokens_details": dict(vars(entry.input_tokens_details)),
        "output_tokens_details": dict(vars(entry.output_tokens_details)),
    }


def _entry_of(data: object) -> RequestUsage:
    said: Mapping[str, object] = data if is_object(data) else {}
    return RequestUsage(
        _count(said, "input_tokens"),
        _count(said, "output_tokens"),
        _count(said, "total_tokens"),
        cast("Any", said.get("input_tokens_details")),
        cast("Any", said.get("output_tokens_details")),
    )


def _only(given: object) -> object:
    """What a list of one holds; anything else as it is."""
    return given[0] if is_array(given) and given else given
