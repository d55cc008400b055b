"""How often a failed model call is made again, and how long to wait before it: data only.

What may be retried at all is for the policy to say; the runner asks it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Annotated, Any, TypeVar, cast

from pydantic import Field, field_validator
from pydantic.dataclasses import dataclass as checked_dataclass

from handfast.agents.json_types import is_object

T = TypeVar("T")


@checked_dataclass
class ModelRetryBackoffSettings:
    """How the waits grow; None takes the default.

    Raises:
        pydantic.ValidationError: A number is negative.
    """

    initial_delay: Annotated[float, Field(ge=0)] | None = None
    """Seconds before the first retry."""
    max_delay: Annotated[float, Field(ge=0)] | None = None
    """The longest wait, in seconds."""
    multiplier: Annotated[float, Field(ge=0)] | None = None
    """What each wait is multiplied by for the next one."""
    jitter: bool | None = None
    """Whether waits are spread at random, so that clients do not come back all at once."""


@checked_dataclass
class ModelRetrySettings:
    """Whether and how a failed model call is made again; None takes the default.

    Raises:
        TypeError: `backoff` is a mapping with a key that is no setting.
    """

    max_retries: Annotated[int, Field(ge=0)] | None = None
    """How often a call is made again."""
    backoff: ModelRetryBackoffSettings | None = None
    """How the waits grow; a mapping of its fields is taken too."""
    policy: Annotated[Callable[..., Any] | None, Field(exclude=True)] = None
    """Says of each failure whether to try again; never stored."""

    @field_validator("backoff", mode="before")
    @classmethod
    def _backoff_of(cls, given: object) -> object:
        if is_object(given):
            return _made(ModelRetryBackoffSettings, given, "retry.backoff")
        return given

    @classmethod
    def of(cls, given: Mapping[str, object]) -> ModelRetrySettings:
        """Settings from a mapping of them.

        Raises:
            TypeError: It has a key that is no setting.
        """
        return _made(cls, given, "retry")

    def resolve(self, override: ModelRetrySettings) -> ModelRetrySettings:
        """These settings with everything that the override sets, `backoff` field by field."""
        backoff = override.backoff or self.backoff
        if self.backoff is not None and override.backoff is not None:
            backoff = ModelRetryBackoffSettings(**_set(self.backoff) | _set(override.backoff))
        return ModelRetrySettings(
            self.max_retries if override.max_retries is None else override.max_retries,
            backoff,
            override.policy or self.policy,
        )

    def to_json_dict(self) -> dict[str, Any]:
        """The settings as JSON data, without the policy."""
        return {
            "max_retries": self.max_retries,
            "backoff": None if self.backoff is None else dict(vars(self.backoff)),
        }


def _set(backoff: ModelRetryBackoffSettings) -> dict[str, Any]:
    return {name: value for name, value in vars(backoff).items() if value is not None}


def _made(kind: type[T], given: Mapping[str, object], where: str) -> T:
    known = {each.name for each in fields(cast("Any", kind))}
    unknown = sorted(str(key) for key in given.keys() - known)
    if unknown:
        raise TypeError(f"Unknown model settings in {where}: {', '.join(unknown)}")
    return kind(**given)
