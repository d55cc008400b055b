"""From the items of a conversation to the messages of a chat completion.

The chat protocol is stricter than the Responses API: what an assistant said and called in one turn
is one message, and the answers to all its calls follow at once. Items are gathered into such turns,
answers are found wherever they stand, and a call without an answer is refused here, with its id,
rather than by the provider, without.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from handfast.agents.json_types import is_object
from handfast.agents.raw import to_wire
from handfast.errors import UserError
from handfast.models.call_repair import sendable_arguments
from handfast.models.chat_content import input_content, output_text
from handfast.models.chat_dialect import ChatDialect
from handfast.models.json_text import objects_in, text_in
from handfast.models.origin import MARK, Origin

EMPTY_OUTPUT = "(no output)"
"""Sent for a tool's empty answer: strict endpoints refuse an empty message."""

_CALLS = frozenset({"function_call", "custom_tool_call"})
_OUTPUTS = frozenset({"function_call_output", "custom_tool_call_output"})
_TEXTS = frozenset({"output_text", "text"})
_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

Message = dict[str, object]


def chat_messages(
    conversation: str | Sequence[Mapping[str, object]],
    origin: Origin,
    dialect: ChatDialect,
) -> list[Message]:
    """The messages for a conversation, without the instructions.

    Args:
        conversation: Text of a user, or input items.
        origin: The provider and model that will read them.
        dialect: How it speaks the protocol.

    Raises:
        UserError: A call has no answer, an answer no call, or an item cannot be said in this
            protocol.
    """
    if isinstance(conversation, str):
        return [{"role": "user", "content": conversation}]
    items = [to_wire(item) for item in conversation]
    writer = _Writer(origin, dialect, _outputs(items))
    for item in items:
        writer.add(item)
    return writer.finish()


def _outputs(items: Iterable[Mapping[str, object]]) -> dict[str, deque[Mapping[str, object]]]:
    """The answers by call id; in order, since some providers use an id again in a later turn."""
    found: dict[str, deque[Mapping[str, object]]] = {}
    for item in items:
        if item.get("type") in _OUTPUTS:
            found.setdefault(str(item.get("call_id")), deque()).append(item)
    return found


@dataclass(slots=True)
class _Turn:
    """What an assistant said and called at one time."""

    texts: list[str] = field(default_factory=list[str])
    refusals: list[str] = field(default_factory=list[str])
    calls: list[Mapping[str, object]] = field(default_factory=list[Mapping[str, object]])
    reasoning: Mapping[str, object] | None = None

    def is_empty(self) -> bool:
        return not (self.texts or self.refusals or self.calls)


