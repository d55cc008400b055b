"""`ModelSettings`: what a user may ask of a model call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Literal, TypeAlias

ToolChoice: TypeAlias = str
"""`auto`, `required`, `none`, or the name of the one tool that must be called."""

Truncation: TypeAlias = Literal["auto", "disabled"]


@dataclass(frozen=True)
class ModelSettings:
    """Settings of a model call; None leaves the provider's default.

    Not every provider takes every setting; an adapter drops what its endpoint does not know and
    never guesses a replacement.
    """

    temperature: float | None = None
    top_p: float | None = None
    frequency_penalty: float | None = None
    presence_penalty: float | None = None
    tool_choice: ToolChoice | None = None
    parallel_tool_calls: bool | None = None
    """False asks for at most one call an answer."""
    truncation: Truncation | None = None
    """Responses endpoint only."""
    max_tokens: int | None = None
    """The most output tokens of one answer."""
    reasoning: Mapping[str, object] | None = None
    """For example `{"effort": "low"}`; passed on as the endpoint wants it."""
    verbosity: Literal["low", "medium", "high"] | None = None
    metadata: Mapping[str, str] | None = None
    store: bool | None = None
    """Whether the provider keeps the response."""
    prompt_cache_retention: str | None = None
    prompt_cache_key: str | None = None
    include_usage: bool | None = None
    """Chat completions, streamed: ask for usage in the last chunk. None asks for it."""
    response_include: tuple[str, ...] | None = None
    top_logprobs: int | None = None
    stop: tuple[str, ...] | None = None
    """Texts at which a chat completion ends."""
    seed: int | None = None
    timeout: float | None = None
    """Seconds for one whole model call, retries apart; None takes `RunConfig.model_timeout`."""
    extra_query: Mapping[str, object] | None = None
    extra_body: Mapping[str, object] | None = None
    extra_headers: Mapping[str, str] | None = None
    extra_args: Mapping[str, object] | None = None
    """Further keys of the request body."""

    def resolve(self, override: ModelSettings | None) -> ModelSettings:
        """These settings with everything that the override sets.

        `extra_args` are merged key by key; every other field is replaced whole.
        """
        if override is None:
            return self
        changes = {
            field.name: value
            for field in fields(override)
            if (value := getattr(override, field.name)) is not None
        }
        if self.extra_args and override.extra_args:
            changes["extra_args"] = {**self.extra_args, **override.extra_args}
        return replace(self, **changes) if changes else self
