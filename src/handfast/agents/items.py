"""The run items that users read in results, streams and handoff filters, and write in tests.

An item made from the run's record keeps the core's own item, so that going there and back loses
nothing, and refers to its agent weakly, so that a kept result keeps no agent alive.
"""

from __future__ import annotations

import builtins
import copy
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol, Self, TypeAlias, TypeVar, cast

from handfast.agents.input_items import input_form, item_from_wire
from handfast.agents.raw import is_json_object, raw_view, to_wire
from handfast.agents.tool_origin import ToolOrigin
from handfast.core.items import Call, HandoffResult, Item, Message, Opaque, Reasoning, Result
from handfast.errors import UserError

T = TypeVar("T")


class NamedAgent(Protocol):
    """What an item, a handoff or a hook needs to know of an agent."""

    @property
    def name(self) -> str:
        """What people call it."""
        ...

    @property
    def handoff_description(self) -> str | None:
        """What it is good at, for the model that may hand over to it."""
        ...


@dataclass(frozen=True, slots=True)
class AgentName:
    """Stands in for an agent that is no longer in memory, or was never in this process."""

    name: str
    handoff_description: str | None = None


class AgentRef:
    """An agent held weakly.

    Args:
        agent: The agent.
        tells_name: Whether its name stands in for it once it is gone; else nothing does.
    """

    __slots__ = ("_ref", "_tells_name", "name")

    def __init__(self, agent: NamedAgent, *, tells_name: bool) -> None:
        self.name = agent.name
        self._ref = weakref.ref(agent)
        self._tells_name = tells_name

    def get(self) -> NamedAgent | None:
        """The agent; once it is gone, its name or None."""
        return self._ref() or (AgentName(self.name) if self._tells_name else None)


class AgentField:
    """A field that holds an agent, strongly or weakly."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._key = f"_{name}"

    def __get__(self, item: object, owner: type) -> NamedAgent:
        if item is None:
            raise AttributeError  # tells `dataclass` that there is no default
        held = item.__dict__[self._key]
        # None only for who let the agent go by hand: the SDK's types do not say so either.
        return cast("NamedAgent", held.get()) if isinstance(held, AgentRef) else held

    def __set__(self, item: object, agent: NamedAgent) -> None:
        item.__dict__[self._key] = agent


def agent_fields(*names: str) -> Callable[[type[T]], type[T]]:
    """Make fields of a class `AgentField`s, where a type checker shall see what they hold."""

    def prepare(owner: type[T]) -> type[T]:
        for name in names:
            field = AgentField()
            field.__set_name__(owner, name)
            setattr(owner, name, field)
        return owner

    return prepare


def release_agents_of(item: object, *, tell_names: bool) -> None:
    """Hold weakly what stands in an object's `AgentField`s.

    Args:
        item: The object.
        tell_names: Whether their names stand in for agents that are gone; else None does.
    """
    for key in _AGENT_KEYS:
        held = item.__dict__.get(key)
        if held is not None and not isinstance(held, AgentName | AgentRef):
            item.__dict__[key] = AgentRef(held, tells_name=tell_names)


class _RawField:
    """The provider's form of an item, shown as the SDK shows it once somebody looks."""

    def __get__(self, item: object, owner: type) -> Any:  # noqa: ANN401 - its class depends on the item's kind
        if item is None:
            raise AttributeError  # tells `dataclass` that there is no default
        values = item.__dict__
        if values["_view"] is None:
            values["_view"] = raw_view(values["_raw"])
        return values["_view"]

    def __set__(self, item: object, raw: Any) -> None:  # noqa: ANN401 - see above
        item.__dict__.update(_raw=raw, _view=None, _core=None)