class _Writer:
    def __init__(
        self,
        origin: Origin,
        dialect: ChatDialect,
        outputs: dict[str, deque[Mapping[str, object]]],
    ) -> None:
        self._origin = origin
        self._dialect = dialect
        self._outputs = outputs
        self._messages: list[Message] = []
        self._turn = _Turn()

    def add(self, item: Mapping[str, object]) -> None:
        kind = item.get("type", "message")
        if kind in _CALLS:
            self._turn.calls.append(item)
        elif kind in _OUTPUTS:
            self._close()
        elif kind == "reasoning":
            self._add_reasoning(item)
        elif kind == "message" and item.get("role") == "assistant":
            self._add_answer(item)
        elif kind == "message":
            self._close()
            self._messages.append(self._input_message(item))
        else:
            raise UserError(
                f"An item of type {kind!r} cannot be sent over chat completions. Filter it out "
                "(handoff_filters.remove_all_tools) or use the Responses endpoint.",
            )

    def finish(self) -> list[Message]:
        self._close()
        orphans = [call_id for call_id, outputs in self._outputs.items() if outputs]
        if orphans:
            raise UserError(f"The input has an output for {orphans[0]!r} but no such call.")
        return self._messages

    def _add_reasoning(self, item: Mapping[str, object]) -> None:
        if not self._origin.is_kin_of(item):
            return
        self._close()
        self._turn.reasoning = item

    def _add_answer(self, item: Mapping[str, object]) -> None:
        if self._turn.texts and not self._turn.calls:
            self._close()
        content = item.get("content")
        if isinstance(content, str):
            self._turn.texts.append(content)
            return
        parts = objects_in(item, "content")
        texts = [text_in(part, "text") for part in parts if part.get("type") in _TEXTS]
        refusals = [text_in(part, "refusal") for part in parts if part.get("type") == "refusal"]
        if texts or not refusals:
            self._turn.texts.append("".join(texts))
        self._turn.refusals.extend(refusals)

    def _close(self) -> None:
        """Write the open turn: one message, then the answers to its calls in call order."""
        turn, self._turn = self._turn, _Turn()
        if turn.is_empty():
            return
        message: Message = {"role": "assistant", "content": self._content(turn)}
        if turn.refusals and self._dialect.refusal_field:
            message["refusal"] = "\n".join(turn.refusals)
        if turn.reasoning is not None:
            message.update(_given_back(turn.reasoning, with_text=bool(turn.calls)))
        self._messages.append(message)
        if turn.calls:
            ids = self._wire_ids(turn.calls)
            message["tool_calls"] = [
                self._call(call, wire_id) for call, wire_id in zip(turn.calls, ids, strict=True)
            ]
            self._messages.extend(
                self._output(call, wire_id) for call, wire_id in zip(turn.calls, ids, strict=True)
            )

    def _content(self, turn: _Turn) -> str | None:
        texts = list(turn.texts)
        if not self._dialect.refusal_field:
            texts.extend(turn.refusals)
        text = "\n".join(texts)
        return text if text or not (turn.calls or turn.refusals) else None

    def _wire_ids(self, calls: Sequence[Mapping[str, object]]) -> list[str]:
        """The ids as the server takes them, no two alike in one message."""
        ids: list[str] = []
        for call in calls:
            call_id = str(call.get("call_id"))
            repeats = sum(call_id == str(other.get("call_id")) for other in calls[: len(ids)])
            name = f"{call_id}_{repeats + 1}" if repeats else call_id
            length = self._dialect.call_id_length
            ids.append(name if length is None else _shaped(name, length))
        return ids

    def _call(self, call: Mapping[str, object], wire_id: str) -> Message:
        facts = call.get(MARK)
        extra = facts.get("call") if self._origin.is_kin_of(call) and is_object(facts) else None
        kept = dict(extra) if is_object(extra) else {}
        name = str(call.get("name"))
        if call.get("type") == "custom_tool_call":
            custom = {"name": name, "input": str(call.get("input", ""))}
            return {**kept, "id": wire_id, "type": "custom", "custom": custom}
        arguments = sendable_arguments(str(call.get("arguments", "")))
        function = {"name": name, "arguments": arguments}
        return {**kept, "id": wire_id, "type": "function", "function": function}

    def _output(self, call: Mapping[str, object], wire_id: str) -> Message:
        call_id = str(call.get("call_id"))
        waiting = self._outputs.get(call_id)
        if not waiting:
            raise UserError(
                f"The input has a call of {call.get('name')!r} with id {call_id!r} but no output "
                "for it. Add a function_call_output item, or leave the call out.",
            )
        text = output_text(waiting.popleft().get("output"))
        return {"role": "tool", "tool_call_id": wire_id, "content": text or EMPTY_OUTPUT}

    def _input_message(self, item: Mapping[str, object]) -> Message:
        role = item.get("role")
        if role not in {"user", "system", "developer"}:
            raise UserError(
                f"An input message has the role user, system or developer, not {role!r}."
            )
        if role == "developer" and not self._dialect.developer_role:
            role = "system"
        return {"role": role, "content": input_content(item.get("content"))}


def _given_back(reasoning: Mapping[str, object], *, with_text: bool) -> Message:
    """The keys of an assistant message that its maker wants to see again.

    Plain reasoning goes back with calls only: DeepSeek wants it there and refused it elsewhere.
    """
    facts = cast("Mapping[str, object]", reasoning[MARK])
    fields = facts.get("message")
    message = dict(fields) if is_object(fields) else {}
    key = facts.get("text_key")
    if with_text and isinstance(key, str):
        parts = objects_in(reasoning, "summary")
        message[key] = "".join(text_in(part, "text") for part in parts)
    return message


def _shaped(call_id: str, length: int) -> str:
    if len(call_id) == length and call_id.isascii() and call_id.isalnum():
        return call_id
    number = int.from_bytes(hashlib.sha256(call_id.encode("utf-8", "surrogatepass")).digest())
    digits: list[str] = []
    while len(digits) < length:
        number, rest = divmod(number, len(_ALPHABET))
        digits.append(_ALPHABET[rest])
    return "".join(digits)
