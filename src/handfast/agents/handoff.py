"""Handoffs: tools that make another agent go on with the conversation."""

from __future__ import annotations

import inspect
import json
import logging
import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeAlias, TypedDict, cast, overload

from typing_extensions import TypeVar, Unpack

from handfast.agents.context import RunContextWrapper, TContext
from handfast.agents.handoff_input import HandoffInput
from handfast.agents.input_items import input_form
from handfast.agents.items import NamedAgent, RunItem, ToolApprovalItem
from handfast.agents.names import function_name, hashed_name
from handfast.agents.raw import InputItem, to_wire
from handfast.errors import UserError

TAgent = TypeVar("TAgent", bound=NamedAgent, default=Any)
TInput = TypeVar("TInput", default=Any)

TOOL_NAME_PREFIX = "transfer_to_"

logger = logging.getLogger("handfast")

_LOST = re.compile(r"[^A-Za-z0-9_\s-]")
"""What a function's name cannot have, beside the gaps that are expected in a name."""


class HandoffInputDataChanges(TypedDict, total=False):
    """The fields of a `HandoffInputData` that `clone` can replace."""

    input_history: str | tuple[InputItem, ...]
    pre_handoff_items: tuple[RunItem, ...]
    new_items: tuple[RunItem, ...]
    run_context: RunContextWrapper | None
    input_items: tuple[RunItem, ...] | None


@dataclass(frozen=True)
class HandoffInputData:
    """What a handoff's receiver would see, for a filter to change."""

    input_history: str | tuple[InputItem, ...]
    """The conversation before `Runner.run` was called."""
    pre_handoff_items: tuple[RunItem, ...]
    """What the run produced before the turn that hands over."""
    new_items: tuple[RunItem, ...]
    """What that turn produced, the handoff's call and answer included."""
    run_context: RunContextWrapper | None = None
    """The run's context at the time of the handoff."""
    input_items: tuple[RunItem, ...] | None = None
    """What the receiver's model sees instead of `new_items`, which sessions keep."""

    def clone(self, **changes: Unpack[HandoffInputDataChanges]) -> HandoffInputData:
        """A copy with some fields replaced."""
        return replace(self, **changes)

    @property
    def all_items(self) -> list[InputItem]:
        """What the receiver's model sees, as input items in order."""
        history = self.input_history
        told: Iterable[InputItem] = (
            ({"role": "user", "content": history},) if isinstance(history, str) else history
        )
        fresh = self.new_items if self.input_items is None else self.input_items
        produced = (*self.pre_handoff_items, *fresh)
        seen = (item for item in produced if not isinstance(item, ToolApprovalItem))
        before = (input_form(to_wire(item)) for item in told)
        return [*before, *(item.to_input_item() for item in seen)]


HandoffInputFilter: TypeAlias = Callable[
    [HandoffInputData],
    HandoffInputData | Awaitable[HandoffInputData],
]
"""Decides what a receiver sees; sync or async."""

HandoffHistoryMapper: TypeAlias = Callable[[list[InputItem]], list[InputItem]]
"""The receiver's exact input from the flattened conversation so far."""

IsEnabled: TypeAlias = bool | Callable[[RunContextWrapper, Any], bool | Awaitable[bool]]
"""Whether the model is offered it: a bool, or `(context, agent)`, sync or async."""

OnHandoff: TypeAlias = (
    Callable[[RunContextWrapper], object] | Callable[[RunContextWrapper, Any], object]
)
"""`(context)`, or `(context, input)` where there is an `input_type`; sync or async."""