@dataclass(eq=False, repr=False)
class RunItemBase:
    """What every run item has: a dataclass, of which `dataclasses.replace` makes changed copies."""

    agent: AgentField = AgentField()
    """The agent whose run produced it. Once the agent is gone, an `AgentName` for an item of a run,
    None for one that was told to `release_agent()`."""
    raw_item: _RawField = _RawField()
    """The item as the SDK shows it: what a model wrote as an object, the rest as a dict."""

    @property
    def core_item(self) -> Item | None:
        """The record's own item that this one shows; None for one that a user built."""
        return cast("Item | None", self.__dict__["_core"])

    @core_item.setter
    def core_item(self, item: Item) -> None:
        self.__dict__["_core"] = item

    def to_input_item(self) -> dict[str, object]:
        """The item as input of a model."""
        return input_form(to_wire(self._given))

    def release_agent(self) -> None:
        """Hold the item's agents weakly from now on; `agent_name` stays."""
        release_agents_of(self, tell_names=False)

    @property
    def agent_name(self) -> str:
        """The agent's name, whether the agent is still there or not."""
        return self._name_of("_agent")

    def _name_of(self, key: str) -> str:
        held: AgentRef | NamedAgent = self.__dict__[key]
        return held.name

    @property
    def _given(self) -> object:
        """The raw form as it was given, without a view."""
        return self.__dict__["_raw"]

    def _parts(self) -> tuple[object, ...]:
        return (to_wire(self._given), self.agent_name)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RunItemBase):
            return NotImplemented
        return type(self) is type(other) and self._parts() == other._parts()

    __hash__ = None  # type: ignore[assignment]  # holds mutable JSON

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        """A copy with its own JSON; agents and the record's item are the same ones."""
        copied = copy.copy(self)
        memo[id(self)] = copied
        copied.__dict__.update(_raw=copy.deepcopy(self._given, memo), _view=None)
        return copied

    def __repr__(self) -> str:
        return f"{type(self).__name__}(agent={self.agent_name!r}, raw_item={self._given!r})"


_SHELL_REPORT = frozenset({"status", "shell_output", "provider_data"})
"""Keys of an answer about commands that are for the program: a server refuses or ignores them."""

_AGENT_KEYS = ("_agent", "_source_agent", "_target_agent")


@dataclass(eq=False, repr=False)
class MessageOutputItem(RunItemBase):
    """A message that a model wrote."""

    type: Literal["message_output_item"] = "message_output_item"


@dataclass(eq=False, repr=False)
class ReasoningItem(RunItemBase):
    """A model's reasoning, bound to the item after it."""

    type: Literal["reasoning_item"] = "reasoning_item"


@dataclass(eq=False, repr=False)
class _CallItem(RunItemBase):
    @property
    def call_id(self) -> str | None:
        """The id that ties the call to its output."""
        return _field(self._given, "call_id") or _field(self._given, "id")

    @property
    def tool_name(self) -> str | None:
        """The name the model called; None for what a provider ran itself."""
        return _field(self._given, "name")


@dataclass(eq=False, repr=False)
class ToolCallItem(_CallItem):
    """A call of a tool: a function, or something that the provider runs."""

    type: Literal["tool_call_item"] = "tool_call_item"
    description: str | None = None
    """What the model was told of the tool."""
    title: str | None = None
    """What people call the tool, where its server says."""
    tool_origin: ToolOrigin | None = None
    """Where the tool comes from."""


@dataclass(eq=False, repr=False)
class HandoffCallItem(_CallItem):
    """A call that asks for a handoff."""

    type: Literal["handoff_call_item"] = "handoff_call_item"


@dataclass(eq=False, repr=False)
class ToolCallOutputItem(RunItemBase):
    """What a tool answered; its raw form is the answer as the model sees it."""

    output: Any = None
    """What the tool returned, before it was made into text."""
    type: Literal["tool_call_output_item"] = "tool_call_output_item"
    tool_origin: ToolOrigin | None = None
    """Where the tool comes from."""
    custom_data: Mapping[str, Any] | None = None
    """What the tool's `custom_data_extractor` kept for the program; never shown to a model."""

    @property
    def call_id(self) -> str | None:
        """The id of the call that it answers."""
        return _field(self._given, "call_id")

    def to_input_item(self) -> dict[str, object]:
        """The answer as input of a model; without what only a server writes about commands."""
        told = super().to_input_item()
        if told.get("type") != "shell_call_output":
            return told
        return {key: value for key, value in told.items() if key not in _SHELL_REPORT}

    def _parts(self) -> tuple[object, ...]:
        return (*super()._parts(), self.output)


