"""Between the wire and the core: what an item of the Responses API is in a conversation.

Items are told apart by their role, read from their structure: a kind that nobody here has heard
of is a call when its name or its fields say so. Nothing is refused for being unknown.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal, TypeGuard, cast, get_args

from typing_extensions import TypeIs

from handfast.agents.json_types import is_array
from handfast.agents.raw import (
    FAKE_RESPONSES_ID,
    MADE_HERE,
    InputItem,
    is_json_object,
    replayed,
    to_wire,
)
from handfast.core.items import (
    Call,
    HandoffResult,
    Item,
    Message,
    Opaque,
    Reasoning,
    Result,
    Role,
)
from handfast.errors import UserError

WireRole = Literal["call", "output", "other"]

RECORDS = "handfast.records"
"""Key of a raw form: the items that a message tells of, see `nested_history`. Never sent."""

MOVED = "handfast.moved"
"""Key of a raw form: a message that the run's record holds too. Never sent."""

CUSTOM_CALL = "custom_tool_call"
"""The type of a call whose arguments are free text; its answer's is `custom_tool_call_output`."""

_OWN_KEYS = frozenset({RECORDS, MOVED})

_ROLES = frozenset(get_args(Role))
_CALL_WORDS = frozenset({"call", "use", "request"})
_OUTPUT_WORDS = frozenset({"output", "result", "response"})
_TOOL_WORDS = frozenset({"tool", "tools"})


def item_from_wire(item: object, agent: str = "") -> Item:
    """The core's item for an item of the Responses API.

    Args:
        item: A mapping, or an object with the fields of one (of the `openai` package, or a view).
        agent: The name of the agent that produced it; empty for input.

    Returns:
        A `Message`, `Reasoning`, `Call` or `Result` where the item is one, else an `Opaque` that
        says whether it acts as a call, as an output or as neither. Its `raw` is the wire form.

    Raises:
        UserError: It is no mapping and cannot be turned into one.
    """
    wire = to_wire(item)
    kind = wire.get("type")
    if kind == "function_call":
        return Call(
            _text(wire.get("call_id")),
            _text(wire.get("name")),
            _arguments(wire.get("arguments")),
            wire,
            agent,
        )
    if kind == CUSTOM_CALL:
        return Call(
            _text(wire.get("call_id")),
            _text(wire.get("name")),
            _text(wire.get("input")),
            wire,
            agent,
        )
    if kind == "function_call_output":
        return Result(_text(wire.get("call_id")), wire, agent, wire.get("output"))
    if kind == "reasoning":
        return Reasoning(wire, agent)
    if _is_message(wire):
        content = wire.get("content")
        return Message(
            cast("Role", wire["role"]),
            text_of(content),
            wire,
            agent,
            refusal_of(content),
        )
    return Opaque(_text(kind), wire_role(wire), wire, agent)


def wire_from_item(item: Item) -> dict[str, object]:
    """What goes to a provider as input for an item: its own form, less what providers refuse.

    Keys whose value is None at the top level say nothing and are refused by some endpoints
    (`status` for one), so they are left out, and so are our own keys. Ids stay.
    """
    return input_form(to_wire(item.raw))


def input_form(wire: dict[str, object]) -> dict[str, object]:
    """The JSON object of an item as input: the same object when there is nothing to leave out."""
    wire = replayed(wire)
    if None not in wire.values() and _OWN_KEYS.isdisjoint(wire):
        return wire
    return {key: value for key, value in wire.items() if value is not None and key not in _OWN_KEYS}


def given_items(conversation: object) -> tuple[Item, ...]:
    """`input_to_items` for what comes from outside the run: our own keys mean nothing there.

    Raises:
        UserError: As `input_to_items`.
    """
    return tuple(map(_without_own_keys, input_to_items(conversation)))


def _without_own_keys(item: Item) -> Item:
    wire = to_wire(item.raw)
    if _OWN_KEYS.isdisjoint(wire):
        return item
    return replace(item, raw={key: wire[key] for key in wire if key not in _OWN_KEYS})


def input_to_items(conversation: object) -> tuple[Item, ...]:
    """The core's items for the input of a run.

    Args:
        conversation: Text, taken as one user message, or a sequence of input items.

    Raises:
        UserError: It is neither, or one of its elements is no item; the message names the index.
    """
    if isinstance(conversation, str):
        return (user_message(conversation),)
    if not _is_sequence(conversation):
        raise UserError(
            f"The input must be a str or a list of input items, "
            f"not {type(conversation).__name__}. Pass text, or for example "
            "[{'role': 'user', 'content': 'Hello'}].",
        )
    return tuple(_input_item(index, item) for index, item in enumerate(conversation))


def user_message(text: str) -> Message:
    """A message of the user."""
    return Message("user", text, {"role": "user", "content": text})


def items_to_wire(items: Iterable[Item]) -> list[InputItem]:
    """The input items for a sequence of items; see `wire_from_item`."""
    return [wire_from_item(item) for item in items]