@dataclass
class Handoff(Generic[TContext, TAgent]):
    """A handoff as the model is offered it and as the runner performs it.

    Use `handoff()` for a fixed receiver. Build one by hand where code must choose the receiver
    when the handoff is called.

    Raises:
        UserError: A callable is expected and something else was given.
    """

    tool_name: str
    """The name of the function that the model calls."""
    tool_description: str
    """What tells the model when to call it."""
    input_json_schema: dict[str, object]
    """Schema of the call's arguments."""
    on_invoke_handoff: Callable[[RunContextWrapper, str], Awaitable[TAgent]]
    """`(context, arguments as JSON text)`: returns the receiver. Raising stops the run."""
    agent_name: str
    """The receiver's name."""
    input_filter: HandoffInputFilter | None = None
    """Decides what the receiver sees; it beats `RunConfig.handoff_input_filter`."""
    nest_handoff_history: bool | None = None
    """Overrides `RunConfig.nest_handoff_history`; None leaves it to that."""
    strict_json_schema: bool = True
    """Whether the provider is asked to hold the model to the schema."""
    is_enabled: IsEnabled = True
    """Whether the model is offered it, decided each turn before there are arguments."""
    agent: TAgent | None = None
    """The receiver, where it is fixed."""
    returns: bool = False
    """True runs the receiver on the conversation and gives its output back as the answer to the
    call: the agent that handed over goes on."""
    deliver_input: bool = False
    """True gives the typed input to the receiver: `context.handoff_input` for its instructions and
    tools, and a message for its model where a filter hides the call."""
    read_input: Callable[[str], object] | None = None
    """The typed input of a call's JSON text; None where there is no `input_type`."""

    def __post_init__(self) -> None:
        _require_text("tool_name", self.tool_name)
        _require_callable("on_invoke_handoff", self.on_invoke_handoff)
        if self.input_filter is not None and not callable(self.input_filter):
            raise UserError(f"Invalid input filter: {self.input_filter!r} is not callable.")
        if not isinstance(self.is_enabled, bool):
            _require_callable("is_enabled", self.is_enabled)
        if self.deliver_input and self.read_input is None:
            raise UserError("deliver_input needs an input_type: there is nothing to deliver.")

    def get_transfer_message(self, agent: NamedAgent) -> str:
        """The answer to the call: JSON that names the agent that goes on, as it is written."""
        return json.dumps({"assistant": agent.name}, ensure_ascii=not _is_utf8(agent.name))

    @classmethod
    def default_tool_name(cls, agent: NamedAgent) -> str:
        """The function name for a receiver: valid for every provider, whatever its name.

        An ASCII name with characters that no function's name can have is logged, as those are
        lost; names in other scripts are kept apart by a hash.
        """
        name = function_name(TOOL_NAME_PREFIX, agent.name)
        if agent.name.isascii() and _LOST.search(agent.name):
            logger.warning(
                "The agent name %r contains invalid characters for function calling; its handoff "
                "is offered as %r.",
                agent.name,
                name,
            )
        return name

    @classmethod
    def default_tool_description(cls, agent: NamedAgent) -> str:
        """What tells a model when to hand over to this receiver."""
        described = f"Handoff to the {agent.name} agent to handle the request."
        more = agent.handoff_description
        return f"{described} {more}" if more else described


@overload
def handoff(
    agent: TAgent,
    tool_name_override: str | None = None,
    tool_description_override: str | None = None,
    *,
    input_filter: HandoffInputFilter | None = None,
    nest_handoff_history: bool | None = None,
    is_enabled: IsEnabled = True,
    returns: bool = False,
    deliver_input: bool = False,
) -> Handoff[TContext, TAgent]: ...
@overload
def handoff(
    agent: TAgent,
    tool_name_override: str | None = None,
    tool_description_override: str | None = None,
    *,
    on_handoff: Callable[[RunContextWrapper[TContext], TInput], object],
    input_type: type[TInput],
    input_filter: HandoffInputFilter | None = None,
    nest_handoff_history: bool | None = None,
    is_enabled: IsEnabled = True,
    returns: bool = False,
    deliver_input: bool = False,
) -> Handoff[TContext, TAgent]: ...
@overload
def handoff(
    agent: TAgent,
    tool_name_override: str | None = None,
    tool_description_override: str | None = None,
    *,
    on_handoff: Callable[[RunContextWrapper[TContext], Any], object],
    input_type: object,
    input_filter: HandoffInputFilter | None = None,
    nest_handoff_history: bool | None = None,
    is_enabled: IsEnabled = True,
    returns: bool = False,
    deliver_input: bool = False,
) -> Handoff[TContext, TAgent]: ...
@overload
def handoff(
    agent: TAgent,
    tool_name_override: str | None = None,
    tool_description_override: str | None = None,
    *,
    on_handoff: Callable[[RunContextWrapper[TContext]], object],
    input_filter: HandoffInputFilter | None = None,
    nest_handoff_history: bool | None = None,
    is_enabled: IsEnabled = True,
    returns: bool = False,
    deliver_input: bool = False,
) -> Handoff[TContext, TAgent]: ...
def handoff(  # noqa: PLR0913 - the SDK's signature
    agent: TAgent,
    tool_name_override: str | None = None,
    tool_description_override: str | None = None,
    *,
    on_handoff: OnHandoff | None = None,
    input_type: object = None,
    input_filter: HandoffInputFilter | None = None,
    nest_handoff_history: bool | None = None,
    is_enabled: IsEnabled = True,
    returns: bool = False,
    deliver_input: bool = False,
) -> Handoff[TContext, TAgent]:
    """A handoff to one agent.

    Args:
        agent: Who goes on with the conversation.
        tool_name_override: The function's name; `Handoff.default_tool_name` where not given.
        tool_description_override: What tells the model when to call it.
        on_handoff: Called when the handoff is: with the context, and with the model's input where
            there is an `input_type`. Sync or async; its result is ignored. Raising stops the run
            before anything else happens, which is how a handoff is authorised.
        input_type: The type of the call's arguments: anything that pydantic can validate. They
            are checked strictly and given to `on_handoff`.
        input_filter: Decides what the receiver sees.
        nest_handoff_history: Overrides `RunConfig.nest_handoff_history`.
        is_enabled: Whether the model is offered it, decided each turn.
        returns: Whether the receiver's output comes back as the answer to the call, and the agent
            that handed over goes on.
        deliver_input: Whether the receiver gets the typed input too: its instructions and tools
            as `context.handoff_input`, its model as a message where a filter hides the call.

    Raises:
        UserError: The arguments do not fit together, or `input_type` has no strict schema.
    """
    _require_agent(agent)
    tool_name = tool_name_override or Handoff.default_tool_name(agent)
    expected = HandoffInput(on_handoff, input_type, tool_name)

    async def invoke(context: RunContextWrapper, arguments: str) -> TAgent:
        given = expected.read(arguments)
        if on_handoff is not None:
            done = cast("Callable[..., object]", on_handoff)(context, *given)
            if inspect.isawaitable(done):
                await done
        return agent

    return Handoff(
        tool_name=tool_name,
        tool_description=tool_description_override or Handoff.default_tool_description(agent),
        input_json_schema=expected.schema,
        on_invoke_handoff=invoke,
        agent_name=agent.name,
        input_filter=input_filter,
        nest_handoff_history=nest_handoff_history,
        is_enabled=_condition(is_enabled),
        agent=agent,
        returns=returns,
        deliver_input=deliver_input,
        read_input=None if input_type is None else expected.read_one,
    )


