"""What a run has spent, and what it may spend."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Spend:
    """Model use so far: a sum that only grows."""

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    total_tokens: int = 0
    cached_tokens: int = 0
    """Part of `input_tokens` that the provider read from its cache."""
    reasoning_tokens: int = 0
    """Part of `output_tokens` that nobody sees."""

    def plus(self, other: Spend) -> Spend:
        """This and the other together."""
        return Spend(
            self.requests + other.requests,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.total_tokens + other.total_tokens,
            self.cached_tokens + other.cached_tokens,
            self.reasoning_tokens + other.reasoning_tokens,
        )


NOTHING_SPENT = Spend()


@dataclass(frozen=True, slots=True)
class Limits:
    """The finite budgets of a run. None means that the user asked for no limit."""

    max_turns: int | None = 10
    """Model calls of this run; agents used as tools have their own."""
    max_calls: int | None = 1_000
    """Tool calls over the whole run."""
    max_tokens: int | None = 10_000_000
    """`Spend.total_tokens`, checked before each model call."""
