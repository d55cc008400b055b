"""Prompts that a provider stores: named by an agent, filled in by the provider."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, NotRequired, TypeAlias

from typing_extensions import TypedDict

from handfast.agents.context import RunContextWrapper
from handfast.agents.raw import is_json_object
from handfast.errors import UserError


class Prompt(TypedDict):
    """A prompt that the provider stores."""

    id: str
    """The provider's id of it."""
    version: NotRequired[str]
    """Which version; the newest where not given."""
    variables: NotRequired[Mapping[str, object]]
    """What its variables stand for."""


@dataclass
class GenerateDynamicPromptData:
    """What a function that names a prompt is given."""

    context: RunContextWrapper
    """The run's context."""
    agent: Any
    """The agent whose prompt it is."""


DynamicPromptFunction: TypeAlias = Callable[
    [GenerateDynamicPromptData],
    Mapping[str, object] | Prompt | Awaitable[Mapping[str, object] | Prompt],
]
"""Names the prompt of a run; sync or async."""

PromptField: TypeAlias = Mapping[str, object] | Prompt | DynamicPromptFunction


async def prompt_of(
    given: PromptField | None,
    context: RunContextWrapper,
    agent: object,
) -> Mapping[str, object] | None:
    """The stored prompt for a run, as the Responses API takes it.

    Args:
        given: The agent's `prompt`.
        context: The run's context.
        agent: The agent.

    Raises:
        UserError: It is no mapping with an `id`, or the function returned none.
    """
    if given is None:
        return None
    made: object = given
    if callable(given):
        made = given(GenerateDynamicPromptData(context, agent))
        made = await made if inspect.isawaitable(made) else made
    if not is_json_object(made) or not isinstance(made.get("id"), str):
        raise UserError(f"A prompt must be a mapping with an 'id', not {made!r:.80}.")
    return {key: made.get(key) for key in ("id", "version", "variables")}