async def is_handoff_enabled(
    offered: Handoff,
    context: RunContextWrapper,
    agent: NamedAgent,
) -> bool:
    """Whether the model of `agent` is offered the handoff now."""
    enabled = offered.is_enabled
    if isinstance(enabled, bool):
        return enabled
    return await _answer(enabled, context, agent)


async def _answer(
    condition: Callable[[RunContextWrapper, Any], bool | Awaitable[bool]],
    context: RunContextWrapper,
    agent: object,
) -> bool:
    answer = condition(context, agent)
    return bool(await answer) if inspect.isawaitable(answer) else bool(answer)


def _condition(is_enabled: IsEnabled) -> IsEnabled:
    """The condition as `Handoff` holds it: a bool, or a function whose answer is awaited."""
    if isinstance(is_enabled, bool):
        return is_enabled
    _require_callable("is_enabled", is_enabled)

    async def condition(context: RunContextWrapper, agent: object) -> bool:
        return await _answer(is_enabled, context, agent)

    return condition


def resolve_handoff_names(handoffs: Sequence[Handoff]) -> tuple[Handoff, ...]:
    """The handoffs of one agent with function names that tell their receivers apart.

    Names that collapse ("Refund Agent" and "refund-agent") are kept by the first handoff; each
    later one gets a hash of its receiver's name. A name that a user chose is never changed, and
    neither is a second handoff to the same name: see `ambiguous_handoffs`.

    Args:
        handoffs: All of them, disabled ones too, so that a name does not depend on the turn.
    """
    first: dict[str, str] = {}
    for offered in handoffs:
        if not _has_default_name(offered):
            first[offered.tool_name] = offered.agent_name
    return tuple(_told_apart(offered, first) for offered in handoffs)


def ambiguous_handoffs(
    handoffs: Sequence[Handoff],
) -> list[tuple[Handoff, Handoff]]:
    """Pairs of handoffs that a model could not tell apart because their names are the same.

    Args:
        handoffs: Those that are enabled now, after `resolve_handoff_names`.
    """
    first: dict[str, Handoff] = {}
    return [
        (earlier, offered)
        for offered in handoffs
        if (earlier := first.setdefault(offered.tool_name, offered)) is not offered
    ]


def _told_apart(offered: Handoff, first: dict[str, str]) -> Handoff:
    owner = first.setdefault(offered.tool_name, offered.agent_name)
    if owner == offered.agent_name or not _has_default_name(offered):
        return offered
    return replace(offered, tool_name=hashed_name(TOOL_NAME_PREFIX, offered.agent_name))


def _has_default_name(offered: Handoff) -> bool:
    return offered.tool_name == function_name(TOOL_NAME_PREFIX, offered.agent_name)


# ---- construction -------------------------------------------------------------------------------


def _require_agent(agent: object) -> None:
    if not isinstance(getattr(agent, "name", None), str):
        raise UserError(f"handoff() needs an Agent, not {agent!r}.")


def _require_text(field: str, value: object) -> None:
    if not isinstance(value, str) or not value:
        raise UserError(f"Handoff {field} must be a non-empty str, not {value!r}.")


def _require_callable(field: str, value: object) -> None:
    if not callable(value):
        raise UserError(f"Handoff {field} must be callable, not {value!r}.")


def _is_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