@dataclass(eq=False, repr=False)
class HandoffOutputItem(RunItemBase):
    """The answer to a handoff call: who speaks from here on."""

    source_agent: AgentField = AgentField()
    """Who handed over."""
    target_agent: AgentField = AgentField()
    """Who took over."""
    type: Literal["handoff_output_item"] = "handoff_output_item"

    @property
    def parties(self) -> tuple[str, str]:
        """The names of who handed over and who took over, whether they are still there or not."""
        return self._name_of("_source_agent"), self._name_of("_target_agent")

    @property
    def call_id(self) -> str | None:
        """The id of the call that it answers."""
        return _field(self._given, "call_id")

    def _parts(self) -> tuple[object, ...]:
        return (*super()._parts(), *self.parties)


@dataclass(eq=False, repr=False)
class ToolApprovalItem(RunItemBase):
    """A call that waits for a person. It is a question, not part of the conversation."""

    tool_name: str | None = None
    """The tool; read from the call where not given."""
    type: Literal["tool_approval_item"] = "tool_approval_item"
    tool_namespace: str | None = None
    """The namespace that the call named, None for most."""
    tool_origin: ToolOrigin | None = None
    """Where the tool comes from."""
    call_scope: str = ""
    """The calls of agents used as tools that the call was made inside of; empty for none."""

    def __post_init__(self) -> None:
        given = self._given
        self.tool_name = self.tool_name or _field(given, "name") or _field(given, "type")
        self.tool_namespace = self.tool_namespace or _field(given, "namespace")

    @property
    def name(self) -> str | None:
        """The tool, under its older name."""
        return self.tool_name

    @property
    def qualified_name(self) -> str | None:
        """The tool with its namespace before a dot, where it has one."""
        if self.tool_name and self.tool_namespace and self.tool_namespace != self.tool_name:
            return f"{self.tool_namespace}.{self.tool_name}"
        return self.tool_name

    @property
    def arguments(self) -> str | None:
        """The call's arguments, as JSON text."""
        return _field(self._given, "arguments")

    @property
    def call_id(self) -> str | None:
        """The id of the call that waits."""
        return _field(self._given, "call_id") or _field(self._given, "id")

    def to_input_item(self) -> dict[str, object]:
        """Refused: a model is not shown what a person is asked.

        Raises:
            UserError: Always.
        """
        raise UserError(
            "A ToolApprovalItem is a question to a person and cannot be input of a model; "
            "leave it out, or answer it with state.approve() or state.reject().",
        )

    def _parts(self) -> tuple[object, ...]:
        return (*super()._parts(), self.tool_name)


@dataclass(eq=False, repr=False)
class InputItem(RunItemBase):
    """A message that was put into a running conversation from outside."""

    type: Literal["input_item"] = "input_item"


@dataclass(eq=False, repr=False)
class ProviderItem(RunItemBase):
    """Anything else that a provider sends, kinds not known yet included."""

    type: str = "provider_item"


@dataclass(eq=False, repr=False)
class CompactionItem(ProviderItem):
    """What a provider keeps in place of a part of the conversation."""

    type: str = "compaction_item"


@dataclass(eq=False, repr=False)
class ToolSearchCallItem(ProviderItem):
    """A model looks for tools that were not offered at once."""

    type: str = "tool_search_call_item"


@dataclass(eq=False, repr=False)
class ToolSearchOutputItem(ProviderItem):
    """The tools that such a search found."""

    type: str = "tool_search_output_item"


@dataclass(eq=False, repr=False)
class MCPListToolsItem(ProviderItem):
    """The tools of an MCP server that the provider talks to."""

    type: str = "mcp_list_tools_item"


@dataclass(eq=False, repr=False)
class MCPApprovalRequestItem(ProviderItem):
    """Such a server's call that waits for a person."""

    type: str = "mcp_approval_request_item"


@dataclass(eq=False, repr=False)
class MCPApprovalResponseItem(ProviderItem):
    """What the person said."""

    type: str = "mcp_approval_response_item"


