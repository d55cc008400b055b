"""The run items that users read in results, streams and handoff filters, and write in tests.

An item made from the run's record keeps the core's own item, so that going there and back loses
nothing, and refers to its agent weakly, so that a kept result keeps no agent alive.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, TypeAlias, cast

from handfast.agents.input_items import (
    input_form,
    item_from_wire,
    refusal_of,
    text_of,
    user_message,
)
from handfast.agents.raw import InputItem as WireItem
from handfast.agents.raw import is_json_object, raw_view, to_wire
from handfast.core.items import Call, HandoffResult, Item, Message, Opaque, Reasoning, Result
from handfast.errors import UserError


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


class _AgentRef:
    """An agent held weakly; once it is gone, its name."""

    __slots__ = ("_name", "_ref")

    def __init__(self, agent: NamedAgent) -> None:
        self._name = agent.name
        self._ref = weakref.ref(agent)

    def get(self) -> NamedAgent:
        return self._ref() or AgentName(self._name)


class RunItemBase:
    """What every run item has.

    Args:
        agent: The agent whose run produced it.
        raw_item: The provider's form: a JSON object, or an object of the `openai` package.

    Attributes:
        core_item: The record's own item that this one shows; None for one that a user built.
    """

    __slots__ = ("__weakref__", "_agent", "_raw", "_view", "core_item")

    type: ClassVar[str]
    """What kind of item it is, in the SDK's words."""

    def __init__(self, agent: NamedAgent, raw_item: object) -> None:
        self._agent: NamedAgent | _AgentRef = agent
        self._raw = raw_item
        self._view: object = None
        self.core_item: Item | None = None

    @property
    def agent(self) -> NamedAgent:
        """The agent, or an `AgentName` once that is gone."""
        return self._agent.get() if isinstance(self._agent, _AgentRef) else self._agent

    @property
    def raw_item(self) -> Any:  # noqa: ANN401 - the provider's item; its class depends on its kind
        """The item as the SDK shows it: what a model wrote as an object, the rest as a dict."""
        if self._view is None:
            self._view = raw_view(self._raw)
        return self._view

    def to_input_item(self) -> dict[str, object]:
        """The item as input of a model."""
        return input_form(to_wire(self._raw))

    def release_agent(self) -> None:
        """Hold the agent weakly from now on; its name stays."""
        if not isinstance(self._agent, _AgentRef):
            self._agent = _weak(self._agent)

    def _parts(self) -> tuple[object, ...]:
        return (to_wire(self._raw), self.agent.name)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RunItemBase):
            return NotImplemented
        return type(self) is type(other) and self._parts() == other._parts()

    __hash__ = None  # type: ignore[assignment]  # holds mutable JSON

    def __repr__(self) -> str:
        return f"{type(self).__name__}(agent={self.agent.name!r}, raw_item={self._raw!r})"


class MessageOutputItem(RunItemBase):
    """A message that a model wrote."""

    __slots__ = ()
    type = "message_output_item"


class ReasoningItem(RunItemBase):
    """A model's reasoning, bound to the item after it."""

    __slots__ = ()
    type = "reasoning_item"


class _CallItem(RunItemBase):
    __slots__ = ()

    @property
    def call_id(self) -> str | None:
        """The id that ties the call to its output."""
        return _field(self._raw, "call_id") or _field(self._raw, "id")

    @property
    def tool_name(self) -> str | None:
        """The name the model called; for what a provider ran itself, the kind of call."""
        return _field(self._raw, "name") or _field(self._raw, "type")


class ToolCallItem(_CallItem):
    """A call of a tool: a function, or something that the provider runs."""

    __slots__ = ()
    type = "tool_call_item"


class HandoffCallItem(_CallItem):
    """A call that asks for a handoff."""

    __slots__ = ()
    type = "handoff_call_item"


class ToolCallOutputItem(RunItemBase):
    """What a tool answered.

    Args:
        agent: The agent whose call it answers.
        raw_item: The answer as the model sees it.
        output: What the tool returned, before it was made into text.
    """

    __slots__ = ("output",)
    type = "tool_call_output_item"

    def __init__(self, agent: NamedAgent, raw_item: object, output: object = None) -> None:
        super().__init__(agent, raw_item)
        self.output = output

    @property
    def call_id(self) -> str | None:
        """The id of the call that it answers."""
        return _field(self._raw, "call_id")

    def _parts(self) -> tuple[object, ...]:
        return (*super()._parts(), self.output)


class HandoffOutputItem(RunItemBase):
    """The answer to a handoff call: who speaks from here on.

    Args:
        agent: The agent whose call it answers.
        raw_item: The answer as the model sees it.
        source_agent: Who handed over.
        target_agent: Who took over.
    """

    __slots__ = ("_source", "_target")
    type = "handoff_output_item"

    def __init__(
        self,
        agent: NamedAgent,
        raw_item: object,
        source_agent: NamedAgent,
        target_agent: NamedAgent,
    ) -> None:
        super().__init__(agent, raw_item)
        self._source: NamedAgent | _AgentRef = source_agent
        self._target: NamedAgent | _AgentRef = target_agent

    @property
    def source_agent(self) -> NamedAgent:
        """Who handed over."""
        return self._source.get() if isinstance(self._source, _AgentRef) else self._source

    @property
    def target_agent(self) -> NamedAgent:
        """Who took over."""
        return self._target.get() if isinstance(self._target, _AgentRef) else self._target

    @property
    def call_id(self) -> str | None:
        """The id of the call that it answers."""
        return _field(self._raw, "call_id")

    def release_agent(self) -> None:
        """Hold all three agents weakly from now on; their names stay."""
        super().release_agent()
        self._source = _weak(self.source_agent)
        self._target = _weak(self.target_agent)

    def _parts(self) -> tuple[object, ...]:
        return (*super()._parts(), self.source_agent.name, self.target_agent.name)


