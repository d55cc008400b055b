"""The events of the Responses API that tell of a given answer, in the order of a real stream."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Iterator, Mapping
from typing import Final

from handfast.agents.json_types import is_array, is_object
from handfast.agents.raw import ModelResponse, raw_view
from handfast.agents.usage import serialize_usage

CHUNK: Final = 32
"""Characters of a text delta."""

_EMPTY_WHILE_IN_PROGRESS: Final[Mapping[str, object]] = {
    "content": [],
    "summary": [],
    "arguments": "",
    "input": "",
    "encrypted_content": None,
}
"""What an item that has only begun does not have yet."""

_HAVE_A_STATUS: Final = frozenset(
    {"message", "reasoning", "function_call", "apply_patch_call", "shell_call"},
)


def stream_of(response: ModelResponse) -> Iterator[object]:
    """The events of an answer: created, each item with its deltas, completed.

    Each event holds copies of its own, and is shown as the SDK shows it.
    """
    numbers = itertools.count()
    for event in _events(response):
        yield raw_view({**copy.deepcopy(event), "sequence_number": next(numbers)})


def _events(response: ModelResponse) -> Iterator[dict[str, object]]:
    begun = _response(response, "in_progress", [])
    yield {"type": "response.created", "response": begun}
    yield {"type": "response.in_progress", "response": begun}
    for index, item in enumerate(response.wire_items):
        yield from _item(index, item)
    done = _response(response, "completed", list(response.wire_items))
    yield {"type": "response.completed", "response": done}


def _response(
    response: ModelResponse,
    status: str,
    output: list[dict[str, object]],
) -> dict[str, object]:
    return {
        "id": response.response_id,
        "object": "response",
        "created_at": 0,
        "model": "scripted",
        "status": status,
        "output": output,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": _usage(response) if status == "completed" else None,
    }


def _usage(response: ModelResponse) -> dict[str, object]:
    """The usage in the API's form, with our own count of requests beside it."""
    usage = response.usage
    entries: object = serialize_usage(usage)["request_usage_entries"]
    return {
        "input_tokens": usage.input_tokens,
        "input_tokens_details": dict(vars(usage.input_tokens_details)),
        "output_tokens": usage.output_tokens,
        "output_tokens_details": dict(vars(usage.output_tokens_details)),
        "total_tokens": usage.total_tokens,
        "requests": usage.requests,
        "request_usage_entries": entries,
    }


def _item(index: int, item: Mapping[str, object]) -> Iterator[dict[str, object]]:
    kind = item.get("type")
    item_id = item.get("id")
    if item_id is None:
        item_id = item.get("call_id") or f"item_{index}"
    where: dict[str, object] = {"output_index": index, "item_id": item_id}
    yield {"type": "response.output_item.added", "output_index": index, "item": _begun(item)}
    if kind == "function_call":
        yield from _arguments(where, str(item.get("arguments", "")))
    elif kind == "message":
        for number, part in _numbered(item.get("content")):
            yield from _part({**where, "content_index": number}, part)
    elif kind == "reasoning":
        yield from _reasoning(where, item)
    yield {"type": "response.output_item.done", "output_index": index, "item": item}


def _begun(item: Mapping[str, object]) -> dict[str, object]:
    """The item as it is announced, before any of its content has come."""
    begun = {key: _EMPTY_WHILE_IN_PROGRESS.get(key, value) for key, value in item.items()}
    if "status" in item or item.get("type") in _HAVE_A_STATUS:
        begun["status"] = "in_progress"
    return begun


def _numbered(parts: object) -> Iterator[tuple[int, Mapping[str, object]]]:
    if is_array(parts):
        for number, part in enumerate(parts):
            if is_object(part):
                yield number, part


def _arguments(where: Mapping[str, object], text: str) -> Iterator[dict[str, object]]:
    for delta in _chunks(text):
        yield {"type": "response.function_call_arguments.delta", **where, "delta": delta}
    yield {"type": "response.function_call_arguments.done", **where, "arguments": text}


def _part(where: Mapping[str, object], part: Mapping[str, object]) -> Iterator[dict[str, object]]:
    refused = part.get("type") == "refusal"
    kind, key = ("refusal", "refusal") if refused else ("output_text", "text")
    text = str(part.get(key) or "")
    begun: dict[str, object] = {**part, key: ""}
    chances: dict[str, object] = {}
    if not refused:
        begun.update(annotations=[], logprobs=[])
        chances["logprobs"] = part.get("logprobs") or []
    yield {"type": "response.content_part.added", **where, "part": begun}
    for delta in _chunks(text):
        yield {"type": f"response.{kind}.delta", **where, "delta": delta, **chances}
    for number, note in _numbered(part.get("annotations")):
        yield {
            "type": "response.output_text.annotation.added",
            **where,
            "annotation_index": number,
            "annotation": note,
        }
    yield {"type": f"response.{kind}.done", **where, key: text, **chances}
    yield {"type": "response.content_part.done", **where, "part": part}


def _reasoning(
    where: Mapping[str, object],
    item: Mapping[str, object],
) -> Iterator[dict[str, object]]:
    for number, part in _numbered(item.get("summary")):
        place = {**where, "summary_index": number}
        text = str(part.get("text") or "")
        head = "response.reasoning_summary"
        yield {"type": f"{head}_part.added", **place, "part": {**part, "text": ""}}
        for delta in _chunks(text):
            yield {"type": f"{head}_text.delta", **place, "delta": delta}
        yield {"type": f"{head}_text.done", **place, "text": text}
        yield {"type": f"{head}_part.done", **place, "part": part}
    for number, part in _numbered(item.get("content")):
        place = {**where, "content_index": number}
        text = str(part.get("text") or "")
        for delta in _chunks(text):
            yield {"type": "response.reasoning_text.delta", **place, "delta": delta}
        yield {"type": "response.reasoning_text.done", **place, "text": text}


def _chunks(text: str) -> Iterator[str]:
    for start in range(0, len(text), CHUNK):
        yield text[start : start + CHUNK]