_PROVIDER_ITEMS: Mapping[str, builtins.type[ProviderItem]] = {
    "compaction": CompactionItem,
    "tool_search_call": ToolSearchCallItem,
    "tool_search_output": ToolSearchOutputItem,
    "mcp_list_tools": MCPListToolsItem,
    "mcp_approval_request": MCPApprovalRequestItem,
    "mcp_approval_response": MCPApprovalResponseItem,
}
"""The SDK's own classes of what a provider sends."""

RunItem: TypeAlias = (
    MessageOutputItem
    | ReasoningItem
    | ToolCallItem
    | ToolCallOutputItem
    | HandoffCallItem
    | HandoffOutputItem
    | ToolApprovalItem
    | InputItem
    | ProviderItem
)
"""Any item of a run."""


# ---- to and from the core -----------------------------------------------------------------------


def run_item_of(item: Item, agent: NamedAgent, target: NamedAgent | None = None) -> RunItem:
    """The public item for an item of the record.

    Args:
        item: An item that a run produced.
        agent: The agent that produced it; held weakly.
        target: For the answer to a handoff, the agent that took over; its name will do when
            it is not at hand.
    """
    made = _made_for(item, agent, target)
    release_agents_of(made, tell_names=True)
    made.core_item = item
    return made


def item_of(run_item: RunItem) -> Item:
    """The core's item for a public one.

    One that came from a record gives back the very same item; one that a user built is read by
    its class, whatever its raw form says.

    Raises:
        UserError: It is an approval, which is no part of a conversation, or has no wire form.
    """
    if run_item.core_item is not None:
        return run_item.core_item
    agent = "" if isinstance(run_item, InputItem) else run_item.agent_name
    item = item_from_wire(run_item.to_input_item(), agent)
    match run_item, item:
        case HandoffCallItem(), Call():
            return Call(item.call_id, item.name, item.arguments, item.raw, agent, "handoff")
        case HandoffOutputItem(), _:
            return HandoffResult(run_item.call_id or "", item.raw, *run_item.parties)
        case ToolCallItem(tool_origin=ToolOrigin() as said), Call():
            return replace(item, origin=said.to_json_dict())
        case ToolCallOutputItem(), Result():
            value = item.value if run_item.output is None else run_item.output
            origin = None if run_item.tool_origin is None else run_item.tool_origin.to_json_dict()
            custom = run_item.custom_data
            return Result(item.call_id, item.raw, agent, value, custom_data=custom, origin=origin)
        case _:
            return item


def _made_for(item: Item, agent: NamedAgent, target: NamedAgent | None) -> RunItem:
    raw = item.raw
    match item:
        case Opaque():
            return _opaque(item, agent)
        case Message(role="assistant"):
            return MessageOutputItem(agent, raw)
        case Message():
            return InputItem(agent, raw)
        case Reasoning():
            return ReasoningItem(agent, raw)
        case Call(kind="handoff"):
            return HandoffCallItem(agent, raw)
        case Call():
            return ToolCallItem(agent, raw, tool_origin=ToolOrigin.from_json_dict(item.origin))
        case Result():
            kept = item.custom_data if is_json_object(item.custom_data) else None
            origin = ToolOrigin.from_json_dict(item.origin)
            return ToolCallOutputItem(agent, raw, item.value, tool_origin=origin, custom_data=kept)
        case HandoffResult():
            return HandoffOutputItem(agent, raw, agent, target or AgentName(item.target))


def _opaque(item: Opaque, agent: NamedAgent) -> RunItem:
    if item.kind in _PROVIDER_ITEMS:
        return _PROVIDER_ITEMS[item.kind](agent, item.raw)
    if item.role == "call":
        return ToolCallItem(agent, item.raw)
    if item.role == "output":
        return ToolCallOutputItem(agent, item.raw, to_wire(item.raw).get("output"))
    return ProviderItem(agent, item.raw)


def _field(raw: object, name: str) -> str | None:
    value = raw.get(name) if is_json_object(raw) else getattr(raw, name, None)
    return value if isinstance(value, str) else None