class ToolApprovalItem(RunItemBase):
    """A call that waits for a person. It is a question, not part of the conversation.

    Args:
        agent: The agent whose call it is.
        raw_item: The call.
        tool_name: The tool; read from the call where not given.
    """

    __slots__ = ("tool_name",)
    type = "tool_approval_item"

    def __init__(
        self,
        agent: NamedAgent,
        raw_item: object,
        tool_name: str | None = None,
    ) -> None:
        super().__init__(agent, raw_item)
        self.tool_name = tool_name or _field(raw_item, "name") or _field(raw_item, "type")

    @property
    def name(self) -> str | None:
        """The tool, under its older name."""
        return self.tool_name

    @property
    def arguments(self) -> str | None:
        """The call's arguments, as JSON text."""
        return _field(self._raw, "arguments")

    @property
    def call_id(self) -> str | None:
        """The id of the call that waits."""
        return _field(self._raw, "call_id") or _field(self._raw, "id")

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


class InputItem(RunItemBase):
    """A message that was put into a running conversation from outside."""

    __slots__ = ()
    type = "input_item"


class ProviderItem(RunItemBase):
    """Anything else that a provider sends, kinds not known yet included."""

    __slots__ = ()
    type = "provider_item"


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
    made.release_agent()
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
    agent = "" if isinstance(run_item, InputItem) else run_item.agent.name
    item = item_from_wire(run_item.to_input_item(), agent)
    match run_item, item:
        case HandoffCallItem(), Call():
            return Call(item.call_id, item.name, item.arguments, item.raw, agent, "handoff")
        case HandoffOutputItem(), _:
            source, target = run_item.source_agent.name, run_item.target_agent.name
            return HandoffResult(run_item.call_id or "", item.raw, source, target)
        case ToolCallOutputItem(), Result():
            value = item.value if run_item.output is None else run_item.output
            return Result(item.call_id, item.raw, agent, value)
        case _:
            return item


def _made_for(item: Item, agent: NamedAgent, target: NamedAgent | None) -> RunItem:
    raw = item.raw
    match item:
        case Message(role="assistant"):
            return MessageOutputItem(agent, raw)
        case Message():
            return InputItem(agent, raw)
        case Reasoning():
            return ReasoningItem(agent, raw)
        case Call(kind="handoff"):
            return HandoffCallItem(agent, raw)
        case Call() | Opaque(role="call"):
            return ToolCallItem(agent, raw)
        case Result():
            return ToolCallOutputItem(agent, raw, item.value)
        case HandoffResult():
            return HandoffOutputItem(agent, raw, agent, target or AgentName(item.target))
        case Opaque(role="output"):
            return ToolCallOutputItem(agent, raw, to_wire(raw).get("output"))
        case Opaque():
            return ProviderItem(agent, raw)


def _weak(agent: NamedAgent) -> NamedAgent | _AgentRef:
    return agent if isinstance(agent, AgentName) else _AgentRef(agent)


def _field(raw: object, name: str) -> str | None:
    value = raw.get(name) if is_json_object(raw) else getattr(raw, name, None)
    return value if isinstance(value, str) else None


# ---- reading messages ---------------------------------------------------------------------------


class ItemHelpers:
    """Reading texts out of items."""

    @staticmethod
    def extract_last_content(message: object) -> str:
        """The last part of an assistant message: its text or its refusal, "" for neither."""
        part = _last_part(message)
        return text_of([part]) or refusal_of([part])

    @staticmethod
    def extract_last_text(message: object) -> str | None:
        """The text of the last part of an assistant message; None where that is no text."""
        part = _last_part(message)
        is_text = isinstance(part, str) or (is_json_object(part) and "text" in part)
        return text_of([part]) if is_text else None

    @staticmethod
    def extract_text(message: object) -> str | None:
        """All the text of an assistant message; None where it has none."""
        return text_of(_content(message)) or None

    @staticmethod
    def extract_refusal(message: object) -> str | None:
        """The refusal in an assistant message; None where it has none."""
        return refusal_of(_content(message)) or None

    @staticmethod
    def input_to_new_input_list(conversation: str | Sequence[WireItem]) -> list[WireItem]:
        """The input as a new list of input items; text is one user message."""
        if isinstance(conversation, str):
            return [cast("WireItem", user_message(conversation).raw)]
        return [dict(to_wire(item)) for item in conversation]

    @staticmethod
    def text_message_outputs(items: Iterable[RunItem]) -> str:
        """The texts of all messages among the items, joined."""
        return "".join(
            ItemHelpers.text_message_output(item)
            for item in items
            if isinstance(item, MessageOutputItem)
        )

    @staticmethod
    def text_message_output(message: MessageOutputItem) -> str:
        """The text of a message."""
        return text_of(_content(message.raw_item))

    @staticmethod
    def tool_call_output_item(tool_call: object, output: object) -> dict[str, object]:
        """The wire form of a function's answer.

        Args:
            tool_call: The call: a JSON object or an object of the `openai` package.
            output: The answer; a list of input parts is kept, anything else becomes text.
        """
        parts = isinstance(output, list)
        return {
            "type": "function_call_output",
            "call_id": to_wire(tool_call)["call_id"],
            "output": output if parts else str(output),
        }


def _content(message: object) -> object:
    wire = to_wire(message)
    return wire.get("content") if wire.get("role", "assistant") == "assistant" else None


def _last_part(message: object) -> object:
    content = _content(message)
    if isinstance(content, list):
        parts = cast("list[object]", content)
        return parts[-1] if parts else None
    return content
