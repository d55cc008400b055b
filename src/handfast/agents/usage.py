"""`Usage`: the public count of requests and tokens, added up by the runner."""

from __future__ import annotations

from dataclasses import dataclass, field

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


@dataclass
class Usage:
    """Requests and tokens of a model call, an agent or a run."""

    requests: int = 0
    input_tokens: int = 0
    input_tokens_details: InputTokensDetails = field(default_factory=InputTokensDetails)
    output_tokens: int = 0
    output_tokens_details: OutputTokensDetails = field(default_factory=OutputTokensDetails)
    total_tokens: int = 0
    request_usage_entries: list[RequestUsage] = field(default_factory=list)
    """One entry a request, for prices that depend on the size of each."""

    def add(self, other: Usage) -> None:
        """Add another count to this one, in place."""
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
            self.request_usage_entries.extend(other.request_usage_entries)
        elif other.requests == 1 and other.total_tokens > 0:
            self.request_usage_entries.append(
                RequestUsage(
                    other.input_tokens,
                    other.output_tokens,
                    other.total_tokens,
                    other.input_tokens_details,
                    other.output_tokens_details,
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
