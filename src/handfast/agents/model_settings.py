"""`ModelSettings`: what a user may ask of a model call."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Annotated, Any, Literal, TypeAlias, cast

from pydantic import BaseModel, Field, TypeAdapter
from pydantic_core import to_jsonable_python

from handfast.agents.json_types import is_object
from handfast.agents.retry_settings import ModelRetrySettings


@dataclass
class MCPToolChoice:
    """The one tool of a hosted MCP server that must be called."""

    server_label: str
    name: str


ToolChoice: TypeAlias = str | MCPToolChoice
"""`auto`, `required`, `none`, or the name of the one tool that must be called."""

Truncation: TypeAlias = Literal["auto", "disabled"]


@dataclass
class ModelSettings:
    """Settings of a model call; None leaves the provider's default.

    Not every provider takes every setting; an adapter drops what its endpoint does not know and
    never guesses a replacement.

    Raises:
        pydantic.ValidationError: `timeout` is no finite number of seconds above 0.
        TypeError: `retry` or `context_management` has a key that is no setting.
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
    reasoning: Any = None
    """For example `{"effort": "low"}`, or the `openai` package's `Reasoning`, which a mapping
    becomes where that package is installed; passed on as the endpoint wants it."""
    verbosity: Literal["low", "medium", "high"] | None = None
    metadata: Mapping[str, str] | None = None
    store: bool | None = None
    """Whether the provider keeps the response."""
    prompt_cache_retention: str | None = None
    include_usage: bool | None = None
    """Chat completions, streamed: ask for usage in the last chunk. None asks for it."""
    response_include: Sequence[str] | None = None
    top_logprobs: int | None = None
    extra_query: Mapping[str, object] | None = None
    extra_body: Mapping[str, object] | None = None
    extra_headers: Mapping[str, str] | None = None
    extra_args: Mapping[str, object] | None = None
    """Further keys of the request body, such as `stop`, `seed` or `prompt_cache_key`."""
    retry: ModelRetrySettings | None = None
    """Whether and how a failed call is made again; a dict of them is taken too."""
    context_management: Sequence[Mapping[str, object]] | None = None
    """Responses endpoint only: how the provider makes a long conversation shorter."""
    prompt_cache_options: Mapping[str, object] | None = None
    preserve_raw_usage: bool | None = None
    """True keeps the provider's own usage object with each response, as `raw_usage`."""
    timeout: float | None = None
    """Seconds for one whole model call, retries apart; None takes `RunConfig.model_timeout`."""

    def __post_init__(self) -> None:
        if self.timeout is not None:
            _SECONDS.validate_python(self.timeout)
        if is_object(self.reasoning):
            self.reasoning = _typed_reasoning(self.reasoning)
        retry: object = self.retry
        if is_object(retry):
            self.retry = ModelRetrySettings.of(retry)
        for n, each in enumerate(self.context_management or ()):
            refuse_unknown(each, _CONTEXT_MANAGEMENT, f"context_management[{n}]")

    @classmethod
    def of(cls, given: Mapping[str, object]) -> ModelSettings:
        """Settings from a mapping of them.

        Raises:
            TypeError: It has a key that is no setting.
        """
        refuse_unknown(given, {each.name for each in fields(cls)}, "")
        make = cast("Any", cls)
        settings: ModelSettings = make(**given)
        return settings

    def resolve(self, override: ModelSettings | Mapping[str, object] | None) -> ModelSettings:
        """These settings with everything that the override sets.

        `extra_args` and `retry` are merged key by key; every other field is replaced whole.

        Raises:
            TypeError: The override is a mapping with a key that is no setting.
        """
        if override is None:
            return self
        over = override if isinstance(override, ModelSettings) else ModelSettings.of(override)
        changes: dict[str, Any] = {
            name: value for name, value in vars(over).items() if value is not None
        }
        if self.extra_args and over.extra_args:
            changes["extra_args"] = {**self.extra_args, **over.extra_args}
        if self.retry is not None and over.retry is not None:
            changes["retry"] = self.retry.resolve(over.retry)
        return replace(self, **changes) if changes else self

    def to_json_dict(self) -> dict[str, Any]:
        """The settings as JSON data; what cannot be stored, such as a retry policy, is left out."""
        return {name: _plain(value) for name, value in vars(self).items()}

    def to_traceable_dict(self) -> dict[str, Any]:
        """The settings as a trace may hold them: without what a request may hide secrets in."""
        return {name: _plain(value) for name, value in vars(self).items() if name not in _UNTRACED}


_SECONDS: TypeAdapter[float] = TypeAdapter(Annotated[float, Field(gt=0, allow_inf_nan=False)])
_CONTEXT_MANAGEMENT = frozenset({"type", "compact_threshold"})
_UNTRACED = frozenset(
    {"extra_query", "extra_body", "extra_headers", "extra_args", "preserve_raw_usage"},
)


def refuse_unknown(
    given: Mapping[str, object],
    known: frozenset[str] | set[str],
    where: str,
) -> None:
    """Refuse keys that are no settings.

    Raises:
        TypeError: There is one; the message names it and its place.
    """
    unknown = sorted(str(key) for key in given.keys() - known)
    if unknown:
        place = f" in {where}" if where else ""
        raise TypeError(f"Unknown model settings{place}: {', '.join(unknown)}")


def _plain(value: object) -> Any:  # noqa: ANN401 - JSON data
    if isinstance(value, ModelRetrySettings):
        return value.to_json_dict()
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", exclude_unset=True, warnings=False)
    return to_jsonable_python(value)


def _typed_reasoning(given: Mapping[str, object]) -> object:
    """The `openai` package's `Reasoning`, where that is installed: the SDK's users read it."""
    if importlib.util.find_spec("openai") is None:
        return dict(given)
    shared = importlib.import_module("openai.types.shared")
    return shared.Reasoning.model_validate(dict(given))