def wire_role(wire: InputItem) -> WireRole:
    """What an item does in a conversation, whatever it is called.

    An item whose name ends in `_call` (or `_use`, `_request`) is a call; one that ends in `_output`
    (or `_result`, `_response`) is an output. Where the name says neither: an item with a `call_id`
    is an output if it has an `output`, else a call; a list of tools was given by a tool server and
    counts as its output. A message is neither, and so is everything else.
    """
    if _is_message(wire) or wire.get("type") == "reasoning":
        return "other"
    words = _text(wire.get("type")).lower().replace("-", "_").split("_")
    if words[-1] in _CALL_WORDS:
        return "call"
    if words[-1] in _OUTPUT_WORDS:
        return "output"
    if "call_id" in wire:
        return "output" if "output" in wire else "call"
    return "output" if not _TOOL_WORDS.isdisjoint(words) else "other"


def own_id_of(raw: object, call_id: str) -> str | None:
    """The id that a provider gave a call's item beside the call's; None for none.

    One that ends with the call's, or with the same number, comes from the same counter, and tells
    no more than that.
    """
    own, mark = (
        raw.get(name) if is_json_object(raw) else getattr(raw, name, None)
        for name in ("id", "provider_data")
    )
    if not isinstance(own, str) or own in {"", FAKE_RESPONSES_ID} or not call_id:
        return None
    made_here = is_json_object(mark) and mark.get("item_id") == MADE_HERE
    same = own.endswith(call_id) or _number(own) == _number(call_id) != ""
    return None if made_here or same else own


def _number(named: str) -> str:
    """The digits that an id ends with."""
    return named[len(named.rstrip("0123456789")) :]


def call_id_of(item: Item) -> str:
    """The id that ties a call and its output together; empty where the item has none.

    A call without one (a search that the provider ran itself) is complete alone.
    """
    match item:
        case Call() | Result() | HandoffResult():
            return item.call_id
        case Opaque(role="call" | "output") if is_json_object(item.raw):
            return _text(item.raw.get("call_id"))
        case _:
            return ""


def is_call(item: Item) -> bool:
    """True for anything that asks for something to be done."""
    return isinstance(item, Call) or (isinstance(item, Opaque) and item.role == "call")


def is_custom_call(item: Item) -> bool:
    """True for a call that has free text in place of arguments."""
    return isinstance(item, Call) and to_wire(item.raw).get("type") == CUSTOM_CALL


def is_output(item: Item) -> bool:
    """True for anything that answers a call."""
    return isinstance(item, Result | HandoffResult) or (
        isinstance(item, Opaque) and item.role == "output"
    )


def is_model_made(item: Item) -> bool:
    """True for what a model produces: its messages, reasoning, calls, and what it ran itself."""
    match item:
        case Message(role=role):
            return role == "assistant"
        case Result() | HandoffResult():
            return False
        case Opaque(role="output"):
            return not call_id_of(item)
        case _:
            return True


def text_of(content: object) -> str:
    """The plain text of a message's content: a str, or a list of parts whose texts are joined."""
    if isinstance(content, str):
        return content
    if is_json_object(content):
        content = [content]
    if not _is_sequence(content):
        return ""
    return "".join(_part_text(part) for part in content)


def refusal_of(content: object) -> str:
    """The refusal in a message's content; empty where there is none."""
    if not _is_sequence(content):
        return ""
    return "".join(
        _text(part.get("refusal"))
        for part in content
        if is_json_object(part) and part.get("type") == "refusal"
    )


def read_whole(value: object) -> object:
    """A copy of JSON data in which what pydantic would read only when asked is read.

    Input items that pydantic has validated hold such iterators where their type says `Iterable`.
    """
    if is_json_object(value):
        return {key: read_whole(each) for key, each in value.items()}
    if is_array(value) or _is_iterator(value):
        return [read_whole(each) for each in value]
    return value


def _holds_iterators(value: object) -> bool:
    if is_json_object(value):
        return any(map(_holds_iterators, value.values()))
    return any(map(_holds_iterators, value)) if is_array(value) else _is_iterator(value)


def _is_iterator(value: object) -> TypeIs[Iterator[object]]:
    return isinstance(value, Iterator)


def _input_item(index: int, item: object) -> Item:
    if is_json_object(item) and _holds_iterators(item):
        item = read_whole(item)
    try:
        return item_from_wire(item)
    except UserError:
        raise UserError(
            f"input[{index}] must be a mapping such as {{'role': 'user', 'content': 'Hello'}}, "
            f"not {type(item).__name__}.",
        ) from None


def _part_text(part: object) -> str:
    if isinstance(part, str):
        return part
    return _text(part.get("text")) if is_json_object(part) else ""


def _is_message(wire: InputItem) -> bool:
    role = wire.get("role")
    return wire.get("type", "message") == "message" and isinstance(role, str) and role in _ROLES


def _is_sequence(value: object) -> TypeGuard[Sequence[object]]:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _arguments(value: object) -> str:
    """Arguments as JSON text; a provider that sends them as an object is understood too."""
    if isinstance(value, Mapping | list):
        return json.dumps(value, ensure_ascii=False, default=str)
    return _text(value)
