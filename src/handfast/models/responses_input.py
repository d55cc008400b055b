"""A conversation as input of the Responses API: its own items, less what this provider refuses.

Items go back as they came, with three exceptions. Reasoning goes only to the model that made it. An
item whose reasoning is not sent loses its id, since the server ties the two together and refuses
one without the other. What adapters have written on an item is taken off.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from handfast.agents.raw import FAKE_RESPONSES_ID, to_wire
from handfast.models.call_repair import sendable_arguments
from handfast.models.json_text import text_in
from handfast.models.origin import MARK, Origin

Item = Mapping[str, object]

_CALLS = frozenset({"function_call", "custom_tool_call"})
_MODEL_MADE = _CALLS | {"message"}


def responses_input(
    conversation: str | Sequence[Item],
    origin: Origin,
    *,
    keeps_reasoning: bool,
    strict_order: bool,
) -> list[Item]:
    """The `input` of a request.

    Args:
        conversation: Text of a user, or input items.
        origin: The provider and model that will read it.
        keeps_reasoning: True when the server stores responses: reasoning that holds nothing but an
            id is known to it.
        strict_order: True for servers that refuse words between the calls of one answer.
    """
    if isinstance(conversation, str):
        return [{"role": "user", "content": conversation}]
    items: Iterable[Item] = [to_wire(item) for item in conversation]
    if strict_order:
        items = _words_before_calls(items)
    sent: list[Item] = []
    bound = False  # whether reasoning was sent that the next items of the model belong to
    for item in items:
        kind = item.get("type", "message")
        if kind == "reasoning":
            bound = _is_sendable(item, origin, keeps_reasoning=keeps_reasoning)
            if bound:
                sent.append(_bare(item))
            continue
        is_model_made = kind in _MODEL_MADE and item.get("role", "assistant") == "assistant"
        bound = bound and is_model_made
        sent.append(_bare(item, keep_id=bound or not is_model_made))
    return sent


def _is_sendable(item: Item, origin: Origin, *, keeps_reasoning: bool) -> bool:
    if MARK in item and not origin.made(item):
        return False
    return keeps_reasoning or bool(item.get("encrypted_content") or item.get("content"))


def _bare(item: Item, *, keep_id: bool = True) -> Item:
    """The item as the provider takes it: no mark, no empty keys, arguments that are JSON.

    An id that only stood in for one, in a conversation that the SDK stored, is left out.
    """
    keep_id = keep_id and item.get("id") != FAKE_RESPONSES_ID
    bare = {
        key: value
        for key, value in item.items()
        if value is not None and key != MARK and (keep_id or key != "id")
    }
    if item.get("type") == "function_call":
        bare["arguments"] = sendable_arguments(text_in(item, "arguments"))
    return bare


def _words_before_calls(items: Iterable[Item]) -> Iterable[Item]:
    """Move what an assistant says between its calls in front of them."""
    calls: list[Item] = []
    for item in items:
        kind = item.get("type", "message")
        if kind in _CALLS or (kind == "reasoning" and calls):
            calls.append(item)
        elif kind == "message" and item.get("role") == "assistant":
            yield item
        else:
            yield from calls
            calls = []
            yield item
    yield from calls
